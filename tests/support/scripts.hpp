// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Programs given as tables, and random ones (src/reference), with the machines that run them.

#include "reference/random_networks.hpp"
#include "reference/random_schedule.hpp"
#include "reference/random_script.hpp"
#include "reference/receive_once_script.hpp"
#include "reference/scripted_program.hpp"
#include "study/stress_machines.hpp"
#include "support/schedule_test_machines.hpp"

namespace lockstep::test {

using reference::random_receive_once;
using reference::random_schedule;
using reference::random_script;
using reference::Reading;
using reference::Reads;
using reference::ReceiveOnceChances;
using reference::ReceiveOnceScript;
using reference::ReceiveOnceTurn;
using reference::renumbered;
using reference::ScheduleChances;
using reference::Script;
using reference::ScriptChances;
using reference::ScriptedProgram;
using reference::ScriptedSend;
using reference::ScriptedTurn;
using reference::some_networks;

}  // namespace lockstep::test
