// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Routes made into a timetable: blocks are jobs, ports are machines, every hop is a unit of work,
/// and an edge colouring says which of them are done in which step. Part of
/// edge_colouring_exchange.hpp.

#include <cstdint>

#include "lockstep/algorithm/total_exchange/balanced_routes.hpp"
#include "lockstep/program/node_invariant_schedule.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {

/// Steps of coloured_schedule().
[[nodiscard]] std::uint64_t coloured_steps(const BalancedRoutes& routes);

/// A total exchange: in every step each machine has at most one block to send, and each block is
/// sent at most once.
[[nodiscard]] NodeInvariantSchedule coloured_schedule(const AnyCayley& group,
                                                      const BalancedRoutes& routes);

}  // namespace lockstep
