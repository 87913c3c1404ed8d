// SPDX-License-Identifier: Apache-2.0
#include "reference/reference_machine.hpp"

/// The steps of a run, in order, and what is counted.

#include <algorithm>

#include "lockstep/core/errors.hpp"

namespace lockstep::reference {
namespace {

/// Adds a step to the run, or to one of its phases.
template <class Record>
void add_step(const StepRecord& step, Record& record) {
  ++record.steps;
  if (step.messages != 0) ++record.startups;
  record.message_times += step.largest_message_blocks;
  record.control_words += step.largest_control_words;
  record.largest_message_blocks =
      std::max(record.largest_message_blocks, step.largest_message_blocks);
  record.messages_sent += step.messages;
  record.hops += step.hops;
  record.blocks_moved += step.blocks;
}

}  // namespace

ReferenceMachine::ReferenceMachine(const Network& network, const ErasedProgram& program, Host& host,
                                   ReferenceOptions options)
    : network_(network),
      program_(program),
      host_(host),
      options_(std::move(options)),
      last_step_(program.step_count()),
      phases_(program.phases()),
      processors_(network.node_count()) {
  const Fault& fault = options_.fault;
  if (fault.kind != FaultKind::none && index(fault.sender) >= network.node_count())
    throw InvalidParameter("fault: no such sender");
  if (fault.kind == FaultKind::misroute && index(fault.wrong_port) >= network.degree(fault.sender))
    throw InvalidParameter("fault: the sender has no such port");
  if (fault.kind == FaultKind::corrupt && options_.block_bytes != 0 &&
      fault.corrupt_byte >= options_.block_bytes)
    throw InvalidParameter("fault: the block has no such byte");
  for (const Region region : program.control_regions()) control_.insert(region);
  for (std::uint64_t u = 0; u < processors_.size(); ++u) {
    processors_[u].variables = program.memory(NodeId{u});
    for (const std::uint32_t slots : program.regions_of(NodeId{u})) {
      const auto region = static_cast<Region>(processors_[u].regions.size());
      const std::size_t bytes = is_control(region) ? 0 : slots * options_.block_bytes;
      processors_[u].regions.push_back(
          {std::vector(bytes, poison), std::vector(slots, poisoned_word)});
    }
  }
  if (program.activity() == Activity::sparse)
    for (const NodeId node : program.starts()) processors_.at(index(node)).runs_next = true;
}

RunRecord ReferenceMachine::run() {
  RunRecord record;
  record.nodes = network_.node_count();
  record.block_bytes = options_.block_bytes;
  record.processors = network_.processor_count();
  for (const Phase& phase : phases_)
    record.phases.push_back({.name = phase.name, .first_step = phase.first_step});
  for (step_ = 0;; ++step_) {
    begin_step();
    const std::uint64_t loads_before = loads_;
    run_programs();
    land_all();
    judge_sends();
    judge_refused();
    judge_arrivals_of_step_before();
    if (step_ > 0) count_step_before(record);
    const bool stops = must_stop(record);
    if (stops) loads_ = loads_before;  // of a step that is not judged
    if (stops || last_call()) break;
    if (!last_step_ && is_idle()) break;
    step_before_ = this_step_;
  }
  record.deliveries = deliveries_;
  record.blocks_loaded = loads_;
  record.stores_without_message = unmet_stores_;
  record.first_unmet = first_unmet_;
  record.waits = waits_;
  record.waits.watched = options_.watch_waits;
  if (options_.measure_queues) record.queues = largest_queues();
  return record;
}

bool ReferenceMachine::is_idle() const {
  const bool someone_stays = std::ranges::any_of(processors_, &Processor::asked_to_stay);
  return this_step_.messages == 0 && !someone_stays && step_ >= program_.last_start();
}

void ReferenceMachine::begin_step() {
  this_step_ = StepRecord{.step = step_};
  const bool dense = program_.activity() == Activity::dense;
  for (Processor& processor : processors_) {
    processor.arrivals = std::exchange(processor.next_arrivals, {});
    processor.taken.clear();
    processor.arrived_through.clear();
    processor.refused_through.clear();
    for (const auto& [port, letter] : processor.arrivals) processor.arrived_through.push_back(port);
    if (options_.one_message_per_node && processor.arrivals.size() > 1)
      processor.arrivals.erase(std::next(processor.arrivals.begin()), processor.arrivals.end());
    processor.sent_before = std::exchange(processor.sent, {});
    processor.sends_before = std::exchange(processor.sends, {});
    processor.runs = dense || processor.runs_next || processor.asked_to_stay;
    processor.has_run = processor.has_run || processor.runs;
    processor.runs_next = false;
    processor.asked_to_stay = false;
  }
  for (const std::uint32_t node : program_.starts_in(step_)) {
    processors_.at(node).runs = true;
    processors_[node].has_run = true;
  }
  if (auto again = std::exchange(duplicated_, std::nullopt))
    take_off(options_.fault.sender, std::move(*again));
}

void ReferenceMachine::run_programs() {
  for (std::uint64_t u = 0; u < processors_.size(); ++u) {
    if (!processors_[u].runs) continue;
    turn_ = NodeId{u};
    self().first_turn = std::min(self().first_turn, step_);
    next_looked_at_ = 0;
    program_.run(*this, self().variables.get());
  }
}

/// A second message through one lane does not leave.
void ReferenceMachine::take_off(NodeId sender, Letter letter) {
  Flight flight{.name = {sender, letter.ports.front(), false}, .links = {}, .letter = {}};
  NodeId at = sender;
  for (const Port port : letter.ports) {
    flight.links.push_back({at, port});
    at = network_.neighbor(at, port);
  }
  const auto [last, out] = flight.links.back();
  if (options_.on_send) {
    const std::vector<LinkName> further(flight.links.begin() + 1, flight.links.end());
    options_.on_send({step_, sender, letter.ports.front(), at, network_.reverse_port(last, out),
                      letter.control ? 0 : letter.blocks, letter.control ? letter.blocks : 0,
                      further});
  }
  if (!lanes_.insert(flight.links.front()).second)
    return note({step_, sender, letter.ports.front(), Rule::arc_capacity, 2});
  Processor& there = processors_[index(at)];
  there.runs_next = there.runs_next || !refuses(there);
  flight.letter = std::move(letter);
  flights_.push_back(std::move(flight));
}

/// The lowest message on a link keeps it; a message that ends there and is not the lowest is lost.
void ReferenceMachine::land_all() {
  lanes_.clear();
  std::map<LinkName, std::map<LinkName, MessageName>> takers;  // by link, by start
  std::map<LinkName, std::uint64_t> times;
  for (const Flight& flight : flights_)
    for (const LinkName& link : flight.links) {
      MessageName name = flight.name;
      name.arrives = link == flight.links.back();
      takers[link][flight.links.front()] = name;
      ++times[link];
    }
  for (const auto& [link, messages] : takers) {
    if (times[link] == 1) continue;
    const MessageName& lowest = messages.begin()->second;
    const MessageName& second = messages.size() == 1 ? lowest : std::next(messages.begin())->second;
    note({.step = step_,
          .node = link.from,
          .port = link.through,
          .rule = Rule::link_held,
          .count = std::max<std::uint64_t>(messages.size(), 2),
          .one = lowest,
          .other = second});
  }
  for (Flight& flight : std::exchange(flights_, {})) {
    const auto [last, out] = flight.links.back();
    if (takers[flight.links.back()].begin()->first != flight.links.front()) continue;
    Processor& there = processors_[index(network_.neighbor(last, out))];
    if (refuses(there)) {
      there.refused_through.insert(network_.reverse_port(last, out));
      continue;
    }
    there.next_arrivals.emplace(network_.reverse_port(last, out), std::move(flight.letter));
  }
}

void ReferenceMachine::count_step_before(RunRecord& record) {
  for (std::uint64_t u = 0; u < processors_.size(); ++u) {
    const Processor& processor = processors_[u];
    const bool above = is_switch(NodeId{u});
    if (!processor.taken.empty())
      ++(above ? step_before_.switch_receivers : step_before_.receivers);
    if (!processor.taken.empty() || !processor.sends_before.empty())
      ++(above ? step_before_.switches_active : step_before_.active);
  }
  add_step(step_before_, record);
  record.control_words_moved += step_before_.control_words;
  if (program_.labelled()) record.envelope_bytes += 8 * step_before_.blocks;
  record.senders += step_before_.senders;
  record.receivers += step_before_.receivers;
  record.switch_senders += step_before_.switch_senders;
  record.switch_receivers += step_before_.switch_receivers;
  count_in_phase(record.phases);
  if (options_.keep_series) record.series.push_back(step_before_);
}

/// A step belongs to the phase that has begun and is not over: the next one begins later.
void ReferenceMachine::count_in_phase(std::vector<PhaseRecord>& phases) const {
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const bool begun = phases_[i].first_step <= step_before_.step;
    const bool over = i + 1 < phases_.size() && phases_[i + 1].first_step <= step_before_.step;
    if (begun && !over) add_step(step_before_, phases[i]);
  }
}

}  // namespace lockstep::reference
