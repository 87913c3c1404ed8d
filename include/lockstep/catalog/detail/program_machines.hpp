// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Type-erased machines that run one program, so that code which is compiled once can execute any
/// program. catalog/machines_of.hpp constructs them.

#include <memory>

#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep::catalog {

/// A type-erased machine.
class AnyMachine {
 public:
  AnyMachine() = default;
  AnyMachine(const AnyMachine&) = delete;
  AnyMachine& operator=(const AnyMachine&) = delete;
  virtual ~AnyMachine() = default;

  [[nodiscard]] virtual RunRecord run(Executor& executor) = 0;
};

class ProgramMachines {
 public:
  ProgramMachines() = default;
  ProgramMachines(const ProgramMachines&) = delete;
  ProgramMachines& operator=(const ProgramMachines&) = delete;
  virtual ~ProgramMachines() = default;

  /// On a table of the network. The arguments, and the program, outlive the machine.
  [[nodiscard]] virtual std::unique_ptr<AnyMachine> machine(
      ChannelKind channel, const Network& network, Host& host,
      const MachineOptions& options) const = 0;
  /// One box per node, on the network's formula. Precondition: a processor receives once.
  [[nodiscard]] virtual std::unique_ptr<AnyMachine> receive_once_machine(
      Host& host, const MachineOptions& options) const = 0;
};

}  // namespace lockstep::catalog
