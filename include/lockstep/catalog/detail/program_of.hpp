// SPDX-License-Identifier: Apache-2.0
#pragma once

/// AnyProgram of a program type. The catalogue's machines are instantiated here and nowhere else:
/// in the library, those of a program type that takes long to compile in a file of
/// catalog/programs.

#include <concepts>
#include <memory>
#include <utility>

#include "lockstep/catalog/detail/any_program.hpp"
#include "lockstep/catalog/detail/machines_of.hpp"
#include "lockstep/machine/detail/schedule_machines.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep::catalog {

template <Topology Net, Program Prog>
class ProgramOf final : public AnyProgram {
 public:
  ProgramOf(const Net& network, Prog program) : network_(network), erased_(std::move(program)) {}

  [[nodiscard]] const ProgramMachines& machines() const override { return machines_; }

  [[nodiscard]] std::vector<StepClass> step_classes(std::uint64_t steps) const override {
    return classes_of(program_, steps);
  }

  [[nodiscard]] std::optional<QueueFigures> largest_queue(
      [[maybe_unused]] std::uint64_t own_blocks) const override {
    if constexpr (std::same_as<Prog, NodeInvariantProgram>)
      return lockstep::largest_queue(program_.schedule(), own_blocks);
    else if constexpr (std::same_as<Prog, ClassScheduleProgram>)
      return lockstep::largest_queue(program_.book(), program_.parts(), own_blocks);
    else if constexpr (std::same_as<Prog, ScheduleProgram>)
      return lockstep::largest_queue(program_.plan(), own_blocks);
    else if constexpr (requires { program_.largest_queue(own_blocks); })
      return program_.largest_queue(own_blocks);
    else
      return std::nullopt;
  }

  [[nodiscard]] const ErasedProgram& erased() const override { return erased_; }

 private:
  Net network_;
  ErasedProgramOf<Prog> erased_;
  const Prog& program_ = erased_.program();
  MachinesOf<Net, Prog> machines_{network_, program_};
};

template <Topology Net, Program Prog>
std::unique_ptr<AnyProgram> any_program(const Net& network, Prog program) {
  return std::make_unique<ProgramOf<Net, Prog>>(network, std::move(program));
}

// Compiled in the library.
extern template std::unique_ptr<AnyProgram> any_program(const ErasedTopology&, ScheduleProgram);
extern template std::unique_ptr<AnyProgram> any_program(const ErasedTopology&,
                                                        ReceiveOnceScheduleProgram);
extern template std::unique_ptr<AnyProgram> any_program(const ErasedTopology&,
                                                        RoutedScheduleProgram);

}  // namespace lockstep::catalog
