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

namespace lockstep::catalog {

template <Topology Net, Program Prog>
class ProgramOf final : public AnyProgram {
 public:
  ProgramOf(const Net& network, Prog program) : network_(network), erased_(std::move(program)) {}

  [[nodiscard]] const ProgramMachines& machines() const override { return *machines_; }

  [[nodiscard]] std::vector<StepClass> step_classes(std::uint64_t steps) const override {
    return classes_of(program_, steps);
  }

  [[nodiscard]] bool visit_sends(std::uint64_t step, const SendVisitor& visit) const override {
    return visit_equal_sends(program_, step, visit);
  }

  [[nodiscard]] std::optional<QueueFigures> largest_queue(std::uint64_t own_blocks) const override {
    return queue_of(program_, own_blocks);
  }

  [[nodiscard]] const ErasedProgram& erased() const override { return erased_; }

 private:
  [[nodiscard]] std::unique_ptr<ProgramMachines> make_machines() const {
    if constexpr (std::same_as<Prog, GroupedScheduleProgram> ||
                  std::same_as<Prog, BasicScheduleProgram<false>>)
      return machines_of(program_);
    else
      return std::make_unique<MachinesOf<Net, Prog>>(network_, program_);
  }

  Net network_;
  ErasedProgramOf<Prog> erased_;
  const Prog& program_ = erased_.program();
  std::unique_ptr<ProgramMachines> machines_ = make_machines();
};

template <Topology Net, Program Prog>
std::unique_ptr<AnyProgram> any_program(const Net& network, Prog program) {
  return std::make_unique<ProgramOf<Net, Prog>>(network, std::move(program));
}

}  // namespace lockstep::catalog
