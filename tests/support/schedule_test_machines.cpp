// SPDX-License-Identifier: Apache-2.0
#include "support/schedule_test_machines.hpp"

namespace lockstep {

template class Machine<Network, ScheduleProgram, SpscChannels>;
template class Machine<Network, ScheduleProgram, MailboxChannels>;

template class Machine<Network, test::OneByOne<GroupedScheduleProgram>, SlotChannels>;
template class Machine<Network, test::OneByOne<GroupedScheduleProgram>, SpscChannels>;
template class Machine<Network, test::OneByOne<GroupedScheduleProgram>, MailboxChannels>;

template class Machine<Network, test::Rules, SlotChannels>;
template class Machine<Network, test::Rules, SpscChannels>;
template class Machine<Network, test::Rules, MailboxChannels>;

}  // namespace lockstep
