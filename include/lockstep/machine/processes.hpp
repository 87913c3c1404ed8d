// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Processes: the operating system's processes that share one run. Each of them owns a contiguous
/// range of the nodes, and runs it with its own workers on its own memory. Messages that leave the
/// range are exchanged once per step, and this exchange is the barrier of the step. Steps that are
/// known to stay in the ranges share one. Every process ends up with the record of the whole run.
///
///     const NodeRange own = nodes_of(processes, network.node_count());

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"

namespace lockstep {

/// The nodes first..last - 1.
struct NodeRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  [[nodiscard, gnu::always_inline]] constexpr bool holds(NodeId node) const noexcept {
    return index(node) - first < last - first;
  }
};

/// Called by one thread at a time, and by all processes the same number of times.
class Processes {
 public:
  using Bytes = std::vector<std::byte>;

  Processes() = default;
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  virtual ~Processes() = default;

  [[nodiscard]] virtual std::size_t count() const noexcept = 0;
  /// The number of this process, below count().
  [[nodiscard]] virtual std::size_t rank() const noexcept = 0;
  /// Sends out[p] to every other process p, and puts what p sent to this process into in[p]. Both
  /// have count() entries; those of the process itself are not used.
  virtual void exchange(const std::vector<Bytes>& out, std::vector<Bytes>& in) = 0;
};

/// The nodes that process `rank` of `count` owns. Sizes differ by one node at most.
[[nodiscard]] NodeRange nodes_of(std::size_t rank, std::size_t count, std::uint64_t nodes) noexcept;
[[nodiscard]] inline NodeRange nodes_of(const Processes& processes, std::uint64_t nodes) noexcept {
  return nodes_of(processes.rank(), processes.count(), nodes);
}
/// The process that owns the node.
[[nodiscard]] std::size_t process_of(NodeId node, std::size_t count, std::uint64_t nodes) noexcept;

namespace detail {
/// Throws InvalidParameter where a process would own no node.
void check_processes(std::size_t count, std::uint64_t nodes);
}  // namespace detail

}  // namespace lockstep
