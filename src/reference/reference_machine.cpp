// SPDX-License-Identifier: Apache-2.0
#include "reference/reference_machine.hpp"

/// The steps of a run, in order, and what is counted.

#include <algorithm>

#include "lockstep/core/errors.hpp"

namespace lockstep::reference {

ReferenceMachine::ReferenceMachine(const Network& network, const ErasedProgram& program, Host& host,
                                   ReferenceOptions options)
    : network_(network),
      program_(program),
      host_(host),
      options_(std::move(options)),
      last_step_(program.step_count()),
      region_blocks_(program.regions()),
      processors_(network.node_count()) {
  const Fault& fault = options_.fault;
  if (fault.kind != FaultKind::none && index(fault.sender) >= network.node_count())
    throw InvalidParameter("fault: no such sender");
  if (fault.kind == FaultKind::misroute && index(fault.wrong_port) >= network.degree(fault.sender))
    throw InvalidParameter("fault: the sender has no such port");
  if (fault.kind == FaultKind::corrupt && options_.block_bytes != 0 &&
      fault.corrupt_byte >= options_.block_bytes)
    throw InvalidParameter("fault: the block has no such byte");
  for (Processor& processor : processors_) {
    processor.variables = program.memory();
    for (const std::uint32_t blocks : region_blocks_)
      processor.regions.emplace_back(blocks * options_.block_bytes, poison);
  }
  if (program.activity() == Activity::sparse)
    for (const NodeId node : program.starts()) processors_.at(index(node)).runs_next = true;
}

RunRecord ReferenceMachine::run() {
  RunRecord record;
  record.nodes = network_.node_count();
  record.block_bytes = options_.block_bytes;
  record.processors = network_.processor_count();
  for (step_ = 0;; ++step_) {
    begin_step();
    run_programs();
    judge_sends();
    judge_arrivals_of_step_before();
    if (step_ > 0) count_step_before(record);
    if (must_stop(record) || last_call()) break;
    if (!last_step_ && is_idle()) break;
    step_before_ = this_step_;
  }
  record.deliveries = deliveries_;
  record.unmet_stores = unmet_stores_;
  record.waits = waits_;
  record.waits.watched = options_.watch_waits;
  return record;
}

bool ReferenceMachine::is_idle() const {
  const bool someone_stays =
      std::any_of(processors_.begin(), processors_.end(),
                  [](const Processor& processor) { return processor.asked_to_stay; });
  return this_step_.messages == 0 && !someone_stays;
}

void ReferenceMachine::begin_step() {
  this_step_ = StepRecord{.step = step_};
  const bool dense = program_.activity() == Activity::dense;
  for (Processor& processor : processors_) {
    processor.arrivals = std::exchange(processor.next_arrivals, {});
    processor.taken.clear();
    processor.arrived_through.clear();
    for (const auto& [port, letter] : processor.arrivals) processor.arrived_through.push_back(port);
    if (options_.one_message_per_node && processor.arrivals.size() > 1)
      processor.arrivals.erase(std::next(processor.arrivals.begin()), processor.arrivals.end());
    processor.sends_before = std::exchange(processor.sends, {});
    processor.runs = dense || processor.runs_next || processor.asked_to_stay;
    processor.runs_next = false;
    processor.asked_to_stay = false;
  }
  if (auto again = std::exchange(duplicated_, std::nullopt))
    enter_arc(options_.fault.sender, again->first, std::move(again->second));
}

void ReferenceMachine::run_programs() {
  for (std::uint64_t u = 0; u < processors_.size(); ++u) {
    if (!processors_[u].runs) continue;
    turn_ = NodeId{u};
    next_looked_at_ = 0;
    program_.run(*this, self().variables.get());
  }
}

void ReferenceMachine::enter_arc(NodeId sender, Port port, Letter letter) {
  const NodeId receiver = network_.neighbor(sender, port);
  const Port receiver_port = network_.reverse_port(sender, port);
  if (options_.on_send)
    options_.on_send({step_, sender, port, receiver, receiver_port, letter.blocks});
  Processor& there = processors_[index(receiver)];
  there.runs_next = true;
  const bool entered = there.next_arrivals.emplace(receiver_port, std::move(letter)).second;
  if (!entered) note(step_, sender, port, Rule::arc_capacity, 2);
}

void ReferenceMachine::count_step_before(RunRecord& record) {
  for (const Processor& processor : processors_) {
    if (!processor.taken.empty()) ++step_before_.receivers;
    if (!processor.taken.empty() || !processor.sends_before.empty()) ++step_before_.active;
  }
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

}  // namespace lockstep::reference
