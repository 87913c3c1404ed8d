// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Adds an algorithm of your own that is a plan to the catalogue. Commands, prepare() and
/// algorithms_for() then know it like a built-in one.
///
///     int main(int argc, char** argv) {
///       lockstep::register_algorithm(
///           {.info = {...}, .networks = shapes::hypercube, .plan = my_plan});
///       return lockstep::lockstep_main(argc, argv);  // my_program compare hypercube:6 broadcast
///     }
///
/// A program that is a class: catalog/register_algorithm.hpp.

#include "lockstep/program/plan/planned_algorithm.hpp"

namespace lockstep {

/// Call it before anything else uses the catalogue. The texts of the algorithm outlive the program.
/// Throws InvalidParameter if the catalogue is in use already, has an algorithm of this name for
/// this operation, or if a name, a summary or the planner is missing. Plans are checked when they
/// are made (program/plan/check_transfers.hpp).
void register_algorithm(PlannedAlgorithm algorithm);

}  // namespace lockstep
