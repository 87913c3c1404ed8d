// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Whether a user's schedule can be carried out: where every block is when it is sent.

#include "lockstep/program/schedule_file.hpp"

namespace lockstep {

/// Fills in what the entries do not say themselves. Throws InvalidParameter with file, line, step.
void apply_schedule_rules(UserSchedule& schedule, const AnyCayley& group);

}  // namespace lockstep
