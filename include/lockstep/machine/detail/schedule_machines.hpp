// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The machines that run schedules on tabulated networks: compiled in the library, once. The
/// schedules of one class are the one type of the library that every kind of channel carries, so
/// that all of them can be compared; those of several classes have the fastest.

#include "lockstep/machine/groups.hpp"
#include "lockstep/machine/machine.hpp"
#include "lockstep/machine/spsc_channels.hpp"
#include "lockstep/program/class_schedule.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep {

extern template class Machine<Network, NodeInvariantProgram, SlotChannels>;
extern template class Machine<Network, NodeInvariantProgram, SpscChannels>;
extern template class Machine<Network, NodeInvariantProgram, MailboxChannels>;
extern template class Machine<Network, ClassScheduleProgram, SlotChannels>;

}  // namespace lockstep
