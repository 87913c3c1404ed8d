// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of reference_machine.hpp: the steps of a run, in order, and what is counted.

#include <algorithm>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/machine/reference_machine.hpp"

namespace lockstep {

template <class Net, class Prog, class H>
ReferenceMachine<Net, Prog, H>::ReferenceMachine(const Net& network, const Prog& program, H& host,
                                                 ReferenceOptions options)
    : network_(network),
      program_(program),
      host_(host),
      options_(std::move(options)),
      region_blocks_(program.regions()) {
  const Fault& fault = options_.fault;
  if (fault.kind != FaultKind::none && index(fault.sender) >= network.node_count())
    throw InvalidParameter("fault: no such sender");
  if (fault.kind == FaultKind::misroute && index(fault.wrong_port) >= network.degree(fault.sender))
    throw InvalidParameter("fault: the sender has no such port");
  if (fault.kind == FaultKind::corrupt && options_.block_bytes != 0 &&
      fault.corrupt_byte >= options_.block_bytes)
    throw InvalidParameter("fault: the block has no such byte");
  processors_.resize(network.node_count());
  for (Processor& processor : processors_)
    for (const std::uint32_t blocks : region_blocks_)
      processor.regions.emplace_back(blocks * options_.block_bytes, poison);
  if constexpr (sparse)
    for (const NodeId node : program.starts()) processors_.at(index(node)).runs_next = true;
}

template <class Net, class Prog, class H>
RunRecord ReferenceMachine<Net, Prog, H>::run() {
  RunRecord record;
  record.nodes = network_.node_count();
  record.block_bytes = options_.block_bytes;
  for (std::uint64_t u = 0; u < record.nodes; ++u)
    if (network_.kind(NodeId{u}) == NodeKind::processor) ++record.processors;
  for (step_ = 0;; ++step_) {
    if (options_.stop.stop_requested()) {
      record.interrupted = true;
      if (step_ > 0) count_step(record);
      break;
    }
    begin_step();
    run_programs();
    judge_sends();
    judge_arrivals_of_step_before();
    if (step_ > 0) close_step_before(record);
    if (must_stop(record) || is_last_call()) break;
    if (!CountedProgram<Prog> && is_idle()) break;
    step_before_ = this_step_;
  }
  record.deliveries = deliveries_;
  record.unmet_stores = unmet_stores_;
  record.waits = waits_;
  record.waits.watched = options_.watch_waits;
  return record;
}

template <class Net, class Prog, class H>
bool ReferenceMachine<Net, Prog, H>::is_last_call() const {
  if constexpr (CountedProgram<Prog>)
    return step_ == program_.step_count();
  else
    return false;
}

template <class Net, class Prog, class H>
bool ReferenceMachine<Net, Prog, H>::is_idle() const {
  const bool someone_stays =
      std::any_of(processors_.begin(), processors_.end(),
                  [](const Processor& processor) { return processor.asked_to_stay; });
  return this_step_.messages == 0 && !someone_stays;
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::begin_step() {
  this_step_ = StepRecord{.step = step_};
  for (Processor& processor : processors_) {
    processor.arrivals = std::exchange(processor.next_arrivals, {});
    processor.arrived_through.clear();
    for (const auto& [port, letter] : processor.arrivals) processor.arrived_through.push_back(port);
    if (options_.one_message_per_node && processor.arrivals.size() > 1)
      processor.arrivals.erase(std::next(processor.arrivals.begin()), processor.arrivals.end());
    processor.sends_before = std::exchange(processor.sends, {});
    processor.taken = 0;
    processor.runs = !sparse || processor.runs_next || processor.asked_to_stay;
    processor.runs_next = false;
    processor.asked_to_stay = false;
  }
  const Fault& fault = options_.fault;
  if (fault.kind == FaultKind::duplicate && step_ == fault.step + 1 && duplicated_.second)
    enter_arc(fault.sender, duplicated_.first, duplicated_.second, step_);
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::run_programs() {
  for (std::uint64_t u = 0; u < processors_.size(); ++u) {
    if (!processors_[u].runs) continue;
    View here(*this, NodeId{u});
    program_(here);
  }
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::send(NodeId sender, Port port, Letter letter) {
  expects(letter.blocks() > 0, "a message holds at least one block");
  if (is_last_call()) return note(step_, sender, port, Rule::after_end, 1);
  if (index(port) >= network_.degree(sender)) return note(step_, sender, port, Rule::port, 1);
  Processor& processor = processors_[index(sender)];
  if (waits_.blocks == 0 && !letter.waits.empty()) {
    waits_.first_step = step_;  // senders run in the order of their numbers
    waits_.first_node = sender;
  }
  waits_.blocks += letter.waits.size();
  for (const std::uint64_t steps : letter.waits)
    waits_.longest_steps = std::max(waits_.longest_steps, steps);
  if (processor.sends.empty()) ++this_step_.senders;
  processor.sends.push_back(port);
  ++this_step_.messages;
  this_step_.blocks += letter.blocks();
  this_step_.largest_message_blocks =
      std::max<std::uint64_t>(this_step_.largest_message_blocks, letter.blocks());
  this_step_.ports_used |= std::uint64_t{1} << std::min<unsigned>(index(port), 63);
  const Fault& fault = options_.fault;
  if (fault.strikes(step_, sender)) {
    const bool first = processor.sends.size() == 1;
    if (fault.kind == FaultKind::corrupt && options_.block_bytes != 0)
      letter.bytes[fault.corrupt_byte] ^= std::byte{1};
    if (fault.kind == FaultKind::drop && first) return;
    if (fault.kind == FaultKind::misroute && first) port = fault.wrong_port;
    if (fault.kind == FaultKind::duplicate && first) duplicated_ = {port, letter};
  }
  enter_arc(sender, port, std::move(letter), step_);
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::enter_arc(NodeId sender, Port port, Letter letter,
                                               std::uint64_t step) {
  const NodeId receiver = network_.neighbor(sender, port);
  const Port receiver_port = network_.reverse_port(sender, port);
  if (options_.on_send)
    options_.on_send({step, sender, port, receiver, receiver_port, letter.blocks()});
  Processor& there = processors_[index(receiver)];
  there.runs_next = true;
  const bool entered = there.next_arrivals.emplace(receiver_port, std::move(letter)).second;
  if (!entered) note(step, sender, port, Rule::arc_capacity, 2);
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::close_step_before(RunRecord& record) {
  for (const Processor& processor : processors_) {
    if (processor.taken != 0) ++step_before_.receivers;
    if (processor.taken != 0 || !processor.sends_before.empty()) ++step_before_.active;
  }
  count_step(record);
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::count_step(RunRecord& record) {
  if (record.interrupted) step_before_.active = step_before_.senders;
  ++record.steps;
  if (step_before_.messages != 0) ++record.startups;
  record.message_times += step_before_.largest_message_blocks;
  record.largest_message_blocks =
      std::max(record.largest_message_blocks, step_before_.largest_message_blocks);
  record.hops += step_before_.messages;
  record.blocks_moved += step_before_.blocks;
  record.senders += step_before_.senders;
  record.receivers += step_before_.receivers;
  if (options_.keep_series) record.series.push_back(step_before_);
}

}  // namespace lockstep
