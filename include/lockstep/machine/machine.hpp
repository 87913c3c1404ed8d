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
#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/detail/group_view.hpp"
#include "lockstep/machine/detail/machine_memory.hpp"
#include "lockstep/machine/detail/pass.hpp"
#include "lockstep/machine/detail/same_moves.hpp"
#include "lockstep/machine/detail/step_loop.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/program/detail/group_of_one.hpp"
#include "lockstep/program/program_check.hpp"
#include "lockstep/topology/detail/arc_layout.hpp"
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
  static constexpr bool grouped = UniformProgram<Prog>;
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
  template <bool step_all>
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

// The passes of a run. What is made before it, and what a run counts and judges, is in
// machine_accounting_inline.hpp.

template <class Net, class Prog, class Chans>
RunRecord Machine<Net, Prog, Chans>::run(Executor& executor) {
  RunRecord record = detail::run_steps(*this, network_, program_, options_, executor);
  if (options_.queues != nullptr) record.queues = options_.queues->largest();
  return record;
}

/// A node that the program names runs in that step.
template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::start(NodeId node, std::uint64_t step) {
  if (index(node) >= network_.node_count())
    throw InvalidParameter("program: starts at node " + std::to_string(index(node)) +
                           "; allowed: 0.." + std::to_string(network_.node_count() - 1));
  active_[step % 2].insert(node);
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::begin_pass(PassPlace place) {
  channels_.begin_step(place.step);
  if constexpr (in_groups) same_moves_->begin_step(program_, place.step);
  if constexpr (CalendarProgram<Prog>)
    for (const std::uint32_t node : program_.starts_in(place.step)) start(NodeId{node}, place.step);
  if constexpr (receives_once)
    if (once_)
      once_->begin_step([&now = active_[place.step % 2]](std::uint64_t w) { return now.word(w); });
  if (options_.fault.kind == FaultKind::duplicate) [[unlikely]]
    replay_duplicate(place.step);
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::run_task(PassPlace place, std::size_t task, Outcome& outcome) {
  const std::uint64_t first = task * task_size_;
  const std::uint64_t last = std::min(first + task_size_, network_.node_count());
  ranges_[task][place.step % 2].clear();
  // Processors come before switches: both are counted apart without a look at each node.
  const std::uint64_t switches = std::clamp(processors_, first, last);
  if (first < switches) run_nodes({place, task, first, switches}, outcome);
  outcome.counts.processors = outcome.counts.all;
  if (switches < last) run_nodes({place, task, switches, last}, outcome);
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::run_nodes(const TaskRange& nodes, Outcome& outcome) {
  const PassPlace place = nodes.place;
  if constexpr (in_groups)
    if (groups_ && options_.fault.kind == FaultKind::none && place.step > 0 &&
        !(place.last_call && same_moves_->sends()) && same_moves_->is_lawful())
      return run_range<true>(nodes, outcome);
  run_range<false>(nodes, outcome);
}

template <class Net, class Prog, class Chans>
bool Machine<Net, Prog, Chans>::is_unusual(PassPlace place) const {
  return options_.model.duplex == Duplex::half || options_.fault.kind != FaultKind::none ||
         options_.trace != nullptr || options_.keep_series || place.step == 0 || place.last_call;
}

template <class Net, class Prog, class Chans>
template <bool step_all>
void Machine<Net, Prog, Chans>::run_range(const TaskRange& nodes, Outcome& outcome) {
  const auto [place, task, first, last] = nodes;
  auto& ranges = ranges_[task];
  detail::DeliveryBatch batch(host_, outcome.deliveries, outcome.verify_seconds);
  detail::CorruptedBlocks corrupted_blocks;
  detail::Pass<Net, Prog, Chans, step_all> pass{
      .network = network_,
      .program = &program_,
      .in = channels_.receiver(place.step - 1),
      .out = channels_.sender(place.step),
      .judge = {options_.model, place, &ledger_, outcome.violations},
      .is_unusual = is_unusual(place),
      .last_call = place.last_call,
      .regular = regular_,
      .processors = processors_,
      .track_activity = options_.keep_series,
      .host = &host_,
      .memory = regions_.data(),
      .variables = variables_.data(),
      .next_active = sparse ? &active_[(place.step + 1) % 2] : nullptr,
      .fault = &options_.fault,
      .duplicate = &duplicate_,
      .corrupted_blocks = &corrupted_blocks,
      .block_bytes = options_.block_bytes,
      .step = place.step,
      .batch = &batch,
      .trace = options_.trace == nullptr ? nullptr : &outcome.trace,
      .times = times_ ? &*times_ : nullptr,
      .sent = nullptr,
      .ranges_before = &ranges[(place.step + 1) % 2],
      .ranges_now = &ranges[place.step % 2],
      .once = once_ ? &*once_ : nullptr,
      .rejected = once_ ? &rejected_[task] : nullptr};
  if (options_.watch_in_flight) pass.sent = sent_.data();
  if constexpr (in_groups)
    if (options_.watch_in_flight) {
      pass.sent = &same_moves_->before();
      pass.ranges_before = &same_moves_->ranges_before();
    }
  if constexpr (sparse) {
    detail::ActiveSet& active = active_[place.step % 2];
    const std::uint64_t groups = active.words_for(active.words_for(last));
    for (std::uint64_t group = first / 64 / 64; group < groups; ++group)
      for (std::uint64_t words = active.take_words(group, first, last); words != 0;
           words &= words - 1) {
        const std::uint64_t word = group * 64 + static_cast<std::uint64_t>(std::countr_zero(words));
        for (std::uint64_t bits = active.drain(word, first, last); bits != 0; bits &= bits - 1)
          run_processor(pass,
                        NodeId{word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits))});
      }
  } else if constexpr (step_all) {
    for (std::uint64_t node = first; node < last; node += max_group_size)
      run_group(pass, NodeId{node}, std::min(max_group_size, last - node));
  } else {
    for (std::uint64_t node = first; node < last; ++node) run_processor(pass, NodeId{node});
  }
  batch.flush();
  outcome.counts += pass.counts;
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::replay_duplicate(std::uint64_t step) {
  if (step != options_.fault.step + 1 || !duplicate_.message) return;
  const NodeId sender = options_.fault.sender;
  const NodeId receiver = network_.neighbor(sender, duplicate_.port);
  const Port back = network_.reverse_port(sender, duplicate_.port);
  if constexpr (!wormhole)  // where nothing is sent twice
    if (channels_.sender(step).push(receiver, back, duplicate_.message) != Pushed::accepted) return;
  ++replayed_;
  if constexpr (sparse) active_[(step + 1) % 2].insert(receiver);
}

// One processor in one step, and many of them at once.
template <class Net, class Prog, class Chans>
template <class Pass>
[[gnu::always_inline]] inline void Machine<Net, Prog, Chans>::run_processor(Pass& pass,
                                                                            NodeId node) {
  StepView<Pass> here(pass, node);
  run_rule(program_, here);
  here.keep_sent();

  detail::TaskCounts& counts = pass.counts;
  counts.all.senders += static_cast<std::uint64_t>(here.sends_ != 0);
  counts.all.receivers += static_cast<std::uint64_t>(here.taken_ != 0);
  counts.messages += here.sends_;
  counts.taken += here.taken_;
  taken_[index(node)] = static_cast<Taken>(here.taken_);
  if constexpr (queues) lowest_taken_[index(node)] = here.lowest_taken_;
  if (pass.unusual() && pass.track_activity)
    note_activity(pass, node, here.sends_ != 0, here.taken_ != 0);
  pass.judge.sends(node, here.last_sent_, here.sends_);
  pass.judge.receptions(node, here.lowest_taken_, here.taken_);
}

/// What run_processor() does, for `size` processors.
template <class Net, class Prog, class Chans>
template <class Pass>
[[gnu::always_inline]] inline void Machine<Net, Prog, Chans>::run_group(Pass& pass, NodeId first,
                                                                        std::size_t size) {
  GroupView<Pass> here(pass, first, size);
  program_.step_all(here);
  if (here.digest_ != same_moves_->digest()) [[unlikely]]
    here.throw_of_others();

  detail::TaskCounts& counts = pass.counts;
  counts.all.senders += here.sends_ != 0 ? size : 0;
  counts.messages += here.sends_ * size;
  Taken* const taken = taken_.data() + index(first);
  std::fill_n(taken, size, static_cast<Taken>(here.takes_));
  std::uint64_t receivers = here.takes_ != 0 ? size : 0;
  std::uint64_t missing = 0;
  for (std::size_t k = 0; here.incomplete_ && k < size; ++k) {
    taken[k] = static_cast<Taken>(here.taken(k));
    missing += here.takes_ - here.taken(k);
    receivers -= static_cast<std::uint64_t>(here.taken(k) == 0);
  }
  counts.all.receivers += receivers;
  counts.taken += here.takes_ * size - missing;
  if constexpr (queues)
    for (std::size_t k = 0; k < size; ++k)
      if (here.taken(k) != 0) lowest_taken_[index(first) + k] = here.lowest_taken(k);
  if (pass.trace != nullptr) here.sort_trace();
  pass.judge.sent_by_all(first, size, here.sent_through_);
  if (pass.track_activity) note_activity(pass, here);
  if (pass.judge.exceeds_sends(here.sends_) || pass.judge.exceeds_receptions(here.takes_))
      [[unlikely]]
    for (std::size_t k = 0; k < size; ++k) {
      pass.judge.sends(here.node(k), here.last_sent_, here.sends_);
      pass.judge.receptions(here.node(k), here.lowest_taken(k), here.taken(k));
    }
}

/// Mostly all of a group are alike, and their entries are looked at in one loop.
template <class Net, class Prog, class Chans>
template <class Pass>
void Machine<Net, Prog, Chans>::note_activity(Pass& pass, const GroupView<Pass>& here) {
  if (here.incomplete_) {
    for (std::size_t k = 0; k < here.size(); ++k)
      note_activity(pass, here.node(k), here.sends_ != 0, here.taken(k) != 0);
    return;
  }
  const auto this_step = static_cast<std::uint32_t>(pass.step + 1);
  std::uint32_t* const sent_in = sent_in_.data() + index(here.first());
  if (here.takes_ != 0)
    pass.counts.all.busy +=
        static_cast<std::uint64_t>(std::count(sent_in, sent_in + here.size(), this_step - 1));
  if (here.sends_ != 0) std::fill_n(sent_in, here.size(), this_step);
}

}  // namespace lockstep

#include "lockstep/machine/detail/machine_accounting_inline.hpp"
