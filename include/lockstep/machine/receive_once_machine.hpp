// SPDX-License-Identifier: Apache-2.0
#pragma once

/// ReceiveOnceMachine: runs programs whose processors receive one message in the whole run, on
/// a topology that is a formula, for networks of billions of nodes. Same contract as Machine, same
/// record; it keeps a block and three bits per node, and a step costs what its active processors
/// cost (and a look at one bit of every other). Faults, waits and runs that go on after a violation
/// are Machine's.
///
///     ReceiveOnceMachine<Hypercube, Binomial> machine(cube, program, host,
///         {.model = port_models::single_port, .block_bytes = 1});
///     const RunRecord record = machine.run(*make_executor(ExecutorKind::tbb, 2));

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/machine/detail/machine_memory.hpp"
#include "lockstep/machine/detail/receive_once_boxes.hpp"
#include "lockstep/machine/detail/receive_once_view.hpp"
#include "lockstep/machine/detail/rejected_messages.hpp"
#include "lockstep/machine/detail/step_loop.hpp"
#include "lockstep/machine/detail/task_size.hpp"
#include "lockstep/machine/detail/wire.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/program/detail/group_of_one.hpp"
#include "lockstep/program/program_check.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

template <class Net, class Prog>
class ReceiveOnceMachine final : PassRunner {
  static_assert(sizeof(ProgramCheck<Prog>) != 0);  // which says what does not fit
  static_assert(Topology<Net> && ReceiveOnceProgram<Prog>);
  static_assert(!ReadingProgram<Prog> && !UnevenProgram<Prog>,
                "receive-once machine: a node must have exactly one block");

 public:
  /// The arguments outlive the machine. Throws InvalidParameter where program, host or options do
  /// not fit the machine, before anything runs.
  ReceiveOnceMachine(const Net& network, const Prog& program, Host& host,
                     const MachineOptions& options);

  /// Bytes that construction will take.
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t nodes, std::size_t block_bytes) noexcept {
    return receive_once_bytes(facts_of<Prog>(), nodes, block_bytes);
  }

  /// Runs the program from its first step to its end. Once per machine: InvalidParameter after
  /// that.
  [[nodiscard]] RunRecord run(Executor& executor) {
    return run_steps(*this, detail::facts_of_run(network_, program_), options_, executor);
  }

  /// The variables of a node, as the run left them.
  [[nodiscard]] const typename Prog::Memory& memory(NodeId node) const {
    return variables_.at(std::is_empty_v<typename Prog::Memory> ? 0 : index(node));
  }

 private:
  using Pass = detail::ReceiveOncePass<Net, Prog>;
  using View = ReceiveOnceView<Pass>;
  using Outcome = detail::TaskOutcome;

  static constexpr std::uint64_t nodes_per_word = detail::NodeBits::nodes_per_word;

  /// The first word of bits of own nodes. Another process may own nodes of the word, too.
  [[nodiscard]] std::uint64_t first_word() const noexcept { return own_.first / nodes_per_word; }
  [[nodiscard]] static constexpr std::uint64_t variable_count(std::uint64_t nodes) noexcept {
    return std::is_empty_v<typename Prog::Memory> ? 1 : nodes;
  }
  static void check(const Net& network, const Prog& program, const Host& host,
                    const MachineOptions& options);
  [[nodiscard]] TaskPlan plan_tasks(std::size_t workers) override;
  void begin_pass(PassPlace) override {}
  void run_task(PassPlace place, std::size_t range, Outcome& outcome) override;
  [[nodiscard]] bool end_pass(PassPlace place, std::span<Outcome> totals) override;
  void settle(DeliveryTally& tally) override { host_.settle(tally); }
  [[nodiscard]] NodeId other_end(NodeId node, Port port) const override {
    return index(port) < network_.degree(node) ? network_.neighbor(node, port) : node;
  }
  [[nodiscard]] NodeRange share_nodes();
  [[nodiscard]] std::uint64_t exchange_messages(PassPlace place, Outcome& total);
  void run_words(Pass& pass, std::uint64_t first, std::uint64_t last);
  void run_processor(Pass& pass, NodeId node, typename View::Message message);

  const Net& network_;
  const Prog& program_;
  Host& host_;
  MachineOptions options_;
  std::uint64_t nodes_;
  bool laws_are_proven_;  // of the network
  NodeRange own_;         // the nodes of this process
  std::optional<detail::OtherProcesses> others_;
  detail::ReceiveOnceBoxes boxes_;
  std::vector<typename Prog::Memory> variables_;

  std::uint64_t range_words_ = 1;                               // of the bits of a task's nodes
  std::vector<std::vector<detail::RejectedMessage>> rejected_;  // by task
  std::uint64_t in_flight_ = 0;    // messages that were accepted in the step before
  detail::ArrivedBlocks arrived_;  // of other processes
};

