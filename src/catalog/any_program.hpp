// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A program with its type forgotten: what the catalogue knows of one when it prepares and carries
/// out a run. catalog/program_of.hpp makes one of any program.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "catalog/extrapolation.hpp"
#include "lockstep/catalog/program_machines.hpp"
#include "lockstep/program/erased_program.hpp"
#include "lockstep/program/largest_queue.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep::catalog {

class AnyProgram {
 public:
  AnyProgram() = default;
  AnyProgram(const AnyProgram&) = delete;
  AnyProgram& operator=(const AnyProgram&) = delete;
  virtual ~AnyProgram() = default;

  [[nodiscard]] virtual const ProgramMachines& machines() const = 0;
  /// What every step is like, for the time that a run will take.
  [[nodiscard]] virtual std::vector<StepClass> step_classes(std::uint64_t steps) const = 0;
  /// Empty where the program is no node-invariant schedule.
  [[nodiscard]] virtual std::optional<QueueFigures> largest_queue(
      std::uint64_t own_blocks) const = 0;
  /// For machines that do without the type.
  [[nodiscard]] virtual const ErasedProgram& erased() const = 0;
};

/// Forgets the type. `network`: the formula that the algorithm goes by.
template <Topology Net, Program Prog>
[[nodiscard]] std::unique_ptr<AnyProgram> any_program(const Net& network, Prog program);

}  // namespace lockstep::catalog
