// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "lockstep/catalog/detail/program_of.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "machine/schedule_machines.hpp"
#include "program/largest_queue.hpp"

namespace lockstep::catalog {

namespace {

/// Schedules run on tabulated networks only, so their machines keep no other
/// network.
template <class Prog>
[[nodiscard]] std::unique_ptr<ProgramMachines> on_tables(const Prog& program) {
  static const ErasedTopology none;
  return std::make_unique<MachinesOf<ErasedTopology, Prog>>(none, program);
}

}  // namespace

std::unique_ptr<ProgramMachines> machines_of(const GroupedScheduleProgram& program) {
  return on_tables(program);
}
std::unique_ptr<ProgramMachines> machines_of(const ScheduleProgram& program) {
  return on_tables(program);
}

std::optional<QueueFigures> queue_of(const GroupedScheduleProgram& program,
                                     std::uint64_t own_blocks) {
  return largest_queue(program.schedule(), own_blocks);
}
std::optional<QueueFigures> queue_of(const ScheduleProgram& program, std::uint64_t own_blocks) {
  return largest_queue(program.plan(), own_blocks);
}

std::unique_ptr<AnyProgram> any_program(const ErasedTopology& network,
                                        RoutedScheduleProgram program) {
  return any_program<ErasedTopology, RoutedScheduleProgram>(network, std::move(program));
}
std::unique_ptr<AnyProgram> any_program(const ErasedTopology& network,
                                        ReceiveOnceScheduleProgram program) {
  return any_program<ErasedTopology, ReceiveOnceScheduleProgram>(network, std::move(program));
}

}  // namespace lockstep::catalog
