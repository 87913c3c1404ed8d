// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Writes down what every node of a run does, as a schedule that repeats it
/// (program/schedule.hpp).
///
/// The rules are followed step by step without payload: blocks are numbers of slots, only labels
/// and control words have contents. Nothing is judged: the run has succeeded on a machine.

#include <cstdint>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/network.hpp"
#include "program/schedule_file.hpp"

namespace lockstep::study {

/// `steps`: of the run. `parts_as_origins`: a block of the program becomes as many consecutive
/// ones, each of an origin of its own; 1: what blocks there are, stays. Throws InvalidParameter
/// where the program looks at the bytes of blocks, and where it uses messages in a way that a
/// schedule cannot express.
[[nodiscard]] Schedule recorded_schedule(const Network& network, const ErasedProgram& program,
                                         std::uint64_t steps, std::uint64_t parts_as_origins = 1);

/// Any run as a schedule file (program/schedule_file.hpp), for `run --save-schedule`.
///
/// Throws InvalidParameter where the run is too large to be written down.
void check_saved_schedule(const RunPlan& run);

/// `record`: of the run, carried out. Throws InvalidParameter where what it does depends on the
/// bytes of blocks, or no schedule can express it.
[[nodiscard]] ScheduleFile saved_schedule(const RunRequest& request, PreparedRun& run,
                                          const RunRecord& record);

}  // namespace lockstep::study
