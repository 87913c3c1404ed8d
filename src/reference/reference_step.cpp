// SPDX-License-Identifier: Apache-2.0

/// What a processor may do in a step.

#include <algorithm>

#include "lockstep/core/expects.hpp"
#include "reference/reference_machine.hpp"

namespace lockstep::reference {

ErasedArrival ReferenceMachine::take(Port port) {
  const auto found = self().arrivals.find(port);
  if (found == self().arrivals.end() || !self().taken.insert(port).second) return {};
  return {port, found->second.blocks};
}

ErasedArrival ReferenceMachine::take_first() {
  while (next_looked_at_ < degree())
    if (const ErasedArrival arrival = take(port(next_looked_at_++))) return arrival;
  return {};
}

/// In the own memory.
std::span<std::byte> ReferenceMachine::block(Region region, std::uint32_t slot) {
  expects(slot < region_blocks_.at(index(region)), "the block lies in its region");
  const std::size_t size = options_.block_bytes;
  return std::span(self().regions[index(region)]).subspan(slot * size, size);
}

/// Of a message.
std::span<std::byte> ReferenceMachine::block(ErasedArrival arrival, std::uint32_t i) {
  const std::size_t size = options_.block_bytes;
  return std::span(self().arrivals.at(arrival.through).bytes).subspan(i * size, size);
}

void ReferenceMachine::store(ErasedArrival arrival, Region region, Slots slots) {
  const bool met = arrival.blocks() == slots.size();
  if (!met) ++unmet_stores_;
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    self().stored[{region, slots[i]}] = step_;
    const std::span<std::byte> to = block(region, slots[i]);
    if (met)
      std::ranges::copy(block(arrival, i), to.begin());
    else
      std::ranges::fill(to, poison);
  }
}

/// Switches have none.
bool ReferenceMachine::has_host() {
  if (index(turn_) < network_.processor_count()) return true;
  note(step_, turn_, Port{}, Rule::host, 1);
  return false;
}

void ReferenceMachine::deliver(ErasedArrival arrival, std::uint32_t i, Origin origin) {
  if (has_host() && i < arrival.blocks()) accept(block(arrival, i).data(), origin);
}

void ReferenceMachine::deliver(Region region, std::uint32_t slot, Origin origin) {
  if (has_host()) accept(block(region, slot).data(), origin);
}

void ReferenceMachine::accept(const std::byte* bytes, Origin origin) {
  const Delivery delivery{bytes, origin, turn_};
  host_.accept(std::span(&delivery, 1), deliveries_);
}

void ReferenceMachine::load(Region region, std::uint32_t slot, Origin origin, NodeId destination) {
  if (!has_host()) return;
  self().stored.erase({region, slot});
  host_.load(block(region, slot).data(), turn_, origin, destination);
}

ReferenceMachine::Letter ReferenceMachine::letter_of(Region region, Slots slots) {
  Letter letter{.bytes = {}, .blocks = static_cast<std::uint32_t>(slots.size())};
  for (const std::uint32_t slot : slots) {
    const std::span<std::byte> bytes = block(region, slot);
    letter.bytes.insert(letter.bytes.end(), bytes.begin(), bytes.end());
    const auto stored = self().stored.find({region, slot});
    if (options_.watch_waits && stored != self().stored.end() && stored->second != step_)
      letter.waits.push_back(step_ - stored->second);
  }
  return letter;
}

void ReferenceMachine::send(Port port, Region region, Slots slots) {
  expects(!slots.empty(), "a message holds at least one block");
  Letter letter = letter_of(region, slots);
  if (last_call()) return note(step_, turn_, port, Rule::after_end, 1);
  if (index(port) >= degree()) return note(step_, turn_, port, Rule::port, 1);
  count_send(port, letter);
  if (options_.fault.strikes(step_, turn_))
    send_harmed(port, std::move(letter));
  else
    enter_arc(turn_, port, std::move(letter));
}

void ReferenceMachine::count_send(Port port, const Letter& letter) {
  if (waits_.blocks == 0 && !letter.waits.empty()) {
    waits_.first_step = step_;  // senders run in the order of their numbers
    waits_.first_node = turn_;
  }
  waits_.blocks += letter.waits.size();
  for (const std::uint64_t steps : letter.waits)
    waits_.longest_steps = std::max(waits_.longest_steps, steps);
  if (self().sends.empty()) ++this_step_.senders;
  self().sends.push_back(port);
  ++this_step_.messages;
  this_step_.blocks += letter.blocks;
  this_step_.largest_message_blocks =
      std::max<std::uint64_t>(this_step_.largest_message_blocks, letter.blocks);
  this_step_.ports_used |= std::uint64_t{1} << std::min<unsigned>(index(port), 63);
}

/// Corruption strikes all that the processor sends in the step, any other fault the first message.
void ReferenceMachine::send_harmed(Port port, Letter letter) {
  const Fault& fault = options_.fault;
  const bool first = self().sends.size() == 1;
  if (fault.kind == FaultKind::corrupt && options_.block_bytes != 0)
    letter.bytes[fault.corrupt_byte] ^= std::byte{1};
  if (fault.kind == FaultKind::drop && first) return;
  if (fault.kind == FaultKind::misroute && first) port = fault.wrong_port;
  if (fault.kind == FaultKind::duplicate && first) duplicated_.emplace(port, letter);
  enter_arc(turn_, port, std::move(letter));
}

}  // namespace lockstep::reference
