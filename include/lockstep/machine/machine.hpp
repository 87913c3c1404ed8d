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
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/detail/machine_core.hpp"
#include "lockstep/machine/detail/machine_memory.hpp"
#include "lockstep/machine/detail/pass.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/program/detail/group_of_one.hpp"
#include "lockstep/program/program_check.hpp"
#include "lockstep/topology/detail/arc_layout.hpp"
#include "lockstep/topology/law_check.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

template <class Pass>
class GroupView;

namespace detail {
class SameMoves;
template <class Net>
class PassesTogether;
struct NoMoves {};

/// A type that is complete in one file need not be complete in another.
template <class View>
concept CanRunGroups = requires {
  sizeof(View);
};
}  // namespace detail

template <class Net, class Prog, class Chans>
class Machine final : detail::MachineCore {
  static constexpr bool wormhole = std::same_as<Chans, WormholeChannels>;
  static_assert(Topology<Net> && (Channels<Chans> || wormhole));
  static_assert(sizeof(ProgramCheck<Prog>) != 0);  // which says what does not fit
  static_assert(wormhole || !RoutingProgram<Prog>, "programs with routes need WormholeChannels");

 public:
  /// The arguments outlive the machine. Throws InvalidParameter where program or host do not fit
  /// the machine, before anything runs.
  Machine(const Net& network, const Prog& program, Host& host, const MachineOptions& options);

  /// Bytes that construction will take, and a series.
  [[nodiscard]] static std::uint64_t bytes(const Net& network, const Prog& program,
                                           const MachineOptions& options);

  /// Runs the program from its first step to its end, once: InvalidParameter after that.
  [[nodiscard]] RunRecord run(Executor& executor) { return run_all(executor); }

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
  static constexpr bool in_rows = in_groups && std::same_as<Chans, SlotChannels>;
  static constexpr bool receives_once = detail::Pass<Net, Prog, Chans, false>::receives_once;
  static constexpr bool sparse = Prog::activity == Activity::sparse;
  using GroupedPass = detail::Pass<Net, Prog, Chans, true>;
  static_assert(!in_groups || detail::CanRunGroups<GroupView<GroupedPass>>,
                "program: step_all() needs lockstep/machine/groups.hpp");

  /// Throws where the parts do not fit each other.
  [[nodiscard]] static detail::MachineSetup setup_of(const Net& network, const Prog& program,
                                                     const Host& host,
                                                     const MachineOptions& options);
  void begin_pass(PassPlace place) override;
  [[nodiscard]] TaskPlan plan_tasks(std::size_t workers) override;
  [[nodiscard]] std::size_t passes_together(PassPlace place) override;
  void run_task(PassPlace place, std::size_t task, Outcome& outcome) override;
  void run_passes(PassPlace place, std::size_t task, std::span<Outcome> outcomes) override;
  [[nodiscard]] NodeId other_end(NodeId node, Port port) const override {
    return index(port) < network_.degree(node) ? network_.neighbor(node, port) : node;
  }
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
  void replay_duplicate(std::uint64_t step);
  [[nodiscard]] std::size_t degree_of(NodeId node) const override { return network_.degree(node); }
  [[nodiscard]] std::uint64_t taken_by(NodeId node) const override { return taken_[index(node)]; }
  [[nodiscard]] bool has_message(std::uint64_t step, NodeId node, Port port, bool pulled) override;
  [[nodiscard]] NodeId receiver_of(const detail::SentAway& sent) const override;
  [[nodiscard]] bool runs_in_groups(PassPlace place) const;
  [[nodiscard]] const std::uint64_t* group_ends(std::uint64_t first) const;
  [[nodiscard]] std::uint64_t ports_used(PassPlace place) const override;
  void take_from_channels(PassPlace place, std::vector<detail::SentAway>& all) override;
  [[nodiscard]] std::span<const std::uint32_t> slots_of(std::uint32_t list) const override;
  void accept(PassPlace place, const detail::SentAway& sent, Outcome& total) override;
  [[nodiscard]] std::span<const Port> links_behind(std::uint32_t route) const;
  void find_crossing_arcs();

