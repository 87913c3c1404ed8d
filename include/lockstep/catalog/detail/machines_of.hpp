// SPDX-License-Identifier: Apache-2.0
#pragma once

/// ProgramMachines of a program type: the one place where machines are instantiated for reports,
/// in the library for the programs of the catalogue, in a user's file for one of its own.

#include <memory>
#include <utility>
#include <vector>

#include "lockstep/catalog/detail/program_machines.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/machine.hpp"
#include "lockstep/machine/receive_once_machine.hpp"

namespace lockstep::catalog {

/// `memories` receives the variables of all nodes after the run, if it `keeps` them.
template <class MachineType, class Memory, bool keeps>
class MachineOf final : public AnyMachine {
 public:
  template <class... Arguments>
  explicit MachineOf(std::vector<Memory>* memories, Arguments&&... arguments)
      : machine_(std::forward<Arguments>(arguments)...), memories_(memories) {}

  [[nodiscard]] RunRecord run(Executor& executor) override {
    RunRecord record = machine_.run(executor);
    if constexpr (keeps)
      for (std::uint64_t u = 0; u < record.nodes; ++u)
        memories_->push_back(machine_.memory(NodeId{u}));
    return record;
  }

 private:
  MachineType machine_;
  std::vector<Memory>* memories_;
};

/// For `Prog`: what is complete in one file need not be in another.
template <class Type, class Prog>
concept IsComplete = requires {
  sizeof(Type);
};

/// Network and program outlive it. `keeps`: hands the variables of all nodes to `memories`.
template <Topology Net, Program Prog, bool keeps = false>
class MachinesOf final : public ProgramMachines {
  static constexpr CompiledChannels channels = compiled_channels_of<Prog>;
  using Memories = std::vector<typename Prog::Memory>;

 public:
  MachinesOf(const Net& network, const Prog& program, Memories* memories = nullptr)
      : network_(network), program_(program), memories_(memories) {}

  [[nodiscard]] std::unique_ptr<AnyMachine> machine([[maybe_unused]] ChannelKind channel,
                                                    const Network& network, Host& host,
                                                    const MachineOptions& options) const override {
    if constexpr (RoutingProgram<Prog>) {
      return tabulated<WormholeChannels>(network, host, options);
    } else {
      if constexpr (is_compiled(channels, ChannelKind::spsc)) {
        static_assert(IsComplete<SpscChannels, Prog>,
                      "compiled_channels: spsc needs lockstep/machine/spsc_channels.hpp");
        if (channel == ChannelKind::spsc) return tabulated<SpscChannels>(network, host, options);
      }
      if constexpr (is_compiled(channels, ChannelKind::mailbox))
        if (channel == ChannelKind::mailbox)
          return tabulated<MailboxChannels>(network, host, options);
      expects(channel == ChannelKind::slot || channel == ChannelKind::row,
              "check_channel() admits no other");
      MachineOptions with_or_without = options;
      with_or_without.rows = channel == ChannelKind::row;
      return tabulated<SlotChannels>(network, host, with_or_without);
    }
  }

  [[nodiscard]] std::unique_ptr<AnyMachine> receive_once_machine(
      [[maybe_unused]] Host& host, [[maybe_unused]] const MachineOptions& options) const override {
    if constexpr (ReceiveOnceProgram<Prog>) {
      using ReceiveOnce = MachineOf<ReceiveOnceMachine<Net, Prog>, typename Prog::Memory, keeps>;
      return std::make_unique<ReceiveOnce>(memories_, network_, program_, host, options);
    } else {
      invariant_failed("a processor of this program receives once");
    }
  }

 private:
  template <class Chans>
  [[nodiscard]] std::unique_ptr<AnyMachine> tabulated(const Network& network, Host& host,
                                                      const MachineOptions& options) const {
    using Tabulated = MachineOf<Machine<Network, Prog, Chans>, typename Prog::Memory, keeps>;
    return std::make_unique<Tabulated>(memories_, network, program_, host, options);
  }

  const Net& network_;
  const Prog& program_;
  Memories* memories_;
};

}  // namespace lockstep::catalog
