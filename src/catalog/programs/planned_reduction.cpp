// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/reduce/planned_reduction.hpp"

#include "catalog/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const ErasedTopology&, PlannedReduction::Program);

}  // namespace lockstep::catalog
