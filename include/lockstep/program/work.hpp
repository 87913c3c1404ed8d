// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The work of a run, in counts from which the host model derives times: as the machine counted it,
/// or as a plan asks for it.
///
///     schedule.work().machine.copies     // RunRecord::work.copies, before the run

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

/// The work of the machine beside messages, loads and deliveries. Rows and deliveries by rows
/// depend on the tasks into which nodes are divided; the rest does not.
struct MachineWork {
  std::uint64_t turns = 0;     ///< a node, called in a step
  std::uint64_t copies = 0;    ///< of the blocks of an arrived message
  std::uint64_t copied = 0;    ///< blocks in them
  std::uint64_t combines = 0;  ///< calls of the operator, for consecutive blocks each
  std::uint64_t combined = 0;  ///< blocks in them
  std::uint64_t listed = 0;    ///< slots that were named one by one, by sends and stores
  std::uint64_t searches = 0;  ///< of altered slots among those that neighbours may read
  std::uint64_t rows = 0;      ///< loops over the nodes of a group: one an action, or one a block
  std::uint64_t delivered_rows = 0;  ///< blocks delivered at once by consecutive nodes, one each
  std::uint64_t delivered_runs = 0;  ///< blocks delivered at once by one node

  MachineWork& operator+=(const MachineWork& other) noexcept {
    turns += other.turns;
    copies += other.copies;
    copied += other.copied;
    combines += other.combines;
    combined += other.combined;
    listed += other.listed;
    searches += other.searches;
    rows += other.rows;
    delivered_rows += other.delivered_rows;
    delivered_runs += other.delivered_runs;
    return *this;
  }
  friend bool operator==(const MachineWork&, const MachineWork&) = default;
};

/// The work of a plan, counted before it is carried out: of all nodes, and of messages between
/// neighbours. A part of a block counts as a block, as in RunRecord.
struct PlannedWork {
  std::uint64_t messages = 0;
  std::uint64_t startups = 0;       ///< steps in which anything moves
  std::uint64_t message_times = 0;  ///< blocks in the largest message of each step, summed
  std::uint64_t control_words = 0;  ///< the same for control words
  std::uint64_t blocks_sent = 0;
  std::uint64_t loads = 0;
  std::uint64_t deliveries = 0;
  MachineWork machine{};  ///< without rows
  /// Element i: turns of the part of the nodes that has most of them in a step, over all steps, if
  /// 2^i workers have equal parts. Empty where all nodes act in every step.
  std::vector<std::uint64_t> longest_turns{};

  /// Turns over those of the busiest of so many equal parts of the nodes; 0: not known.
  [[nodiscard]] double parallelism(std::uint64_t parts) const noexcept {
    if (longest_turns.empty() || longest_turns.back() == 0) return 0;
    const auto halvings = static_cast<std::size_t>(std::bit_width(parts - 1));
    return static_cast<double>(machine.turns) /
           static_cast<double>(longest_turns[std::min(halvings, longest_turns.size() - 1)]);
  }
};

/// The expected time of a step, which decides whether workers share it.
struct ExpectedStep {
  double seconds = 0;      ///< on one worker; 0: not known, the number of nodes decides
  double parallelism = 0;  ///< of all workers; 0: not known
};

}  // namespace lockstep
