// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The largest queue of a total exchange by a schedule.
///
/// Counted from the list of actions that the run carried out - of the nodes of a class one count
/// answers for all - and not by whoever wrote that list: loads, receptions, deliveries and sends
/// are followed slot by slot. It is counted after the run, so that the steps pay nothing for it.
///
///     largest_queue(schedule, 4) == QueueFigures{.blocks = 4, .foreign = 2};

#include <cstdint>

#include "lockstep/program/detail/queue_figures.hpp"
#include "lockstep/program/schedule.hpp"

namespace lockstep {

/// `own_blocks`: what waits in every processor before the first step. O(actions).
[[nodiscard]] QueueFigures largest_queue(const Schedule& schedule, std::uint64_t own_blocks);

}  // namespace lockstep
