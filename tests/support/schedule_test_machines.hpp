// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The machines of schedules by class, of schedules whose nodes run one by one and of rules, which
/// the library has no use for: compiled once, for all tests.

#include "machine/schedule_machines.hpp"
#include "support/one_by_one.hpp"
#include "support/rule_program.hpp"

namespace lockstep {

extern template class Machine<Network, ScheduleProgram, SpscChannels>;
extern template class Machine<Network, ScheduleProgram, MailboxChannels>;
extern template class Machine<Network, test::OneByOne<GroupedScheduleProgram>, SlotChannels>;
extern template class Machine<Network, test::OneByOne<GroupedScheduleProgram>, SpscChannels>;
extern template class Machine<Network, test::OneByOne<GroupedScheduleProgram>, MailboxChannels>;
extern template class Machine<Network, test::Rules, SlotChannels>;
extern template class Machine<Network, test::Rules, SpscChannels>;
extern template class Machine<Network, test::Rules, MailboxChannels>;

}  // namespace lockstep
