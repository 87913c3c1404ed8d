// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The mesh of any number of dimensions: the product of linear arrays. Ports, where these exist:
/// -1 and +1 in dimension 1, then in dimension 2, ..
///
///     const Mesh mesh({3, 4});
///     mesh.label(NodeId{7}) == "1,3";
///     mesh.label(mesh.neighbor(NodeId{7}, Port{2})) == "1,2";      // no +1 in dimension 2
///
/// Source: textbook. Diameter: the sum of size - 1.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class Mesh {
 public:
  /// Throws InvalidParameter unless there is a size, every size is at least 2 and their product at
  /// most 2^40.
  explicit Mesh(const std::vector<std::uint64_t>& sizes);

  [[nodiscard]] std::string name() const { return "mesh:" + coordinates_.sizes_text(); }
  [[nodiscard]] std::size_t dimensions() const noexcept { return coordinates_.digits(); }
  [[nodiscard]] const MixedRadix& coordinates() const noexcept { return coordinates_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return coordinates_.count(); }
  [[nodiscard]] std::size_t max_degree() const noexcept { return max_degree_; }
  [[nodiscard]] std::size_t degree(NodeId u) const noexcept;
  [[nodiscard]] NodeKind kind(NodeId) const noexcept { return NodeKind::processor; }

  /// These look for the port among the dimensions.
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept;
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const noexcept;

  [[nodiscard]] std::string label(NodeId u) const { return coordinates_.text(index(u)); }
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  /// "dimension 2, +1".
  [[nodiscard]] std::string port_label(NodeId u, Port p) const;

  /// Closed forms; tests hold them against breadth-first search.
  [[nodiscard]] std::uint64_t diameter() const noexcept;
  [[nodiscard]] std::uint64_t link_count() const noexcept;

 private:
  enum class Way : std::uint8_t { down, up };
  struct Move {
    std::size_t dimension;
    Way way;
  };
  [[nodiscard]] Move move_of(NodeId u, Port p) const noexcept;
  [[nodiscard]] bool exists(NodeId u, Move move) const noexcept;
  [[nodiscard]] NodeId moved(NodeId u, Move move) const noexcept;

  MixedRadix coordinates_;
  std::size_t max_degree_;
};

static_assert(Topology<Mesh>);

}  // namespace lockstep
