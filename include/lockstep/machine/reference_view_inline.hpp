// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of reference_machine.hpp: what a processor may do in a step.

#include <algorithm>

#include "lockstep/core/expects.hpp"
#include "lockstep/machine/reference_machine.hpp"

namespace lockstep {

template <class Net, class Prog, class H>
auto ReferenceMachine<Net, Prog, H>::View::take(Port port) -> Letter {
  const auto found = self().arrivals.find(port);
  if (found == self().arrivals.end()) return {};
  Letter letter = std::move(found->second);
  self().arrivals.erase(found);
  ++self().taken;
  return letter;
}

template <class Net, class Prog, class H>
auto ReferenceMachine<Net, Prog, H>::View::take_first() -> Letter {
  const auto found = self().arrivals.lower_bound(next_looked_at_);
  if (found == self().arrivals.end()) return {};
  const Port first = found->first;
  next_looked_at_ = port(index(first) + 1);
  return take(first);
}

template <class Net, class Prog, class H>
std::span<std::byte> ReferenceMachine<Net, Prog, H>::View::block(Region region,
                                                                 std::uint32_t slot) {
  const std::size_t size = machine_.options_.block_bytes;
  std::vector<std::byte>& bytes = self().regions.at(index(region));
  expects(slot < machine_.region_blocks_.at(index(region)), "the block lies in its region");
  return std::span<std::byte>(bytes).subspan(slot * size, size);
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::View::store(const Letter& letter, Blocks into) {
  std::vector<std::uint32_t> slots(into.count);
  for (std::uint32_t i = 0; i < into.count; ++i) slots[i] = into.first + i;
  store(letter, into.region, slots);
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::View::store(const Letter& letter, Region region,
                                                 std::span<const std::uint32_t> slots) {
  const std::size_t size = machine_.options_.block_bytes;
  if (letter.blocks() != slots.size()) ++machine_.unmet_stores_;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    self().arrived[{region, slots[i]}] = machine_.step_;
    const std::span<std::byte> to = block(region, slots[i]);
    if (letter.blocks() == slots.size())
      std::copy_n(letter.bytes.begin() + static_cast<std::ptrdiff_t>(i * size), size, to.begin());
    else
      std::fill(to.begin(), to.end(), poison);
  }
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::View::deliver(const Letter& letter, std::uint32_t i,
                                                   NodeId source) {
  if (i >= letter.blocks()) return;
  const std::size_t size = machine_.options_.block_bytes;
  machine_.hand_over(node_, std::span(letter.bytes).subspan(i * size, size), source);
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::View::deliver(Region region, std::uint32_t slot,
                                                   NodeId source) {
  machine_.hand_over(node_, block(region, slot), source);
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::hand_over(NodeId destination, std::span<const std::byte> block,
                                               NodeId source) {
  const Delivery delivery{block.data(), source, destination};
  host_.accept(std::span(&delivery, 1), deliveries_);
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::View::load(Region region, std::uint32_t slot,
                                                NodeId destination) {
  self().arrived.erase({region, slot});
  machine_.host_.load(block(region, slot).data(), node_, destination);
}

/// Adds a block of the own memory to a letter.
template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::View::read(Letter& letter, Region region, std::uint32_t slot) {
  const std::span<std::byte> bytes = block(region, slot);
  letter.bytes.insert(letter.bytes.end(), bytes.begin(), bytes.end());
  ++letter.block_count;
  const auto arrived = self().arrived.find({region, slot});
  if (machine_.options_.watch_waits && arrived != self().arrived.end() &&
      arrived->second != machine_.step_)
    letter.waits.push_back(machine_.step_ - arrived->second);
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::View::send(Port port, Blocks blocks) {
  Letter letter;
  for (std::uint32_t i = 0; i < blocks.count; ++i) read(letter, blocks.region, blocks.first + i);
  machine_.send(node_, port, std::move(letter));
}

template <class Net, class Prog, class H>
void ReferenceMachine<Net, Prog, H>::View::send(Port port, Region region, GatherList list) {
  Letter letter;
  for (const std::uint32_t slot : machine_.program_.gather_list(list)) read(letter, region, slot);
  machine_.send(node_, port, std::move(letter));
}

}  // namespace lockstep