// Definitions, in the order of a run.

template <class Net, class Prog>
ReceiveOnceMachine<Net, Prog>::ReceiveOnceMachine(const Net& network, const Prog& program,
                                                  Host& host, const MachineOptions& options)
    : network_((check(network, program, host, options), network)),
      program_(program),
      host_(host),
      options_(options),
      nodes_(network.node_count()),
      laws_are_proven_(are_laws_proven(network)),
      own_{0, nodes_},
      boxes_(nodes_, options_.block_bytes, share_nodes()),
      arrived_(detail::ReceiveOnceBoxes::stride(options_.block_bytes)) {
  variables_.reserve(variable_count(nodes_));
  for (std::uint64_t u = 0; u < variable_count(nodes_); ++u)
    variables_.push_back(memory_of<Prog>(NodeId{u}));
  for (const NodeId node : program.starts()) {
    if (index(node) >= nodes_)
      throw InvalidParameter("program: starts at node " + std::to_string(index(node)) +
                             "; allowed: 0.." + std::to_string(nodes_ - 1));
    if (own_.holds(node)) boxes_.start(node);
  }
  note_made(bytes(nodes_, options_.block_bytes));
}

/// The nodes that remain if there are other processes.
template <class Net, class Prog>
NodeRange ReceiveOnceMachine<Net, Prog>::share_nodes() {
  if (options_.processes != nullptr && options_.processes->count() > 1)
    own_ = others_.emplace(*options_.processes, nodes_).own();
  return own_;
}

template <class Net, class Prog>
void ReceiveOnceMachine<Net, Prog>::check(const Net& network, const Prog& program, const Host& host,
                                          const MachineOptions& options) {
  check_host(host, processor_count(network), options.block_bytes);
  check_block_bytes(options.block_bytes);
  if (std::uint64_t all = 0;
      __builtin_mul_overflow(network.node_count(), std::uint64_t{options.block_bytes}, &all))
    throw InvalidParameter("machine: needs more than 2^64 bytes of memory");
  if (program.regions() != std::vector<std::uint32_t>{1})
    throw InvalidParameter(
        "program: a receive-once program must have memory for exactly one block");
  if (host.parts_per_block() != 1)
    throw InvalidParameter("receive-once machine: the host divides blocks into " +
                           std::to_string(host.parts_per_block()) +
                           " parts; allowed: whole blocks, one per node");
  (void)phases_of(program);  // checks them
  if constexpr (heavy_checks) check_hooks_are_pure(program, network.node_count());
  if (network.max_degree() > detail::ReceiveOnceBoxes::max_ports)
    throw InvalidParameter("receive-once machine: a node has " +
                           std::to_string(network.max_degree()) + " ports; allowed: up to " +
                           std::to_string(detail::ReceiveOnceBoxes::max_ports));
  if (options.fault.kind != FaultKind::none || options.watch_waits || !options.stop_at_violation)
    throw InvalidParameter(
        "receive-once machine: supports no faults and no waits, and stops at a violation");
}

template <class Net, class Prog>
TaskPlan ReceiveOnceMachine<Net, Prog>::plan_tasks(std::size_t workers) {
  const detail::TaskRequest request{.nodes = own_.last - first_word() * nodes_per_word,
                                    .workers = workers,
                                    .asked = options_.processors_per_task,
                                    .receive_once = true,
                                    .step = options_.step};
  range_words_ = detail::NodeBits::words(detail::nodes_per_task(request));
  detail::resize_tasks(rejected_, detail::task_count(request));
  if (others_) others_->resize_outboxes(rejected_.size());
  return {.tasks = rejected_.size(), .uneven = true};
}

template <class Net, class Prog>
bool ReceiveOnceMachine<Net, Prog>::end_pass(PassPlace place, std::span<Outcome> totals) {
  Outcome& total = totals.back();
  expects(total.counts.taken == in_flight_, "a message runs its receiver in the next step");
  in_flight_ = total.counts.messages;
  if (others_) in_flight_ += exchange_messages(place, total);
  in_flight_ -= total.counts.rejected;
  total.counts.links = total.counts.messages;
  std::vector<detail::RejectedMessage> all = detail::taken_from(rejected_);
  detail::judge_rejected(
      all, options_.model, place,
      [this](NodeId node, Port other) { return boxes_.keep_lowest(node, other); },
      total.violations);
  if (others_) others_->exchange(totals);
  return true;
}