  const Net& network_;
  const Prog& program_;
  bool groups_ = false;  // passes may run many processors at once
  Chans channels_;
  std::vector<typename Prog::Memory> variables_;
  std::vector<Taken> taken_;                   // messages each node took in this pass
  std::vector<detail::KeptSlots<Prog>> sent_;  // by node, where their moves differ
  std::conditional_t<in_groups, std::optional<detail::SameMoves>, detail::NoMoves> same_moves_;
  std::conditional_t<in_rows, std::optional<detail::PassesTogether<Net>>, detail::NoMoves>
      together_;
  // By the sender's port, where channels keep what is sent to other processes.
  std::vector<std::vector<detail::CrossingArc>> crossing_;
};

template <class Net, class Prog, class Chans>
Machine<Net, Prog, Chans>::Machine(const Net& network, const Prog& program, Host& host,
                                   const MachineOptions& options)
    : MachineCore(setup_of(network, program, host, options), host, options),
      network_(network),
      program_(program),
      channels_(arcs_),
      taken_(network.node_count()) {
  variables_.reserve(network.node_count());
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    variables_.push_back(memory_of<Prog>(NodeId{u}));
  if constexpr (in_groups) {
    same_moves_.emplace(setup_.regions, parts_);
    groups_ = setup_.regular && arcs_.is_rectangle() && processors_ == network.node_count() &&
              network.max_degree() <= GroupView<GroupedPass>::max_ports &&
              !(others_ && GroupedPass::notes_sent_away);
    if constexpr (in_rows)
      if (groups_ && options_.rows) channels_.keep_rows();
  } else if (options_.watch_in_flight) {
    sent_.resize(network.node_count());
  }
  if (others_ && !GroupedPass::notes_sent_away) find_crossing_arcs();
  note_made(machine_bytes(channel, setup_.program, setup_.size, options_));
}

template <class Net, class Prog, class Chans>
detail::MachineSetup Machine<Net, Prog, Chans>::setup_of(const Net& network, const Prog& program,
                                                         const Host& host,
                                                         const MachineOptions& options) {
  const std::uint64_t nodes = network.node_count();
  check_host(host, processor_count(network), options.block_bytes);
  detail::MachineSetup setup{.run = detail::facts_of_run(network, program),
                             .program = facts_of<Prog>(),
                             .channel = channel,
                             .arcs = arc_layout(network),
                             .regions = program.regions()};
  for (std::uint64_t u = 0; u < nodes; ++u)
    setup.regular = setup.regular && network.degree(NodeId{u}) == network.max_degree();
  if (!are_laws_proven(network))
    for (std::uint64_t u = 0; u < nodes; ++u) check_arcs(network, NodeId{u});
  if constexpr (heavy_checks) check_hooks_are_pure(program, nodes);
  if constexpr (ControlProgram<Prog>) setup.control_regions = program.control_regions();
  const bool has_sender = index(options.fault.sender) < nodes;
  detail::check_machine({.channels = Chans::name,
                         .wormhole = wormhole,
                         .nodes = nodes,
                         .degree = network.max_degree(),
                         .allowed_degree = max_degree,
                         .degree_of_fault = has_sender ? network.degree(options.fault.sender) : 0,
                         .regions = setup.regions,
                         .control_regions = setup.control_regions},
                        options);
  setup.size = size_of(network, program);
  if constexpr (UnevenProgram<Prog>)
    for (std::size_t r = 0; r < setup.regions.size(); ++r) {
      std::vector<std::uint64_t>& first = setup.add_first_slots();
      for (std::uint64_t u = 0; u < nodes; ++u)
        first[u + 1] =
            first[u] + blocks_of(program, NodeId{u}, static_cast<Region>(r), setup.regions[r]);
    }
  if constexpr (sparse) setup.starts = program.starts();
  if constexpr (CalendarProgram<Prog>)
    setup.last_start = checked_steps("last_start", std::uint64_t{program.last_start()});
  return setup;
}

