// SPDX-License-Identifier: Apache-2.0
#include "lockstep/catalog/detail/program_of.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const ErasedTopology&, ScheduleProgram);
template std::unique_ptr<AnyProgram> any_program(const ErasedTopology&, RoutedScheduleProgram);
template std::unique_ptr<AnyProgram> any_program(const ErasedTopology&, ReceiveOnceScheduleProgram);

}  // namespace lockstep::catalog