/// Sends the messages of own nodes to other processes, and accepts those of their nodes. Returns,
/// modulo 2^64, by how many more messages are on their way to own nodes than these sent.
template <class Net, class Prog>
std::uint64_t ReceiveOnceMachine<Net, Prog>::exchange_messages(PassPlace place, Outcome& total) {
  const detail::ReceiveOnceBoxes::InStep boxes(boxes_, place.step);
  const std::size_t bytes = detail::ReceiveOnceBoxes::stride(options_.block_bytes);
  std::uint64_t leaving = 0;
  for (std::vector<detail::SentAway>& outbox : others_->outboxes()) {
    leaving += outbox.size();
    for (const detail::SentAway& sent : outbox)
      detail::WireWriter(others_->out(others_->owner(network_.neighbor(sent.sender, sent.port))))
          .put(sent.sender)
          .put(sent.port)
          .put_bytes(boxes.box(sent.sender), bytes);
    outbox.clear();
  }
  total.counts.crossing += leaving;
  total.counts.crossing_bytes += leaving * options_.block_bytes;
  others_->exchange();
  arrived_.clear();
  std::uint64_t arriving = 0;
  for (std::size_t p = 0; p < others_->count(); ++p) {
    if (p == others_->rank()) continue;
    for (detail::WireReader in(others_->in(p)); !in.is_empty(); ++arriving) {
      const auto sender = in.take<NodeId>();
      const auto through = in.take<Port>();
      const NodeId receiver = network_.neighbor(sender, through);
      const Port back = network_.reverse_port(sender, through);
      arrived_.add(receiver, back, in.take_bytes(bytes));
      const detail::Put put = boxes.put(receiver, back);
      if (put == detail::Put::accepted) continue;
      ++total.counts.rejected;
      rejected_.front().push_back({receiver, back, sender, through, put});
    }
  }
  arrived_.sort();
  return arriving - leaving;
}

// The processors of a range of nodes in one step.
template <class Net, class Prog>
void ReceiveOnceMachine<Net, Prog>::run_task(PassPlace place, std::size_t range, Outcome& outcome) {
  detail::DeliveryBatch batch(host_, outcome.deliveries, outcome.verify_seconds);
  Pass pass{.network = network_,
            .boxes = {boxes_, place.step},
            .step = place.step,
            .last_call = place.last_call,
            .laws_are_proven = laws_are_proven_,
            .judge = {options_.model, place, nullptr, outcome.violations},
            .block_bytes = options_.block_bytes,
            .host = host_,
            .variables = variables_.data(),
            .batch = batch,
            .rejected = rejected_[range],
            .trace = options_.trace == nullptr ? nullptr : &outcome.trace};
  if (others_) {
    pass.own = own_;
    pass.away = &others_->outbox(range);
    pass.arrived = &arrived_;
  }
  const std::uint64_t first = first_word() + range * range_words_;
  run_words(pass, first, std::min(first + range_words_, detail::NodeBits::words(own_.last)));
  batch.flush();
  outcome.counts = pass.counts;
  outcome.counts.work.copied = outcome.counts.work.copies;
  outcome.counts.processors = pass.counts.all.without(pass.switches);
}

/// Flat, so that a node's view lives in registers.
template <class Net, class Prog>
[[gnu::flatten]] void ReceiveOnceMachine<Net, Prog>::run_words(Pass& pass, std::uint64_t first,
                                                               std::uint64_t last) {
  for (std::uint64_t word = first; word < last; ++word) {
    const auto [arrived, others] = pass.boxes.drain(word);
    pass.counts.work.turns += static_cast<std::uint64_t>(std::popcount(arrived | others));
    for (std::uint64_t bits = arrived | others; bits != 0; bits &= bits - 1) {
      const std::uint64_t bit = bits & (~bits + 1);
      const NodeId node{word * detail::NodeBits::nodes_per_word +
                        static_cast<std::uint64_t>(std::countr_zero(bits))};
      run_processor(pass, node, (arrived & bit) != 0 ? View::Message::waits : View::Message::none);
    }
  }
}

template <class Net, class Prog>
[[gnu::always_inline]] inline void ReceiveOnceMachine<Net, Prog>::run_processor(
    Pass& pass, NodeId node, typename View::Message message) {
  View here(pass, node, message);
  run_rule(program_, here);

  detail::TaskCounts& counts = pass.counts;
  counts.all.senders += static_cast<std::uint64_t>(here.sends_ != 0);
  counts.messages += here.sends_;
  counts.blocks += here.sends_;
  counts.largest |= static_cast<std::uint64_t>(here.sends_ != 0);
  counts.ports_used |= here.sent_through_;
  if (here.is_switch())
    pass.switches += {static_cast<std::uint64_t>(here.sends_ != 0),
                      static_cast<std::uint64_t>(message != View::Message::none && !here.arrived_)};
  pass.judge.sends(node, here.last_sent_, here.sends_);
  if (message == View::Message::none) return;
  ++counts.taken;
  counts.all.receivers += static_cast<std::uint64_t>(!here.arrived_);
  if (here.arrived_) [[unlikely]]
    pass.judge.unread(node, here.through_, 1);
}

}  // namespace lockstep
