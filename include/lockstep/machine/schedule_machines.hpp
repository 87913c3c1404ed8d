// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The machines that run schedules on tabulated networks: compiled in the library, once.

#include "lockstep/machine/machine.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/program/turn_taking.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep {

extern template class Machine<Network, NodeInvariantProgram, SlotChannels>;
extern template class Machine<Network, NodeInvariantProgram, SpscChannels>;
extern template class Machine<Network, NodeInvariantProgram, MailboxChannels>;
extern template class Machine<Network, TurnTakingProgram, SlotChannels>;
extern template class Machine<Network, TurnTakingProgram, SpscChannels>;
extern template class Machine<Network, TurnTakingProgram, MailboxChannels>;

}  // namespace lockstep
