// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Programs given as tables, and random ones (src/reference), with the machines that run them.

#include "reference/random_networks.hpp"
#include "reference/random_schedule.hpp"
#include "reference/random_script.hpp"
#include "reference/scripted_program.hpp"
#include "reference/single_reception_script.hpp"
#include "study/stress_machines.hpp"

namespace lockstep::test {

using reference::OneByOne;
using reference::random_schedule;
using reference::random_script;
using reference::random_single_reception;
using reference::Reading;
using reference::Reads;
using reference::renumbered;
using reference::ScheduleChances;
using reference::Script;
using reference::ScriptChances;
using reference::ScriptedProgram;
using reference::ScriptedSend;
using reference::ScriptedTurn;
using reference::SingleReceptionChances;
using reference::SingleReceptionScript;
using reference::SingleReceptionTurn;
using reference::some_networks;

}  // namespace lockstep::test
