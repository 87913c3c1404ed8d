// SPDX-License-Identifier: Apache-2.0
#pragma once

/// RunRecord: the facts of a run, plain data. The waist of the design: the machine writes it,
/// everything to its right (verify, cost, report) reads it and nothing else.
///
/// The machine counts everything at each send and reception; nothing comes from a formula. All
/// values except the seconds are equal for any number of workers, task size, channel and executor.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/violation.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/program/work.hpp"

namespace lockstep {

/// The moves in one step. Processors and switches are counted apart.
struct StepRecord {
  std::uint64_t step = 0;
  std::uint64_t senders = 0;    ///< processors that sent
  std::uint64_t receivers = 0;  ///< processors that received
  std::uint64_t active = 0;     ///< processors that sent or received
  std::uint64_t messages = 0;   ///< messages that crossed a link, or a route of links
  std::uint64_t hops = 0;       ///< links that they crossed: more with wormhole switching
  std::uint64_t blocks = 0;     ///< blocks in them
  std::uint64_t largest_message_blocks = 0;
  std::uint64_t control_words = 0;          ///< in messages of words, which have no blocks
  std::uint64_t largest_control_words = 0;  ///< of one message
  std::uint64_t ports_used = 0;  ///< bit p: some processor sent through port p (63: 63 or higher)
  std::uint64_t switch_senders = 0;    ///< switches that sent
  std::uint64_t switch_receivers = 0;  ///< switches that received
  std::uint64_t switches_active = 0;   ///< switches that sent or received
  /// Wall time of the work of this step, wherever the machine does it: loading and sending in one
  /// pass; taking, copying and verifying in the next one. The steps of a run add up to
  /// WallTimes::step_seconds. Not part of the comparison.
  double seconds = 0;
  double verify_seconds = 0;  ///< part of it: checking delivered bytes (mean over workers)

  friend bool operator==(const StepRecord& a, const StepRecord& b) noexcept;
};

/// Queueing delay: blocks in transit that left later than in the step after their arrival. Measured
/// only with MachineOptions::watch_waits.
struct WaitRecord {
  bool watched = false;
  std::uint64_t blocks = 0;         ///< blocks that had waited when they left
  std::uint64_t longest_steps = 0;  ///< longest wait
  std::uint64_t first_step = 0;     ///< step in which the first delayed block left, and its node
  NodeId first_node{};

  friend bool operator==(const WaitRecord&, const WaitRecord&) = default;
};

/// Longest queues of the switches of one level, in blocks, at the end of a step including its
/// arrivals (machine/detail/queue_ledger.hpp).
struct LevelQueues {
  std::uint64_t level = 0;
  std::uint64_t held = 0;        ///< blocks that a switch still has to send at least once
  std::uint64_t wait_up = 0;     ///< blocks for a link up that cannot leave in the next step
  std::uint64_t wait_down = 0;   ///< the same for a link down
  std::uint64_t per_branch = 0;  ///< held blocks that came over one link, all its lanes

  friend bool operator==(const LevelQueues&, const LevelQueues&) = default;
};

/// Wall-clock seconds; statistics, never facts.
struct WallTimes {
  /// The machine's memory taken and poisoned.
  double setup_seconds = 0;
  double step_seconds = 0;  ///< the step loop, verification included
  double verify_seconds =
      0;  ///< of the step loop, spent checking delivered bytes (mean over workers)
  std::uint64_t barriers = 0;       ///< at which several tasks waited for each other
  std::uint64_t longest_turns = 0;  ///< MachineWork::turns of the longest task, over all passes
};

/// The counts of one phase (program/phases.hpp), with the names of RunRecord.
struct PhaseRecord {
  std::string name;
  std::uint64_t first_step = 0;
  std::uint64_t steps = 0;  ///< 0 where the run ended before it
  std::uint64_t startups = 0;
  std::uint64_t message_times = 0;
  std::uint64_t control_words = 0;
  std::uint64_t largest_message_blocks = 0;
  std::uint64_t messages_sent = 0;
  std::uint64_t hops = 0;
  std::uint64_t blocks_moved = 0;
  double seconds = 0;  ///< wall time; not part of the comparison

