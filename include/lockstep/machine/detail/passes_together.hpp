// SPDX-License-Identifier: Apache-2.0
#pragma once

/// PassesTogether: passes that a task runs one after the other for a block of its nodes
/// (node_blocks.hpp), before other blocks have run theirs. For programs whose nodes all make the
/// same moves. Internal.
///
/// Passes s and s + 1 need no barrier between them if what is sent in steps s - 1 and s stays in
/// the block. In pass s nobody else then reads the memory of the block, which pass s + 1 alters,
/// and in pass s + 1 the block reads no memory that another one still writes. Messages are rows
/// (detail/channels.hpp), which stay for more steps than run together.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/group_view.hpp"
#include "lockstep/machine/detail/node_blocks.hpp"
#include "lockstep/machine/detail/same_moves.hpp"
#include "lockstep/machine/detail/task_outcome.hpp"
#include "lockstep/machine/machine_options.hpp"

namespace lockstep::detail {

/// Nodes of a group, at most.
inline constexpr std::uint64_t most_group = 512;

template <class Net>
class PassesTogether {
 public:
  /// Tasks get that size, or a better one unless the options give theirs. The network outlives
  /// this.
  PassesTogether(const Net& network, const MachineOptions& options, std::uint64_t task_size)
      : PassesTogether(network, options, task_size, crossing_ports(network)) {}

  [[nodiscard]] std::uint64_t task_size() const noexcept { return task_size_; }
  /// The ends of the groups from that of the node on.
  [[nodiscard]] const std::uint64_t* group_ends(std::uint64_t first) const {
    return blocks_.group_ends(first);
  }
  /// The blocks of a task for the passes that run together now.
  template <class Visit>
  void for_each_block(std::uint64_t first, std::uint64_t last, const Visit& visit) const {
    blocks_.for_each(first, last, ports_, near_nodes_, visit);
  }

  /// The number of passes from that of `step` on that run together, none of step `end` or a later
  /// one. Precondition: the pass of `step` runs in groups.
  template <class Prog>
  [[nodiscard]] std::size_t count(const Prog& program, SameMoves& moves, std::uint64_t step,
                                  std::uint64_t end) {
    std::size_t passes = 1;
    ports_ = 0;
    if (!is_answered(moves, step)) return passes;
    near_nodes_ = near_bytes / (line_bytes + sent_bytes(moves, step));
    std::uint64_t bytes = 0;  // moved by all of them
    std::uint64_t largest = near_nodes_;
    for (std::uint64_t next = step + 1; next < end; ++next, ++passes) {
      moves.look_at(program, next);
      bytes += network_.node_count() * (line_bytes + sent_bytes(moves, next - 1));
      const std::uint64_t ports = ports_ | moves.at(next - 2).ports | moves.at(next - 1).ports;
      const std::uint64_t block = blocks_.largest(ports);
      if (passes == 1 && block <= network_.node_count()) largest = std::max(largest, block);
      if (block > largest || bytes > most_bytes || !moves.at(next).is_lawful ||
          !is_answered(moves, next))
        break;
      ports_ = ports;
    }
    return passes;
  }

 private:
  PassesTogether(const Net& network, const MachineOptions& options, std::uint64_t task_size,
                 std::span<const std::uint64_t> crossing)
      : network_(network),
        model_(options.model),
        block_bytes_(options.block_bytes),
        task_size_(options.processors_per_task != 0
                       ? task_size
                       : NodeBlocks::better_task_size(crossing, task_size)),
        blocks_(crossing, task_size_, nodes_of_group(options.block_bytes)) {}

  static constexpr std::uint64_t line_bytes = 64;
  static constexpr std::uint64_t near_bytes = 1U << 18U;  // that stay in a near cache
  static constexpr std::uint64_t most_bytes = 1U << 30U;  // moved before a run can be interrupted

  /// Fewer where blocks are long, so that those of a group stay in a near cache; enough for rows of
  /// deliveries.
  [[nodiscard]] static std::uint64_t nodes_of_group(std::size_t block_bytes) {
    constexpr std::uint64_t blocks_at_once = 8;
    return std::clamp<std::uint64_t>(
        near_bytes / (line_bytes + blocks_at_once * std::min(block_bytes, near_bytes)),
        2 * DeliveryBatch::least_row, most_group);
  }
  /// By one node.
  [[nodiscard]] std::uint64_t sent_bytes(const SameMoves& moves, std::uint64_t step) const {
    std::uint64_t bytes = 0;
    for (const SameMoves::PortMessage& message : moves.at(step).sends)
      bytes += message.blocks * block_bytes_;
    return bytes;
  }

  /// Says that the pass can break no rule: every message that was sent in the step before is taken,
  /// with its number of blocks, and no node sends or takes more than it may.
  [[nodiscard]] bool is_answered(const SameMoves& moves, std::uint64_t step) const {
    using PortMessage = SameMoves::PortMessage;
    const std::vector<PortMessage>& sends = moves.at(step).sends;
    const std::vector<PortMessage>& takes = moves.at(step).takes;
    const std::vector<PortMessage>& sent = moves.at(step - 1).sends;
    if (sent.size() != takes.size() || takes.size() > model_.receptions ||
        sends.size() > model_.sends)
      return false;
    std::uint64_t ports = 0;
    for (const PortMessage& message : sends) {
      if (index(message.port) >= network_.max_degree()) return false;
      ports |= std::uint64_t{1} << index(message.port);
    }
    if (static_cast<std::size_t>(std::popcount(ports)) != sends.size()) return false;
    return std::ranges::all_of(sent, [&](const PortMessage& message) {
      const auto back = arcs_through(network_, message.port).common_reverse_port();
      return back && std::ranges::count(takes, PortMessage{*back, message.blocks}) == 1;
    });
  }

  const Net& network_;
  PortModel model_;
  std::size_t block_bytes_;
  std::uint64_t task_size_;
  NodeBlocks blocks_;
  std::uint64_t near_nodes_ = 0;  // whose slots stay in a near cache
  std::uint64_t ports_ = 0;       // of messages that stay in blocks
};

}  // namespace lockstep::detail
