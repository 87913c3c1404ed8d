// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The machines that run schedules on tabulated networks: compiled in the library, once. The
/// schedules of one class are the one type of the library that every kind of channel carries, so
/// that all of them can be compared; those of several classes have the fastest.

#include "lockstep/machine/groups.hpp"
#include "lockstep/machine/machine.hpp"
#include "lockstep/machine/spsc_channels.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep {

extern template class Machine<Network, GroupedScheduleProgram, SlotChannels>;
extern template class Machine<Network, GroupedScheduleProgram, SpscChannels>;
extern template class Machine<Network, GroupedScheduleProgram, MailboxChannels>;
extern template class Machine<Network, ScheduleProgram, SlotChannels>;

}  // namespace lockstep
