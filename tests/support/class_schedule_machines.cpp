// SPDX-License-Identifier: Apache-2.0
#include "support/class_schedule_machines.hpp"

namespace lockstep {

template class Machine<Network, ClassScheduleProgram, SpscChannels>;
template class Machine<Network, ClassScheduleProgram, MailboxChannels>;

}  // namespace lockstep
