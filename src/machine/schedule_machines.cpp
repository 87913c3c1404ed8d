// SPDX-License-Identifier: Apache-2.0
#include "machine/schedule_machines.hpp"

namespace lockstep {

template class Machine<Network, ScheduleProgram, SlotChannels>;

template class Machine<Network, GroupedScheduleProgram, SlotChannels>;
template class Machine<Network, GroupedScheduleProgram, SpscChannels>;
template class Machine<Network, GroupedScheduleProgram, MailboxChannels>;

}  // namespace lockstep
