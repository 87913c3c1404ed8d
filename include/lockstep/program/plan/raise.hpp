// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Raises a schedule to the plan of transfers that it carries out, the reverse of lower(). Any run
/// can be written down as a schedule (`run --save-schedule`).
///
///     const Transfers plan = raised(schedule, network, Operation::all_gather);
///     lower(plan, network, Operation::all_gather).cost;   // that of the schedule

#include <cstdint>

#include "lockstep/collective/collective.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Every node is a class. A block is what its node loaded: of broadcast and all-gather, it is for
/// everyone. Sums of reductions keep the places of the schedule: an auxiliary sum for each slot and
/// for each block of a message, and additions for what nodes do with them, so that a lowered plan
/// of sums is raised to another one of the same messages.
///
/// `parts`: of a block, which a load fills and a delivery takes from consecutive slots.
///
/// Throws InvalidParameter where the schedule is no plan: routes over several links, control words,
/// blocks of other homes than their makers, slots that hold nothing, a block that reaches a node
/// twice or leaves for one destination and stays, and blocks that are no whole contributions.
/// O(blocks sent log).
[[nodiscard]] Transfers raised(const Schedule& schedule, const ErasedTopology& network,
                               Operation operation, std::uint32_t parts = 1);

}  // namespace lockstep
