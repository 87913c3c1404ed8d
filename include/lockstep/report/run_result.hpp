// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Facts about a run before it starts and after it ends: plain data, produced by the catalogue and
/// by run(), used by reports.
///
/// Preparation has four stages with one type each: the request (RunRequest), the choice, the plan
/// and the forecast. Each type holds the earlier stages and nothing of the later ones. Functions
/// name the stage they need by its type.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/cost.hpp"
#include "lockstep/program/detail/queue_figures.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/work.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/verify/detail/verdict.hpp"
#include "lockstep/verify/judgement.hpp"
#include "lockstep/verify/lower_bounds.hpp"

namespace lockstep {

/// How a request is executed: network, algorithm, settings, channels and
/// executor.
struct RunChoice {
  std::string topology{};
  ErasedTopology network{};  ///< for names of nodes; none: nodes are reported by their numbers
  std::uint64_t nodes = 0;
  std::uint64_t processors = 0;
  std::optional<std::uint64_t> links{};  ///< empty: 2^64 or more
  std::size_t degree = 0;
  std::optional<std::size_t>
      diameter{};  ///< closed form or breadth-first search; empty if too large
  AlgorithmInfo algorithm{};
  Settings settings{};   ///< all parameters of the algorithm, including defaults
  std::string picked{};  ///< explains the selection, if the request left one
  /// With the pattern that its settings say; that of an odd-distance exchange, which is a property
  /// of the network, Collective::on() adds.
  Collective collective{};
  PortModel model{};
  std::size_t block_bytes = 0;
  std::size_t label_bytes = 0;  ///< envelope bytes of a block
  std::string_view reads{};     ///< what the program reads of messages; empty: blind
  std::uint64_t seed = 0;
  ChannelKind channel{};
  bool receive_once = false;  ///< memory and channel in one, on the formula of the network
  VerifyKind verify{};
  /// How the machine runs the nodes: "groups" of nodes that make the same moves ("groups,
  /// permutations" if they compose permutations), the "active" nodes of a sparse step, "routes" of
  /// a wormhole machine, or all "nodes" one by one.
  std::string_view loop = "nodes";
  std::string executor{};
  std::size_t workers = 0;
  std::size_t processes = 1;              ///< that share the run
  std::uint64_t processors_per_task = 0;  ///< 0: an equal share for each worker
  std::size_t workers_per_step = 0;       ///< workers that share a step; 0: not known
  std::uint64_t available_bytes = 0;      ///< what the host (or the request) allows

  /// Excluding messages to self; results of reductions.
  [[nodiscard]] std::uint64_t expected_messages() const {
    return collective.deliveries(processors);
  }
};

/// Facts that the schedule or program states about itself: its algorithm keeps it for the run.
struct RunPlan : RunChoice {
  Footprint footprint{};
  bool steps_known = true;  ///< false for user programs that do not declare them

  /// The machine's block is a part of a user's block if this is not 1.
  [[nodiscard]] std::uint64_t parts_per_block() const noexcept { return footprint.parts_per_block; }
  /// Converts a count of the machine to blocks of the user.
  [[nodiscard]] Fraction in_blocks(std::uint64_t parts) const { return {parts, parts_per_block()}; }
  [[nodiscard]] std::size_t part_bytes() const noexcept {
    return bytes_of_part(block_bytes, parts_per_block());
  }
  /// The cost that a run is charged: rankings and modelled times use it, and nothing else.
  [[nodiscard]] Cost charged(const Cost& cost, std::uint64_t steps) const {
    return algorithm.charged(cost, steps, block_bytes, parts_per_block());
  }
  /// Parts that are delivered together: 1 where each has an origin's number and counts as a
  /// message.
  [[nodiscard]] std::uint64_t parts_per_message() const noexcept {
    return parts_per_block() / collective.pattern.parts_per_block();
  }
  [[nodiscard]] std::size_t message_bytes() const noexcept {
    return bytes_of_part(block_bytes, collective.pattern.parts_per_block());
  }
};

/// Predicted resources and cost of a run of the plan.
struct RunForecast : RunPlan {
  std::optional<Cost> predicted{};
  std::optional<LowerBound> lower_bound{};
  bool measures_queues = false;    ///< of switches; where that takes little memory
  std::uint64_t memory_bytes = 0;  ///< network, plan, machine and ledger
  std::uint64_t steps_bytes = 0;   ///< what the steps use of it: not the process, not planning
  double rough_seconds = 0;        ///< by typical rates; PreparedRun::probe() measures
  ExpectedStep step{};             ///< by the same rates

  /// The predicted cost that the time charges.
  [[nodiscard]] std::optional<Cost> predicted_charge() const;
  [[nodiscard]] bool fits() const noexcept { return memory_bytes <= available_bytes; }
};

/// The time a run will take, from the real run's set-up and first steps.
struct Probe {
  double setup_seconds = 0;
  double step_seconds = 0;       ///< wall time of the trial's steps
  std::uint64_t steps = 0;       ///< steps of the trial
  double estimated_seconds = 0;  ///< of set-up and all steps
};

/// The messages between the processes that will share a run.
struct CrossingForecast {
  /// They are counted from the plan, counted in the first steps of a run, or estimated: from random
  /// paths of a broadcast, or as if all links carried equally much.
  enum class Source : std::uint8_t { plan, trial, paths, links };
  Source source = Source::links;
  std::uint64_t tried_steps = 0;  ///< of the trial
  double messages = 0;            ///< share of all messages over links
  double bytes = 0;               ///< share of all bytes
  std::uint64_t exchanges = 0;    ///< in which every process sends to every other process
  // Summed over steps, of the process that sends or receives the most in the step.
  std::uint64_t most_messages = 0;
  std::uint64_t most_bytes = 0;  ///< with headers
};
[[nodiscard]] constexpr std::string_view name_of(CrossingForecast::Source source) noexcept {
  constexpr std::array<std::string_view, 4> names{"plan", "trial", "paths", "links"};
  return names.at(static_cast<std::size_t>(source));
}

/// A connection of processes: each sends and receives one message at a time.
struct ProcessLink {
  double latency_seconds = 0;  ///< of a message
  double bytes_per_second = 0;
};

/// The time of a run that processes share, each on a host like this one.
struct SharedRunForecast {
  ProcessLink link{};
  CrossingForecast crossing{};
  double compute_seconds = 0;  ///< set-up and steps of the process with the most nodes
  double exchange_seconds = 0;
  [[nodiscard]] double seconds() const noexcept { return compute_seconds + exchange_seconds; }
};

struct RunResult {
  RunForecast forecast;
  RunRecord record;
  Cost cost{};  ///< that of the record, in blocks of the user
  Judgement judgement{};
  std::vector<MissingPair> missing{};  ///< all of them, only where a fault was injected
  std::vector<std::byte> output{};     ///< what arrived, where the bytes are the user's own
  /// Peak memory of the process during the run, from the kernel; empty if unknown.
  std::optional<std::uint64_t> peak_bytes{};
  double setup_seconds = 0;  ///< network, plan and memory
  /// For total exchanges that send block by block; empty otherwise, and if the run failed.
  std::optional<QueueFigures> largest_queue{};
  /// "FILE:14" for each violation of a user's plan: the line of the action; empty otherwise.
  std::vector<std::string> plan_places{};
  /// The same for the first use of a message that had not arrived.
  std::string unmet_place{};

  [[nodiscard]] bool ok() const noexcept { return judgement.ok(); }
};

}  // namespace lockstep
