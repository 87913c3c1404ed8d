// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Algorithms as data (design, section 7): what is said of them, and a planner that lists their
/// transfers. Cost, memory and program follow from the plan. An algorithm is one source without a
/// header; planned_algorithms.hpp names it, and the catalogue has a line for it.
///
///     const PlannedAlgorithm bruck_gather = {
///         .info = {.name = "bruck", .operation = Operation::all_gather, ...},
///         .networks = shapes::complete,
///         .plan = [](const PlanRequest& asked) { Transfers plan = ..; return plan; }};

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "algorithm/planned_transfers.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/network_shapes.hpp"
#include "program/plan/transfers.hpp"

namespace lockstep {

/// What a plan is made for.
struct PlanRequest {
  const ErasedTopology& network;
  NodeId root{};            ///< of operations that have one
  Pattern pattern{};        ///< of a many-to-all
  std::uint32_t parts = 1;  ///< of a block, where the algorithm leaves their number open
  Settings settings{};      ///< of the algorithm's own parameters
};

/// A plan that is made only when more than its cost is asked.
struct Announcement {
  Cost cost;
  std::function<Transfers()> plan;
};

/// Who says into how many parts blocks are cut.
enum class Parts : std::uint8_t {
  by_plan,  ///< the planner; most often into one
  open      ///< the user by --parts; otherwise the number of the least predicted time is taken
};

struct PlannedAlgorithm {
  /// Its parameters are those that only this algorithm has; root and parts follow from the
  /// operation and from `parts`.
  AlgorithmInfo info;
  SupportedNetworks networks = shapes::any_network;
  /// Throws InvalidParameter where there is no plan.
  std::function<Transfers(const PlanRequest& asked)> plan{};
  /// Instead of `plan`, where something is computed first from which the cost is known.
  std::function<Announcement(const PlanRequest& asked)> announce{};
  Parts parts = Parts::by_plan;
  /// The cost where it is known in a moment, so that networks too large for a plan are ranked, too.
  /// Empty: it is counted, or announced.
  std::function<Cost(const ErasedTopology& network)> cost{};
  /// The plan is of one class of nodes: it lists the blocks of one node, so that planning takes
  /// little time and memory.
  bool one_class = false;
};

/// The same in reverse time and direction: a reduce of a broadcast, a gather of a scatter, a
/// reduce-scatter of an all-gather, a scatter of a gather.
[[nodiscard]] PlannedAlgorithm mirrored(const PlannedAlgorithm& algorithm);
/// The all-reduce that is a reduce-scatter, the mirror of this all-gather, of one part of every
/// block per processor, and then the all-gather of the sums.
[[nodiscard]] PlannedAlgorithm scattered_reduction(const PlannedAlgorithm& all_gather);

/// The all-reduce, or the scan, in which every node adds what this all-gather brings it: for short
/// blocks.
[[nodiscard]] PlannedAlgorithm gathered_reduction(const PlannedAlgorithm& all_gather,
                                                  Operation operation, std::string_view name);
/// The gather in which blocks go the way to the root that they go in this all-gather.
[[nodiscard]] PlannedAlgorithm collected(const PlannedAlgorithm& all_gather);
/// The many-to-all that is this all-gather of the blocks that each processor makes.
[[nodiscard]] PlannedAlgorithm with_any_makers(const PlannedAlgorithm& all_gather);

/// The scan of a block in a part for each processor, by this total exchange there and back: for
/// long blocks.
[[nodiscard]] PlannedAlgorithm exchanged_scan(const PlannedAlgorithm& total_exchange,
                                              std::string_view name);
/// The broadcast of a block in a part for each processor: this scatter, then this all-gather, which
/// leaves out what a node has already (van de Geijn).
[[nodiscard]] PlannedAlgorithm scattered_broadcast(const PlannedAlgorithm& scatter,
                                                   const PlannedAlgorithm& all_gather,
                                                   std::string_view name);

[[nodiscard]] std::span<const Parameter> parameters_of(const PlannedAlgorithm& algorithm);

/// The algorithm for one network. `pattern`: of a many-to-all, as far as it is known beforehand.
/// Throws InvalidParameter where there is no plan.
[[nodiscard]] std::shared_ptr<const PlannedTransfers> planned_for(const PlannedAlgorithm& algorithm,
                                                                  const ErasedTopology& network,
                                                                  const Settings& settings,
                                                                  const Pattern& pattern = {});

}  // namespace lockstep
