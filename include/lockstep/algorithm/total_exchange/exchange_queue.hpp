// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The queue of one processor in a single-port total exchange on a Cayley graph, and the schedule
/// that comes of it. Part of node_invariant_exchange.hpp, which says what the disciplines mean.

#include <cstdint>

#include "lockstep/program/node_invariant_schedule.hpp"
#include "lockstep/program/queue_discipline.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/relative_routes.hpp"

namespace lockstep::exchange_queue {

/// Blocks that a processor needs memory for: those of others that wait, its own when they leave.
/// O(status log nodes).
[[nodiscard]] std::uint32_t slots(const RelativeRoutes& routes, QueueDiscipline discipline);

/// Every step is one send; status() steps. O(status log nodes).
[[nodiscard]] NodeInvariantSchedule schedule(const AnyCayley& group, const RelativeRoutes& routes,
                                             QueueDiscipline discipline);

}  // namespace lockstep::exchange_queue
