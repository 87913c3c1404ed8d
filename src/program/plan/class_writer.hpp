// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Writes the schedule of a plan of few classes of nodes: each class makes the same moves, with
/// addresses relative to the node that acts.

#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "program/plan/plan_memory.hpp"

namespace lockstep {

/// `memory`: that of the plan. Sums: of one class only, of a reduce-scatter in whole blocks.
[[nodiscard]] Schedule written_by_class(const Transfers& plan, const AnyCayley& group,
                                        const PlanMemory& memory);

}  // namespace lockstep
