// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A program with its type forgotten, and the machines that run it: what the catalogue knows of a
/// program when it prepares and carries out a run. catalog/program_of.hpp makes one of any program.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "catalog/extrapolation.hpp"
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/erased_program.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/program/largest_queue.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep::catalog {

/// A machine with its types forgotten.
class AnyMachine {
 public:
  AnyMachine() = default;
  AnyMachine(const AnyMachine&) = delete;
  AnyMachine& operator=(const AnyMachine&) = delete;
  virtual ~AnyMachine() = default;

  [[nodiscard]] virtual RunRecord run(Executor& executor) = 0;
};

class AnyProgram {
 public:
  AnyProgram() = default;
  AnyProgram(const AnyProgram&) = delete;
  AnyProgram& operator=(const AnyProgram&) = delete;
  virtual ~AnyProgram() = default;

  /// On a table of the network. The arguments, and the program, outlive the machine.
  [[nodiscard]] virtual std::unique_ptr<AnyMachine> machine(ChannelKind channel,
                                                            const Network& network, Host& host,
                                                            MachineOptions options) const = 0;
  /// One box per node, on the network's formula. Precondition: a processor receives once.
  [[nodiscard]] virtual std::unique_ptr<AnyMachine> one_box_machine(
      Host& host, MachineOptions options) const = 0;

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
