// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/broadcast/planned_broadcast.hpp"

#include "catalog/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const ErasedTopology&, PlannedBroadcast::Program);

}  // namespace lockstep::catalog
