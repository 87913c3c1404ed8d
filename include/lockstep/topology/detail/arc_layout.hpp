// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The index of data that is kept per arc: one number for each node and port.
///
///     const ArcLayout arcs = arc_layout(network);
///     std::vector<Queue> queues(arcs.size());
///     queues[arcs.index(u, p)].push(message);

#include <cstdint>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// Either a rectangle, port by port, in which one port of all nodes is a row: a step in which all
/// use one port reads one contiguous row. Or, where a few nodes have many ports and most have few,
/// node by node: memory proportional to the arcs. A small value that fits registers.
class ArcLayout {
 public:
  /// A rectangle; nodes with fewer ports leave theirs empty.
  constexpr ArcLayout(std::uint64_t nodes, std::uint64_t ports) noexcept
      : nodes_(nodes), ports_(ports) {}
  /// Node by node: the arcs of u begin at first[u]. nodes + 1 entries, which outlive this.
  constexpr ArcLayout(std::uint64_t nodes, std::uint64_t ports, const std::uint64_t* first) noexcept
      : nodes_(nodes), ports_(ports), first_(first) {}

  /// Whether a rectangle would leave more than half of its places empty.
  [[nodiscard]] static constexpr bool is_better_listed(std::uint64_t nodes, std::uint64_t ports,
                                                       std::uint64_t arcs) noexcept {
    return nodes * ports > 2 * arcs;
  }

  [[nodiscard]] constexpr std::uint64_t nodes() const noexcept { return nodes_; }
  [[nodiscard]] constexpr std::uint64_t ports() const noexcept { return ports_; }
  /// Numbers run below it.
  [[nodiscard]] constexpr std::uint64_t size() const noexcept {
    return first_ == nullptr ? nodes_ * ports_ : first_[nodes_];
  }
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t index(NodeId u, Port p) const noexcept {
    if (first_ == nullptr) [[likely]]
      return lockstep::index(p) * nodes_ + lockstep::index(u);
    return first_[lockstep::index(u)] + lockstep::index(p);
  }
  [[nodiscard]] constexpr bool is_rectangle() const noexcept { return first_ == nullptr; }
  /// Tells the compiler that it is, for loops over nodes. Precondition: is_rectangle().
  [[gnu::always_inline]] constexpr void assume_rectangle() const noexcept {
    if (first_ != nullptr) __builtin_unreachable();
  }

 private:
  std::uint64_t nodes_;
  std::uint64_t ports_;
  const std::uint64_t* first_ = nullptr;
};

template <Topology T>
[[nodiscard]] ArcLayout arc_layout(const T& network) {
  if constexpr (requires { network.arc_layout(); })
    return network.arc_layout();
  else
    return {network.node_count(), network.max_degree()};
}

}  // namespace lockstep
