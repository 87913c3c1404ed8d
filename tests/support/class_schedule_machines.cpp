// SPDX-License-Identifier: Apache-2.0
#include "support/class_schedule_machines.hpp"

namespace lockstep {

template class Machine<Network, ClassScheduleProgram, SpscChannels>;
template class Machine<Network, ClassScheduleProgram, MailboxChannels>;

template class Machine<Network, test::OneByOne<NodeInvariantProgram>, SlotChannels>;
template class Machine<Network, test::OneByOne<NodeInvariantProgram>, SpscChannels>;
template class Machine<Network, test::OneByOne<NodeInvariantProgram>, MailboxChannels>;

}  // namespace lockstep
