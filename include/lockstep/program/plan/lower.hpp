// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Lowers a plan of transfers to the schedule that carries it out (design, section 3): transfers of
/// one arc and step become a message; a block has a slot from its arrival to its last send; a node
/// loads its own block when it first sends it, and delivers what has arrived for it.
///
///     LoweredPlan lowered = lower(plan, network);
///     lowered.cost.startups;  lowered.schedule;

#include <cstdint>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/program/cost.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

struct LoweredPlan {
  /// With relative addresses where the nodes of a class are translations of each other.
  Schedule schedule;
  Cost cost{};                         ///< counted: the largest message of each step
  std::uint64_t messages = 0;          ///< of all nodes
  std::uint64_t deliveries = 0;        ///< of all nodes
  std::vector<std::uint32_t> slots{};  ///< of a node of each class
};

/// A plan in which a node sends a block that it does not have, or receives a block twice, is an
/// error of the planner. `operation`: of a reduction, whose blocks are sums; of others it does not
/// matter.
[[nodiscard]] LoweredPlan lower(const Transfers& plan, const ErasedTopology& network,
                                Operation operation = Operation::total_exchange);

/// Whether the schedule is by nodes.
[[nodiscard]] bool is_written_by_node(const Transfers& plan, const ErasedTopology& network,
                                      Operation operation);

/// Memory that lowering takes beside the schedule, that of the plan included.
[[nodiscard]] std::uint64_t lowering_bytes(const Transfers& plan) noexcept;

}  // namespace lockstep
