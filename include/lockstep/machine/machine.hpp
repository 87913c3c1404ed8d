// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Machine: runs a program on a topology, one synchronous step after the other, under a port model,
/// and records what happened. A template over both, so that the step rule is inlined into the loop
/// over processors; what is chosen at run time is erased per run or per block of processors.
///
///     Machine<Network, MyProgram, SlotChannels> machine(network, program, host,
///         {.model = port_models::single_port, .block_bytes = 64});
///     const RunRecord record = machine.run(*make_executor(ExecutorKind::tbb, 2));

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "lockstep/core/expects.hpp"
#include "lockstep/machine/channels.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/group_view.hpp"
#include "lockstep/machine/machine_memory.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/machine/pass.hpp"
#include "lockstep/machine/same_moves.hpp"
#include "lockstep/machine/step_loop.hpp"
#include "lockstep/program/group_of_one.hpp"
#include "lockstep/program/program_check.hpp"
#include "lockstep/program/pure_hooks.hpp"
#include "lockstep/topology/arc_layout.hpp"
#include "lockstep/topology/law_check.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

template <class Net, class Prog, class Chans>
class Machine final : PassRunner {
  static constexpr bool wormhole = std::same_as<Chans, WormholeChannels>;
  static_assert(Topology<Net> && (Channels<Chans> || wormhole));
  static_assert(sizeof(ProgramCheck<Prog>) != 0);  // which says what does not fit
  static_assert(wormhole || !RoutingProgram<Prog>, "programs with routes need WormholeChannels");

 public:
  /// The arguments outlive the machine. Throws InvalidParameter where program or host do not fit
  /// the machine, before anything runs.
  Machine(const Net& network, const Prog& program, Host& host, MachineOptions options);

  /// Bytes that construction will take, and a series.
  [[nodiscard]] static std::uint64_t bytes(const Net& network, const Prog& program,
                                           const MachineOptions& options);

  /// Runs the program from its first step to its end. Once per machine: InvalidParameter after
  /// that.
  [[nodiscard]] RunRecord run(Executor& executor);

  /// The variables of a node, as the run left them.
  [[nodiscard]] const typename Prog::Memory& memory(NodeId node) const {
    return variables_.at(index(node));
  }

 private:
  using Outcome = detail::TaskOutcome;
  static constexpr bool queues = std::same_as<Chans, SpscChannels>;
  static constexpr bool one_message_per_node = std::same_as<Chans, MailboxChannels>;
  static constexpr ChannelKind channel = queues                 ? ChannelKind::spsc
                                         : one_message_per_node ? ChannelKind::mailbox
                                         : wormhole             ? ChannelKind::wormhole
                                                                : ChannelKind::slot;
  static constexpr bool grouped = GroupedProgram<Prog>;
  // As many as a node has ports; every word counts where nodes run in groups.
  using Taken = std::conditional_t<one_message_per_node, std::uint8_t,
                                   std::conditional_t<grouped, std::uint16_t, std::uint32_t>>;
  static constexpr std::size_t max_degree =
      one_message_per_node
          ? MailboxChannels::max_ports
          : std::min<std::size_t>(std::numeric_limits<Taken>::max(), max_ports_of_a_node);
  // Groups are of nodes that are alike, and blind.
  static constexpr bool in_groups = detail::Pass<Net, Prog, Chans, false>::same_moves;
  static constexpr bool receives_once = detail::Pass<Net, Prog, Chans, false>::receives_once;
  static constexpr bool sparse = Prog::activity == Activity::sparse;
  using GroupedPass = detail::Pass<Net, Prog, Chans, true>;
  static constexpr std::uint64_t max_group_size = GroupView<GroupedPass>::max_size;
  static constexpr std::size_t max_group_ports = GroupView<GroupedPass>::max_ports;

