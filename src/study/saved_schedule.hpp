// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Any run as a schedule file (program/schedule_text.hpp), for `run --save-schedule`.

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/program/schedule_text.hpp"

namespace lockstep::study {

/// Throws InvalidParameter where the run is too large to be written down.
void check_saved_schedule(const RunPlan& run);

/// `record`: of the run, carried out. Throws InvalidParameter where what it does depends on the
/// bytes of blocks, or no schedule can express it.
[[nodiscard]] ScheduleFile saved_schedule(const RunRequest& request, PreparedRun& run,
                                          const RunRecord& record);

}  // namespace lockstep::study
