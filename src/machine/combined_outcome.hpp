// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The outcomes of a pass, and of a run, in all processes that share it.

#include <vector>

#include "lockstep/machine/detail/task_outcome.hpp"
#include "lockstep/machine/detail/wire.hpp"
#include "lockstep/machine/processes.hpp"

namespace lockstep::detail {

void put_outcome(WireWriter& out, const TaskOutcome& own);
/// Adds the outcome of one of `processes` processes.
void add_outcome(WireReader& in, std::size_t processes, TaskOutcome& total);

/// The sum over the processes.
[[nodiscard]] DeliveryTally combined(Processes& processes, const DeliveryTally& own);

/// The longest queues of all processes, level by level.
[[nodiscard]] std::vector<LevelQueues> combined(Processes& processes,
                                                const std::vector<LevelQueues>& own);

}  // namespace lockstep::detail