  friend bool operator==(const PhaseRecord& a, const PhaseRecord& b) noexcept;
};

/// A store, combination or delivery of a message that had not arrived, or that has another length.
struct UnmetUse {
  std::uint64_t step = 0;
  NodeId node{};
  std::uint64_t wanted = 0;   ///< blocks that the node used
  std::uint64_t arrived = 0;  ///< blocks of the message; 0: there was none

  friend auto operator<=>(const UnmetUse&, const UnmetUse&) = default;
};
/// "step 2, node 0 uses a message that did not arrive".
[[nodiscard]] std::string text_of(const UnmetUse& use);
/// The same, with the name of the node in networks that have names.
[[nodiscard]] std::string text_of(const UnmetUse& use, const ErasedTopology& network);

struct RunRecord {
  std::uint64_t nodes = 0;
  std::uint64_t processors = 0;
  std::uint64_t block_bytes = 0;

  std::uint64_t steps = 0;          ///< steps run, idle ones included
  std::uint64_t startups = 0;       ///< steps in which anything moved: the coefficient of t_s
  std::uint64_t message_times = 0;  ///< sum of largest messages, in blocks: the coefficient of t_m
  std::uint64_t control_words = 0;  ///< sum of the most in one message: the coefficient of t_w
  std::uint64_t largest_message_blocks = 0;
  std::uint64_t control_words_moved = 0;  ///< control words of these messages
  std::uint64_t envelope_bytes = 0;       ///< labels that moved with their blocks
  std::uint64_t messages_sent = 0;        ///< messages that crossed a link, or a route of links
  std::uint64_t hops = 0;                 ///< links that they crossed
  std::uint64_t blocks_moved = 0;         ///< blocks in them: copied once per message
  std::uint64_t blocks_loaded = 0;        ///< blocks that hosts gave to their processors
  std::uint64_t senders = 0;              ///< processors, sum over the steps
  std::uint64_t receivers = 0;            ///< processors, sum over the steps
  std::uint64_t switch_senders = 0;       ///< sum over the steps
  std::uint64_t switch_receivers = 0;     ///< sum over the steps

  DeliveryTally deliveries{};
  /// Stores and combinations without a message of that length, which leave poison, and deliveries
  /// of blocks of messages that did not arrive.
  std::uint64_t stores_without_message = 0;
  std::optional<UnmetUse> first_unmet{};  ///< of these, the lowest node of the first step
  WaitRecord waits{};
  std::vector<LevelQueues> queues{};  ///< by level of switches, where they were measured
  std::vector<Violation>
      violations{};  ///< of the first step that broke a rule, by node; at most 64
  std::uint64_t violation_count = 0;
  std::uint64_t processes = 1;          ///< that shared the run
  std::uint64_t crossing_messages = 0;  ///< messages between nodes of different processes
  std::uint64_t crossing_bytes = 0;     ///< bytes of their blocks
  bool interrupted = false;       ///< stopped on request or after max_steps, at a step boundary
  bool in_flight_watched = true;  ///< whether Rule::in_flight was looked at

  std::vector<StepRecord> series{};   ///< per step, where asked for
  std::vector<PhaseRecord> phases{};  ///< all that the program names
  MachineWork work{};
  WallTimes wall{};
  /// The memory of the machine, predicted before it was taken.
  std::uint64_t memory_bytes = 0;

  [[nodiscard]] bool legal() const noexcept { return violation_count == 0; }
  [[nodiscard]] std::uint64_t bytes_moved() const noexcept { return blocks_moved * block_bytes; }

  /// Equal facts; wall times do not count.
  [[nodiscard]] bool same_facts(const RunRecord& other) const;
};

}  // namespace lockstep
