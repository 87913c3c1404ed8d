// SPDX-License-Identifier: Apache-2.0

/// The calls of a processor in a step.

#include <algorithm>

#include "reference/reference_machine.hpp"

namespace lockstep::reference {

ErasedArrival ReferenceMachine::take(Port port) {
  const auto found = self().arrivals.find(port);
  if (found == self().arrivals.end() || !self().taken.insert(port).second) return {};
  return {port, found->second.blocks, this};
}

ErasedArrival ReferenceMachine::take_first() {
  while (next_looked_at_ < degree())
    if (const ErasedArrival arrival = take(port(next_looked_at_++))) return arrival;
  return {};
}

/// In the own memory.
std::span<std::byte> ReferenceMachine::block(Region region, std::uint32_t slot) {
  const std::size_t size = is_control(region) ? 0 : options_.block_bytes;
  return std::span(self().regions[index(region)].bytes).subspan(slot * size, size);
}

std::uint64_t& ReferenceMachine::word_at(Region region, std::uint32_t slot) {
  return self().regions.at(index(region)).words.at(slot);
}

void ReferenceMachine::note_slot(Rule rule, Region region, std::uint32_t slot) {
  note({.step = step_, .node = turn_, .rule = rule, .count = 1, .region = region, .slot = slot});
}

/// The lowest that the processor does not have is named. `of_blocks`: control words are not meant.
bool ReferenceMachine::owns(Region region, Slots slots, bool of_blocks) {
  std::set<std::uint32_t> foreign;
  const bool exists = index(region) < self().regions.size();
  const std::size_t own = exists ? self().regions[index(region)].words.size() : 0;
  for (const std::uint32_t slot : slots)
    if (slot >= own || (of_blocks && is_control(region))) foreign.insert(slot);
  if (!foreign.empty()) note_slot(Rule::memory, region, *foreign.begin());
  return foreign.empty();
}

bool ReferenceMachine::has_word(Region region, std::uint32_t slot) {
  if (!owns(region, {&slot, 1})) return false;
  const bool has = program_.labelled() || is_control(region);
  if (!has) note_slot(Rule::memory, region, slot);
  return has;
}

/// Not what was sent in this step or the one before. Of a receive-once machine nothing
/// after its first turn.
bool ReferenceMachine::may_alter(Region region, Slots slots) {
  if (!owns(region, slots)) return false;
  const bool too_late =
      options_.receives_once && (self().first_turn != step_ || !self().sends.empty());
  std::set<std::uint32_t> read;
  for (const std::uint32_t slot : slots)
    if (too_late || self().sent.count({region, slot}) + self().sent_before.count({region, slot}))
      read.insert(slot);
  if (!read.empty()) note_slot(Rule::in_flight, region, *read.begin());
  return read.empty();
}

std::uint64_t ReferenceMachine::word(Region region, std::uint32_t slot) {
  return has_word(region, slot) ? word_at(region, slot) : poisoned_word;
}

void ReferenceMachine::set_word(Region region, std::uint32_t slot, std::uint64_t word) {
  if (has_word(region, slot) && may_alter(region, {&slot, 1})) word_at(region, slot) = word;
}

/// Block number i of a message.
std::span<std::byte> ReferenceMachine::block(ErasedArrival arrival, std::uint32_t i) {
  Letter& letter = self().arrivals.at(arrival.through);
  const std::size_t size = letter.control ? 0 : options_.block_bytes;
  return std::span(letter.bytes).subspan(i * size, size);
}

std::span<const std::byte> ReferenceMachine::bytes(Region region, std::uint32_t slot) {
  if (!owns(region, {&slot, 1}, true)) return {};
  return block(region, slot);
}

void ReferenceMachine::store(ErasedArrival arrival, Region region, Slots slots) {
  if (!may_alter(region, slots)) return;
  const bool control = arrival && self().arrivals.at(arrival.through).control;
  const bool met = arrival.blocks() == slots.size() && control == is_control(region);
  if (!met) note_unmet(slots.size(), arrival.blocks());
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    self().stored[{region, slots[i]}] = step_;
    keep(region, slots[i], arrival);
    const std::span<std::byte> to = block(region, slots[i]);
    if (met)
      std::ranges::copy(block(arrival, i), to.begin());
    else
      std::ranges::fill(to, poison);
    word_at(region, slots[i]) = met ? word(arrival, i) : poisoned_word;
  }
}

/// Switches have none.
bool ReferenceMachine::has_host() {
  if (index(turn_) < network_.processor_count()) return true;
  note({step_, turn_, Port{}, Rule::host, 1});
  return false;
}

void ReferenceMachine::deliver(ErasedArrival arrival, std::uint32_t i, Origin origin) {
  if (!has_host()) return;
  if (i + host_.parts_per_block() > arrival.blocks()) {
    if (arrival.blocks() != 0 && options_.fault.kind == FaultKind::none)
      return note({step_, turn_, arrival.through, Rule::arrival, 1});
    return note_unmet(i + host_.parts_per_block(), arrival.blocks());
  }
  const Letter& letter = self().arrivals.at(arrival.through);
  if (letter.control) return note_slot(Rule::memory, letter.region, i);
  accept(block(arrival, i).data(), origin);
}

