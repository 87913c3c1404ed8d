// SPDX-License-Identifier: Apache-2.0
#pragma once

/// AnyProgram of a program type: the machines are instantiated here and nowhere else in the
/// library. A program type that takes long to compile has a file of its own in catalog/programs,
/// which is built beside the others; any other is instantiated where its algorithm has its line.

#include <memory>
#include <utility>

#include "catalog/any_program.hpp"
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

template <Topology Net, Program Prog>
class ProgramOf final : public AnyProgram {
 public:
  ProgramOf(const Net& network, Prog program) : network_(network), erased_(std::move(program)) {}

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

  [[nodiscard]] std::vector<StepClass> step_classes(std::uint64_t steps) const override {
    return classes_of(program_, steps);
  }

  [[nodiscard]] std::optional<QueueFigures> largest_queue(
      [[maybe_unused]] std::uint64_t own_blocks) const override {
    if constexpr (requires { program_.schedule(); })
      return lockstep::largest_queue(program_.schedule(), own_blocks);
    else
      return std::nullopt;
  }

  [[nodiscard]] const ErasedProgram& erased() const override { return erased_; }

 private:
  template <class Chans>
  [[nodiscard]] std::unique_ptr<AnyMachine> tabulated(const Network& network, Host& host,
                                                      MachineOptions options) const {
    using Tabulated = Machine<Network, Prog, Chans>;
    return std::make_unique<MachineOf<Tabulated>>(network, program_, host, std::move(options));
  }

  Net network_;
  ErasedProgramOf<Prog> erased_;
  const Prog& program_ = erased_.program();
};

template <Topology Net, Program Prog>
std::unique_ptr<AnyProgram> any_program(const Net& network, Prog program) {
  return std::make_unique<ProgramOf<Net, Prog>>(network, std::move(program));
}

}  // namespace lockstep::catalog
