// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Writes down what every node of a run does, as a schedule that repeats it
/// (program/schedule.hpp).
///
/// The rules are followed step by step without payload: blocks are numbers of slots, only labels
/// and control words have contents. Nothing is judged: the run has succeeded on a machine.

#include <cstdint>

#include "lockstep/program/erased_program.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep::study {

/// `steps`: of the run. Throws InvalidParameter where the program looks at the bytes of blocks, and
/// where it uses messages in a way that a schedule cannot express.
[[nodiscard]] Schedule recorded_schedule(const Network& network, const ErasedProgram& program,
                                         std::uint64_t steps);

}  // namespace lockstep::study
