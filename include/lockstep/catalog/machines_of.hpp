// SPDX-License-Identifier: Apache-2.0
#pragma once

/// ProgramMachines of a program type: the one place where machines are instantiated for reports,
/// in the library for the programs of the catalogue, in a user's file for one of its own.

#include <memory>
#include <utility>

#include "lockstep/catalog/program_machines.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/machine/channels.hpp"
#include "lockstep/machine/machine.hpp"
#include "lockstep/machine/schedule_machines.hpp"
#include "lockstep/machine/single_reception_machine.hpp"

namespace lockstep::catalog {

template <class MachineType>
class MachineOf final : public AnyMachine {
 public:
  template <class... Arguments>
  explicit MachineOf(Arguments&&... arguments) : machine_(std::forward<Arguments>(arguments)...) {}

  [[nodiscard]] RunRecord run(Executor& executor) override { return machine_.run(executor); }

 private:
  MachineType machine_;
};

/// Network and program outlive it.
template <Topology Net, Program Prog>
class MachinesOf final : public ProgramMachines {
 public:
  MachinesOf(const Net& network, const Prog& program) : network_(network), program_(program) {}

  [[nodiscard]] std::unique_ptr<AnyMachine> machine([[maybe_unused]] ChannelKind channel,
                                                    const Network& network, Host& host,
                                                    MachineOptions options) const override {
    if constexpr (RoutingProgram<Prog>) {
      return tabulated<WormholeChannels>(network, host, std::move(options));
    } else {
      switch (channel) {
        case ChannelKind::spsc:
          return tabulated<SpscChannels>(network, host, std::move(options));
        case ChannelKind::mailbox:
          return tabulated<MailboxChannels>(network, host, std::move(options));
        default:
          return tabulated<SlotChannels>(network, host, std::move(options));
      }
    }
  }

  [[nodiscard]] std::unique_ptr<AnyMachine> one_box_machine(
      [[maybe_unused]] Host& host, [[maybe_unused]] MachineOptions options) const override {
    if constexpr (SingleReceptionProgram<Prog>) {
      using OneBox = SingleReceptionMachine<Net, Prog>;
      return std::make_unique<MachineOf<OneBox>>(network_, program_, host, std::move(options));
    } else {
      expects(false, "a processor of this program receives once");
      return nullptr;
    }
  }

 private:
  template <class Chans>
  [[nodiscard]] std::unique_ptr<AnyMachine> tabulated(const Network& network, Host& host,
                                                      MachineOptions options) const {
    using Tabulated = Machine<Network, Prog, Chans>;
    return std::make_unique<MachineOf<Tabulated>>(network, program_, host, std::move(options));
  }

  const Net& network_;
  const Prog& program_;
};

}  // namespace lockstep::catalog
