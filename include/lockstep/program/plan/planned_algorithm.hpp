// SPDX-License-Identifier: Apache-2.0
#pragma once

/// An algorithm as data: what is said of it, the networks that it supports, and a planner that
/// lists its transfers. Cost, memory and program follow from the plan.
///
///     const PlannedAlgorithm bruck_gather = {
///         .info = {.name = "bruck", .operation = Operation::all_gather, ...},
///         .networks = shapes::complete,
///         .plan = [](const PlanRequest& asked) { Transfers plan = ..; return plan; }};
///
/// register_algorithm() (catalog/register_planned_algorithm.hpp) adds one of your own to the
/// catalogue.

#include <cstdint>
#include <functional>
#include <optional>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {

/// The request that a plan is made for.
struct PlanRequest {
  const ErasedTopology& network;
  NodeId root{};            ///< a processor; of operations that have one, such as broadcast
  Pattern pattern{};        ///< of a many-to-all
  std::uint32_t parts = 1;  ///< of a block, where the algorithm leaves their number open
  Settings settings{};      ///< of the algorithm's own parameters
};

/// A plan that is made only when more than its cost is asked.
struct Announcement {
  Cost cost;
  std::function<Transfers()> plan;
};

/// A schedule by nodes that a planner writes without a list of transfers.
struct PlannedSchedule {
  Schedule schedule;
  std::uint64_t planning_bytes = 0;  ///< memory held beside the schedule while it was written
  std::optional<Cost> cost{};        ///< by a closed form; empty: cost and hops are counted
  std::uint64_t hops = 0;
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
  /// Lists the transfers of all nodes, or of one node of each class. The same plan for the same
  /// request. Throws InvalidParameter where there is no plan.
  std::function<Transfers(const PlanRequest& asked)> plan{};
  /// Instead of `plan`, where something is computed first from which the cost is known.
  std::function<Announcement(const PlanRequest& asked)> announce{};
  /// Instead of `plan`, where there are too many transfers to list them. Blocks are whole.
  std::function<PlannedSchedule(const PlanRequest& asked)> schedule{};
  /// In its schedule no node receives twice, and each stores what it receives: a run takes less
  /// memory.
  bool receives_once = false;
  Parts parts = Parts::by_plan;
  /// The cost where it is computed in a moment, but not by formulas. Empty: it is counted, or
  /// announced.
  std::function<Cost(const ErasedTopology& network)> cost{};
  /// The plan is of one class of nodes: it lists the blocks of one node, so that planning takes
  /// little time and memory. If its cost has formulas, networks too large for a plan are ranked,
  /// too.
  bool one_class = false;
  /// The settings that `compare` runs, where some words of a parameter are run on request only.
  std::optional<Variants> variants{};
};

}  // namespace lockstep
