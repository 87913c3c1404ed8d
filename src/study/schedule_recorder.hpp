// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Writes down what every node of a run does, as a schedule that repeats it
/// (program/schedule.hpp).
///
/// The rules are followed step by step without payload: blocks are numbers of slots, only labels
/// and control words have contents. Nothing is judged: the run has succeeded on a machine.

#include "lockstep/catalog/catalog.hpp"
#include "program/schedule_file.hpp"

namespace lockstep::study {

/// Any run as a schedule file (program/schedule_file.hpp), for `run --save-schedule`.
///
/// Throws InvalidParameter where the run is too large to be written down.
void check_saved_schedule(const RunPlan& run);

/// `record`: of the run, carried out. Throws InvalidParameter where what it does depends on the
/// bytes of blocks, or no schedule can express it.
[[nodiscard]] ScheduleFile saved_schedule(const RunRequest& request, PreparedRun& run,
                                          const RunRecord& record);

}  // namespace lockstep::study
