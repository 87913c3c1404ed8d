// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The Cayley graph of any permutation group, given by generators. Node 0 is the identity, the
/// others are numbered as breadth-first search over the ports finds them. Port p leads from u to
/// u g, where g is generator p and (a b)(i) = a(b(i)). Behind the given generators stand, in their
/// order, the inverses of those whose inverse was not given.
///
///     const CayleyGraph alternating({permutation_from_cycles("(1 2)(3 4)"),
///                                    permutation_from_cycles("(1 2 3 4 5)")});
///     alternating.node_count() == 60;
///     alternating.max_degree() == 3;               // the third is (1 5 4 3 2)
///     alternating.label(alternating.neighbor(NodeId{0}, Port{2})) == "(1 5 4 3 2)";
///
/// The group is tabulated: points + 4 * (ports + 2) bytes per element. A product composes two
/// permutations and looks the result up.
///
/// Source: textbook.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/core/detail/cycles.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class CayleyGraph {
 public:
  static constexpr Knows knows = Knows::find | Knows::port_label | Knows::permutation;
  static constexpr std::size_t max_generators = 64;
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 20;

  /// Throws InvalidParameter unless there are 1..64 generators, all different and none of them the
  /// identity, that generate at most 2^20 elements; stops counting there.
  explicit CayleyGraph(const std::vector<PointImages>& generators);

  /// "cayley:(1 2)(3 4);(1 2 3 4 5)": the generators given, in cycle notation.
  [[nodiscard]] std::string name() const { return tables_->name; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return tables_->node_count; }
  [[nodiscard]] std::size_t max_degree() const noexcept { return tables_->reverse_ports.size(); }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return max_degree(); }

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    return NodeId{tables_->neighbors[index(u) * max_degree() + index(p)]};
  }
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept {
    return tables_->reverse_ports[index(p)];
  }

  /// The images of the points.
  [[nodiscard]] std::span<const std::uint8_t> permutation(NodeId u) const noexcept;
  /// In cycle notation.
  [[nodiscard]] std::string label(NodeId u) const { return to_cycles(permutation(u)); }
  /// Reads any way to write its cycles; empty if that is no element of the group.
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  /// "generator (1 2)(3 4)".
  [[nodiscard]] std::string port_label(NodeId, Port p) const;

  /// The group. O(points).
  [[nodiscard]] NodeId identity() const noexcept { return NodeId{0}; }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const noexcept;
  [[nodiscard]] NodeId inverse(NodeId u) const noexcept;

 private:
  friend class GroupEnumeration;

  struct Tables {
    std::string name;
    std::size_t points = 0;
    std::uint64_t node_count = 0;
    std::vector<std::uint8_t> images;      ///< `points` of them per element
    std::vector<std::uint32_t> neighbors;  ///< one per element and port
    std::vector<Port> reverse_ports;
    std::vector<std::uint32_t> slots;  ///< elements by hash, open addressing; 2^k of them

    [[nodiscard]] std::span<const std::uint8_t> element(std::uint64_t number) const noexcept {
      return {images.data() + number * points, points};
    }
    /// The position of the permutation in `slots`, or the free slot where it belongs.
    [[nodiscard]] std::size_t slot_of(std::span<const std::uint8_t> wanted) const noexcept;
  };

  std::shared_ptr<const Tables> tables_;
};

static_assert(CayleyTopology<CayleyGraph>);
template <>
inline constexpr bool laws_are_proven<CayleyGraph> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(CayleyGraph);

}  // namespace lockstep