  static void check(const Net& network, const Prog& program, const Host& host,
                    const MachineOptions& options, const std::vector<std::uint32_t>& regions);
  /// The program's regions, without their memory.
  [[nodiscard]] static std::vector<detail::RegionLayout> layouts(
      const Prog& program, const std::vector<std::uint32_t>& regions, std::size_t block_bytes);
  /// Of a region of `most` blocks: the slots before those of each node, and all.
  [[nodiscard]] static std::vector<std::uint64_t> first_slots(const Net& network,
                                                              const Prog& program, Region region,
                                                              std::uint32_t most);
  void start(NodeId node, std::uint64_t step);
  [[nodiscard]] bool is_unusual(PassPlace place) const;
  [[nodiscard]] TaskPlan plan_tasks(std::size_t workers) override;
  void begin_pass(PassPlace place) override;
  void run_task(PassPlace place, std::size_t task, Outcome& outcome) override;
  void end_pass(PassPlace place, Outcome& total) override;
  [[nodiscard]] NodeId other_end(NodeId node, Port port) const override;
  /// Nodes first..last - 1 of a task: processors or switches.
  struct TaskRange {
    PassPlace place;
    std::size_t task;
    std::uint64_t first;
    std::uint64_t last;
  };
  void run_nodes(const TaskRange& nodes, Outcome& outcome);
  template <bool together>
  void run_range(const TaskRange& nodes, Outcome& outcome);
  template <class Pass>
  void run_processor(Pass& pass, NodeId node);
  template <class Pass>
  void run_group(Pass& pass, NodeId first, std::size_t size);
  template <class Pass>
  void note_activity(Pass& pass, NodeId node, bool sent, bool received);
  template <class Pass>
  void note_activity(Pass& pass, const GroupView<Pass>& here);
  void find_unread(PassPlace place, std::vector<Violation>& violations);
  void count_crowded(PassPlace place, std::vector<Violation>& violations);
  [[nodiscard]] std::uint64_t count_held(PassPlace place, std::vector<Violation>& violations);
  void judge_promise(PassPlace place, std::vector<Violation>& violations);
  [[nodiscard]] Port lowest_sent_to(NodeId node, std::uint64_t step);
  void replay_duplicate(std::uint64_t step);

  const std::vector<std::uint32_t> region_blocks_;  // asked once
  const Net& network_;
  const Prog& program_;
  Host& host_;
  MachineOptions options_;
  std::uint64_t last_start_ = 0;  // of calendars
  ArcLayout arcs_;
  std::uint64_t processors_;
  bool regular_ = true;  // every node has every port
  bool groups_ = false;  // passes may run many processors at once
  Chans channels_;
  PortLedger ledger_;
  std::vector<HugeBuffer> region_bytes_;
  std::vector<std::vector<std::uint64_t>> first_slots_;  // by region and node, where nodes differ
  std::vector<detail::RegionLayout> regions_;
  std::vector<typename Prog::Memory> variables_;
  std::vector<Taken> taken_;            // messages each node took in this pass
  std::vector<Port> lowest_taken_;      // the lowest port of them; where channels are queues
  std::vector<std::uint32_t> sent_in_;  // 1 + the last step each node sent in; for series only
  std::optional<detail::ArrivalTimes> times_;
  std::vector<detail::ActiveSet> active_;  // by step parity; empty if dense

  std::optional<detail::SameMoves> same_moves_;              // where all make the same
  std::vector<detail::KeptSlots<Prog>> sent_;                // by node, where they do not
  std::vector<std::array<detail::ListedRanges, 2>> ranges_;  // of sent_, by task and step parity

  std::uint64_t task_size_ = 1;
  std::uint64_t in_flight_ = 0;              // messages that entered a channel in the step before
  std::optional<detail::OncePromise> once_;  // where a promise is watched
  std::vector<std::vector<detail::RejectedMessage>> rejected_;  // by it; by task
  detail::Replay duplicate_;
  std::uint64_t replayed_ = 0;
};

}  // namespace lockstep

#include "lockstep/machine/machine_accounting_inline.hpp"
#include "lockstep/machine/machine_inline.hpp"
#include "lockstep/machine/machine_judgement_inline.hpp"
#include "lockstep/machine/machine_processors_inline.hpp"
