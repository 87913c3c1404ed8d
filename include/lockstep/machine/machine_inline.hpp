// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of machine.hpp: the passes of a run. What is made before it, and
/// what a run counts and judges, is in machine_accounting_inline.hpp.

#include "lockstep/machine/machine.hpp"

namespace lockstep {

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
    if (groups_ && options_.fault.kind == FaultKind::none && place.step > 0 && !place.last_call &&
        same_moves_->is_lawful())
      return run_range<true>(nodes, outcome);
  run_range<false>(nodes, outcome);
}

template <class Net, class Prog, class Chans>
bool Machine<Net, Prog, Chans>::is_unusual(PassPlace place) const {
  return options_.model.duplex == Duplex::half || options_.fault.kind != FaultKind::none ||
         options_.trace != nullptr || options_.keep_series || place.step == 0 || place.last_call;
}

template <class Net, class Prog, class Chans>
template <bool together>
void Machine<Net, Prog, Chans>::run_range(const TaskRange& nodes, Outcome& outcome) {
  const auto [place, task, first, last] = nodes;
  auto& ranges = ranges_[task];
  detail::DeliveryBatch batch(host_, outcome.deliveries, outcome.verify_seconds);
  detail::CorruptedBlocks corrupted_blocks;
  detail::Pass<Net, Prog, Chans, together> pass{
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
    for (std::uint64_t word = first / 64; word < (last + 63) / 64; ++word)
      for (std::uint64_t bits = active_[place.step % 2].drain(word, first, last); bits != 0;
           bits &= bits - 1)
        run_processor(pass, NodeId{word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits))});
  } else if constexpr (together) {
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

}  // namespace lockstep
