// SPDX-License-Identifier: Apache-2.0
#include "study/stress_machines.hpp"

namespace lockstep {

template class Machine<Network, study::ScheduleOneByOne, SlotChannels>;
template class Machine<Network, study::ScheduleOneByOne, SpscChannels>;
template class Machine<Network, study::ScheduleOneByOne, MailboxChannels>;
template class ReceiveOnceMachine<Network, reference::ReceiveOnceScript>;

}  // namespace lockstep
