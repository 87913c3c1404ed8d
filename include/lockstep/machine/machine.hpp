// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Machine: runs a program on a topology, one synchronous step after the other, under a port model,
/// and records what happened. A template over both, so that the step rule is inlined into the loop
/// over processors; what is chosen at run time is erased per run or per block of processors.
///
///     Machine<Network, MyProgram, SlotChannels, ProvingHost> machine(network, program, host,
///         {.model = port_models::single_port, .block_bytes = 64});
///     const RunRecord record = machine.run(*make_executor(ExecutorKind::tbb, 2));
///
/// A pass takes the messages of step t-1 and sends those of step t: S steps take S + 1 passes.

#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "lockstep/core/expects.hpp"
#include "lockstep/machine/channels.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/group_view.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/machine/pass.hpp"
#include "lockstep/machine/step_account.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

template <class Net, class Prog, class Chans, class H>
class Machine {
  static_assert(Topology<Net> && Program<Prog> && Channels<Chans> && Host<H>);

 public:
  /// The arguments outlive the machine. Throws InvalidParameter where the program does not fit the
  /// machine, before anything runs.
  Machine(const Net& network, const Prog& program, H& host, MachineOptions options);

  /// Bytes that construction will take (channels, processors' memory, accounting).
  [[nodiscard]] static std::uint64_t bytes(const Net& network, const Prog& program,
                                           const MachineOptions& options);

  /// Runs the program from its first step to its end. Once per machine.
  [[nodiscard]] RunRecord run(Executor& executor);

 private:
  using Outcome = detail::TaskOutcome;
  static constexpr bool queues = std::same_as<Chans, SpscChannels>;
  static constexpr bool one_message_per_node = std::same_as<Chans, MailboxChannels>;
  // As many as a node has ports.
  using Taken = std::conditional_t<one_message_per_node, std::uint8_t, std::uint16_t>;
  static constexpr bool sparse = Prog::activity == Activity::sparse;
  using UsualPass = detail::Pass<Net, Prog, Chans, H, true>;
  static constexpr std::uint64_t max_group_size = GroupView<UsualPass>::max_size;
  static constexpr std::size_t max_group_ports = GroupView<UsualPass>::max_ports;

  static void check(const Net& network, const Prog& program, const MachineOptions& options);
  void plan_tasks(std::size_t workers);
  void step_loop(Executor& executor, RunRecord& record);
  void run_pass(Executor& executor);
  void run_task(std::size_t task);
  template <bool usual>
  void run_range(std::uint64_t first, std::uint64_t last, Outcome& outcome);
  template <class Pass>
  void run_processor(Pass& pass, NodeId node);
  template <class Pass>
  void run_group(Pass& pass, NodeId first, std::size_t size);
  template <class Pass>
  void report_group(Pass& pass, const GroupView<Pass>& here);
  template <class Pass>
  void note_activity(Pass& pass, NodeId node, bool sent, bool received);
  [[nodiscard]] bool is_usual() const;
  void note_waits(const detail::TaskCounts& counts, WaitRecord& waits) const;
  void find_unread(std::vector<Violation>& violations);
  void count_crowded(std::vector<Violation>& violations);
  [[nodiscard]] bool settle_violations(Outcome& total, RunRecord& record);
  [[nodiscard]] bool is_last_call() const;
  void replay_duplicate();

  const Net& network_;
  const Prog& program_;
  H& host_;
  MachineOptions options_;
  ChannelShape shape_;
  bool regular_ = true;  // every node has every port
  bool groups_ = false;  // usual passes run many processors at once
  Chans channels_;
  PortLedger ledger_;
  std::vector<HugeBuffer> region_bytes_;
  std::vector<detail::RegionLayout> regions_;
  std::vector<typename Prog::Memory> variables_;
  std::vector<Taken> taken_;            // messages each node took in this pass
  std::vector<Port> lowest_taken_;      // the lowest port of them; where channels are queues
  std::vector<std::uint32_t> sent_in_;  // 1 + the last step each node sent in; for series only
  std::optional<detail::ArrivalTimes> times_;
  std::vector<detail::ActiveSet> active_;  // by step parity; empty if dense

  std::uint64_t task_size_ = 1;
  std::vector<Outcome> outcomes_;
  std::uint64_t step_ = 0;
  std::uint64_t in_flight_ = 0;  // messages that entered a channel in the step before
  detail::StepAccount account_;
  detail::Replay duplicate_;
  std::uint64_t replayed_ = 0;

  detail::FirstFailure failure_;
};

}  // namespace lockstep

#include "lockstep/machine/machine_accounting_inline.hpp"
#include "lockstep/machine/machine_inline.hpp"
#include "lockstep/machine/machine_judgement_inline.hpp"
#include "lockstep/machine/machine_processors_inline.hpp"
