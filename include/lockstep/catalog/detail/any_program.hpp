// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A program with its type forgotten: what the catalogue knows of one when it prepares and carries
/// out a run. program_of.hpp makes one of any program.

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "lockstep/catalog/detail/program_machines.hpp"
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/program/largest_queue.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep::catalog {

/// What a step costs depends on what a processor does in it.
struct StepClass {
  std::uint64_t sent_blocks = 0;
  std::uint64_t other_blocks = 0;  ///< fetched from, or handed to, the host
  std::uint64_t port = 0;

  friend auto operator<=>(const StepClass&, const StepClass&) = default;
};

/// The class of every step, in order.
template <class Prog>
[[nodiscard]] std::vector<StepClass> classes_of(const Prog&, std::uint64_t steps) {
  return std::vector<StepClass>(steps);
}

[[nodiscard]] std::vector<StepClass> classes_of(const NodeInvariantProgram& program,
                                                std::uint64_t steps);

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
