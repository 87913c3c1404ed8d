// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/schedule_machines.hpp"

namespace lockstep {

template class Machine<Network, TurnTakingProgram, SlotChannels>;
template class Machine<Network, TurnTakingProgram, SpscChannels>;
template class Machine<Network, TurnTakingProgram, MailboxChannels>;

}  // namespace lockstep