void ReferenceMachine::deliver(Region region, std::uint32_t slot, Origin origin) {
  if (has_host() && owns(region, parts_from(slot), true))
    accept(block(region, slot).data(), origin);
}

/// The slots of a block of the host's.
std::vector<std::uint32_t> ReferenceMachine::parts_from(std::uint32_t slot) const {
  std::vector<std::uint32_t> slots;
  for (std::uint64_t part = 0; part < host_.parts_per_block(); ++part)
    slots.push_back(slot + static_cast<std::uint32_t>(part));
  return slots;
}

/// The lowest of the first step.
void ReferenceMachine::note_unmet(std::uint64_t wanted, std::uint64_t arrived) {
  ++unmet_stores_;
  const UnmetUse use{step_, turn_, wanted, arrived};
  if (!first_unmet_ || use < *first_unmet_) first_unmet_ = use;
}

void ReferenceMachine::accept(const std::byte* bytes, Origin origin) {
  const Delivery delivery{bytes, origin, turn_};
  DeliveryTally tally;
  host_.accept(std::span(&delivery, 1), tally);
  if (tally.first_corrupted) tally.first_corrupted->step = step_;
  deliveries_ += tally;
}

void ReferenceMachine::load(Region region, std::uint32_t slot, Origin origin, NodeId destination) {
  const std::vector<std::uint32_t> slots = parts_from(slot);
  if (!has_host() || !owns(region, slots, true) || !may_alter(region, slots)) return;
  for (const std::uint32_t part : slots) self().stored.erase({region, part});
  ++loads_;
  host_.load(block(region, slot).data(), turn_, origin, destination);
}

ReferenceMachine::Letter ReferenceMachine::letter_of(Region region, Slots slots) {
  Letter letter{.bytes = {},
                .words = {},
                .region = region,
                .control = is_control(region),
                .blocks = static_cast<std::uint32_t>(slots.size())};
  for (const std::uint32_t slot : slots) {
    const std::span<std::byte> bytes = block(region, slot);
    letter.bytes.insert(letter.bytes.end(), bytes.begin(), bytes.end());
    letter.words.push_back(word_at(region, slot));
    const auto stored = self().stored.find({region, slot});
    if (options_.watch_waits && !letter.control && stored != self().stored.end() &&
        stored->second != step_)
      letter.waits.push_back(step_ - stored->second);
  }
  return letter;
}

void ReferenceMachine::send_over(std::optional<Route> route, std::vector<Port> ports, Region region,
                                 Slots slots) {
  const Port first = ports.front();
  if (last_call()) return note({step_, turn_, first, Rule::after_end, 1});
  NodeId at = turn_;
  for (const Port port : ports) {
    if (index(port) >= network_.degree(at)) return note({step_, at, port, Rule::port, 1});
    at = network_.neighbor(at, port);
  }
  if (ports.size() > 1 && options_.model.switching == Switching::packet)
    return note({step_, turn_, first, Rule::switching, ports.size()});
  if (slots.empty()) return note_slot(Rule::memory, region, 0);
  if (!owns(region, slots)) return;
  Letter letter = letter_of(region, slots);
  letter.route = route;
  letter.ports = std::move(ports);
  for (const std::uint32_t slot : slots) self().sent.insert({region, slot});
  note_leaving(region, slots, first);
  count_send(letter);
  if (options_.fault.strikes(step_, turn_))
    send_harmed(std::move(letter));
  else
    take_off(turn_, std::move(letter));
}

void ReferenceMachine::count_send(const Letter& letter) {
  if (waits_.blocks == 0 && !letter.waits.empty()) {
    waits_.first_step = step_;  // senders run in the order of their numbers
    waits_.first_node = turn_;
  }
  waits_.blocks += letter.waits.size();
  for (const std::uint64_t steps : letter.waits)
    waits_.longest_steps = std::max(waits_.longest_steps, steps);
  if (self().sends.empty()) ++(is_switch(turn_) ? this_step_.switch_senders : this_step_.senders);
  const Port port = letter.ports.front();
  self().sends.push_back(port);
  ++this_step_.messages;
  this_step_.hops += letter.ports.size();
  std::uint64_t& moved = letter.control ? this_step_.control_words : this_step_.blocks;
  std::uint64_t& most =
      letter.control ? this_step_.largest_control_words : this_step_.largest_message_blocks;
  moved += letter.blocks;
  most = std::max<std::uint64_t>(most, letter.blocks);
  this_step_.ports_used |= std::uint64_t{1} << std::min<unsigned>(index(port), 63);
}

/// Corruption strikes all that the processor sends in the step, any other fault the first message.
void ReferenceMachine::send_harmed(Letter letter) {
  const Fault& fault = options_.fault;
  const bool first = self().sends.size() == 1;
  if (fault.kind == FaultKind::corrupt && letter.control)
    letter.words.front() ^= std::uint64_t{1} << (8 * (fault.corrupt_byte % 8));
  else if (fault.kind == FaultKind::corrupt && options_.block_bytes != 0)
    letter.bytes[fault.corrupt_byte] ^= std::byte{1};
  if (fault.kind == FaultKind::drop && first) return;
  if (fault.kind == FaultKind::misroute && first) letter.ports = {fault.wrong_port};
  if (fault.kind == FaultKind::duplicate && first) duplicated_ = letter;
  take_off(turn_, std::move(letter));
}

}  // namespace lockstep::reference
