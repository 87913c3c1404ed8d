// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The ring of N >= 3 nodes: node u is linked to u + 1 (port 0) and u - 1 (port 1), modulo N.
/// A ring of two nodes would have two parallel links: use a linear array.
///
///     Ring{5}.neighbor(NodeId{4}, Port{0}) == NodeId{0};
///
/// Source: textbook. Diameter floor(N / 2).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class Ring {
 public:
  static constexpr Knows knows = Knows::find | Knows::diameter | Knows::bisection;
  static constexpr std::uint64_t min_nodes = 3;
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 40;

  /// Throws InvalidParameter unless 3 <= node_count <= 2^40.
  explicit Ring(std::uint64_t node_count) : node_count_(node_count) {
    if (node_count < min_nodes || node_count > max_nodes)
      throw InvalidParameter(name() + ": " + grouped(node_count) + " nodes; allowed: " +
                             std::to_string(min_nodes) + ".." + grouped(max_nodes));
  }

  [[nodiscard]] std::string name() const { return "ring:" + std::to_string(node_count_); }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return node_count_; }
  [[nodiscard]] std::size_t max_degree() const noexcept { return 2; }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return 2; }
  [[nodiscard]] std::string label(NodeId u) const { return std::to_string(index(u)); }
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const {
    const std::optional<std::uint64_t> number = whole_number(label);
    return number && *number < node_count_ ? std::optional(NodeId{*number}) : std::nullopt;
  }

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    return product(u, NodeId{p == Port{0} ? 1 : node_count_ - 1});
  }
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept {
    return p == Port{0} ? Port{1} : Port{0};
  }

  /// The group: addition modulo N.
  [[nodiscard]] NodeId identity() const noexcept { return NodeId{0}; }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const noexcept {
    const std::uint64_t sum = index(u) + index(v);
    return NodeId{sum >= node_count_ ? sum - node_count_ : sum};
  }
  [[nodiscard]] NodeId inverse(NodeId u) const noexcept {
    return NodeId{index(u) == 0 ? 0 : node_count_ - index(u)};
  }

  [[nodiscard]] std::uint64_t diameter() const noexcept { return node_count_ / 2; }
  [[nodiscard]] Cut bisection() const noexcept { return {node_count_ / 2, 2}; }

 private:
  std::uint64_t node_count_;
};

static_assert(CayleyTopology<Ring>);
template <>
inline constexpr bool laws_are_proven<Ring> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(Ring);

}  // namespace lockstep
