// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The machines of schedules by class that the library has no use for: compiled once, for all
/// tests.

#include "lockstep/machine/detail/schedule_machines.hpp"

namespace lockstep {

extern template class Machine<Network, ClassScheduleProgram, SpscChannels>;
extern template class Machine<Network, ClassScheduleProgram, MailboxChannels>;

}  // namespace lockstep