template <class Net, class Prog, class Chans>
std::uint64_t Machine<Net, Prog, Chans>::bytes(const Net& network, const Prog& program,
                                               const MachineOptions& options) {
  return machine_bytes(channel, facts_of<Prog>(), size_of(network, program), options);
}

template <class Net, class Prog, class Chans>
bool Machine<Net, Prog, Chans>::has_message(std::uint64_t step, NodeId node, Port port,
                                            [[maybe_unused]] bool pulled) {
  auto receiver = channels_.receiver(step);
  if constexpr (queues)
    if (!pulled) return receiver.holds(node, port);
  if constexpr (in_groups && requires { receiver.row(port); })
    if (receiver.row(port)) return true;
  return static_cast<bool>(receiver.pull(node, port));
}

// The passes of a run.

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::begin_pass(PassPlace place) {
  channels_.begin_step(place.step);
  if (options_.queues != nullptr) options_.queues->begin_step(place.step);
  if constexpr (in_groups) same_moves_->look_at(program_, place.step);
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
  const auto [first, last] = nodes_of_task(task);
  ranges_[task][place.step % 2].clear();
  // Processors come before switches: both are counted apart without a look at each node.
  const std::uint64_t switches = std::max(first, std::min(processors_, last));
  if (first < switches) run_nodes({place, task, first, switches}, outcome);
  outcome.counts.processors = outcome.counts.all;
  if (switches < last) run_nodes({place, task, switches, last}, outcome);
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
      .regular = setup_.regular,
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
      .parts = parts_,
      .step = place.step,
      .batch = &batch,
      .trace = options_.trace == nullptr ? nullptr : &outcome.trace,
      .times = times_ ? &*times_ : nullptr,
      .sent = nullptr,
      .ranges_before = &ranges[(place.step + 1) % 2],
      .ranges_now = &ranges[place.step % 2],
      .once = once_ ? &*once_ : nullptr,
      .rejected = once_ ? &rejected_[task] : nullptr};
  if (others_) {
    pass.own = own_;
    pass.away = &others_->outbox(task);
  }
  if (options_.watch_in_flight) pass.sent = sent_.data();
  if constexpr (in_groups)
    if (options_.watch_in_flight) {
      pass.sent = &same_moves_->at(place.step - 1).sent;
      pass.ranges_before = &same_moves_->at(place.step - 1).ranges;
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
    constexpr std::uint64_t max_group = GroupView<GroupedPass>::max_size;
    const std::uint64_t* ends = group_ends(first);
    for (std::uint64_t node = first; node < last;) {
      const auto end = ends != nullptr ? *ends++ : std::min(node + max_group, last);
      run_group(pass, NodeId{node}, end - node);
      node = end;
    }
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
  if (!owns(receiver)) return;
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
  ++counts.work.turns;
  taken_[index(node)] = static_cast<Taken>(here.taken_);
  if constexpr (queues) lowest_taken_[index(node)] = here.lowest_taken_;
  if (pass.unusual() && pass.track_activity)
    note_activity(pass, node, here.sends_ != 0, here.taken_ != 0);
  pass.judge.sends(node, here.last_sent_, here.sends_);
  pass.judge.receptions(node, here.lowest_taken_, here.taken_);
}

/// Whether a processor was active in the step before: it received, or it had sent.
template <class Net, class Prog, class Chans>
template <class Pass>
[[gnu::always_inline]] inline void Machine<Net, Prog, Chans>::note_activity(Pass& pass, NodeId node,
                                                                            bool sent,
                                                                            bool received) {
  const auto this_step = static_cast<std::uint32_t>(pass.step + 1);
  std::uint32_t& sent_in = sent_in_[index(node)];
  pass.counts.all.busy +=
      static_cast<std::uint64_t>(received && pass.step > 0 && sent_in == this_step - 1);
  if (sent) sent_in = this_step;
}

}  // namespace lockstep

#include "lockstep/machine/detail/machine_crossing_inline.hpp"
#include "lockstep/machine/detail/machine_groups_inline.hpp"
