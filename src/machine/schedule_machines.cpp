// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/schedule_machines.hpp"

namespace lockstep {

template class Machine<Network, ClassScheduleProgram, SlotChannels>;

template class Machine<Network, NodeInvariantProgram, SlotChannels>;
template class Machine<Network, NodeInvariantProgram, SpscChannels>;
template class Machine<Network, NodeInvariantProgram, MailboxChannels>;

}  // namespace lockstep
