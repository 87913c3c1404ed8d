// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The complete graph of N >= 1 nodes: port p of node u leads to u + p + 1 modulo N.
///
///     CompleteGraph{5}.neighbor(NodeId{3}, Port{1}) == NodeId{0};
///
/// Source: textbook. Diameter 1 (0 for a single node).

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class CompleteGraph {
 public:
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 16;  // ports have 16 bits

  /// Throws InvalidParameter unless 1 <= node_count <= 65536.
  explicit CompleteGraph(std::uint64_t node_count) : node_count_(node_count) {
    if (node_count < 1 || node_count > max_nodes)
      throw InvalidParameter(
          fmt::format("complete:{}: {} nodes, allowed 1..{}", node_count, node_count, max_nodes));
  }

  [[nodiscard]] std::string name() const { return fmt::format("complete:{}", node_count_); }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return node_count_; }
  [[nodiscard]] std::size_t max_degree() const noexcept {
    return static_cast<std::size_t>(node_count_ - 1);
  }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return max_degree(); }
  [[nodiscard]] NodeKind kind(NodeId) const noexcept { return NodeKind::processor; }
  [[nodiscard]] std::string label(NodeId u) const { return fmt::format("{}", index(u)); }

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    return product(u, NodeId{std::uint64_t{index(p)} + 1});
  }
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept {
    return port(node_count_ - 2 - index(p));
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

  [[nodiscard]] std::uint64_t diameter() const noexcept { return node_count_ > 1 ? 1 : 0; }

 private:
  std::uint64_t node_count_;
};

static_assert(CayleyTopology<CompleteGraph>);

}  // namespace lockstep
