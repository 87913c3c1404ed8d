// SPDX-License-Identifier: Apache-2.0

/// What becomes of blocks that are combined, or copied.

#include <algorithm>

#include "lockstep/core/errors.hpp"
#include "reference/reference_machine.hpp"

namespace lockstep::reference {

void ReferenceMachine::combine(ErasedArrival arrival, Places own, Places into, Operands order) {
  if (own.slots.size() != into.slots.size()) throw InvalidParameter("combine: of different size");
  if (!owns(own.region, own.slots, true) || !owns(into.region, into.slots, true) ||
      !may_alter(into.region, into.slots))
    return;
  const bool blocks = !arrival || !self().arrivals.at(arrival.through).control;
  const bool met = blocks && arrival.blocks() == into.slots.size();
  if (!met) ++unmet_stores_;
  for (std::uint32_t i = 0; i < into.slots.size(); ++i) {
    const std::span<std::byte> to = block(into.region, into.slots[i]);
    self().stored[{into.region, into.slots[i]}] = step_;
    keep(into.region, into.slots[i], arrival);
    if (!met) {
      std::ranges::fill(to, poison);
      word_at(into.region, into.slots[i]) = poisoned_word;
      continue;
    }
    const std::span<std::byte> mine = block(own.region, own.slots[i]);
    const std::span<std::byte> other = block(arrival, i);
    if (order == Operands::own_first)
      combine_blocks(to, mine, other);
    else
      combine_blocks(to, other, mine);
  }
}

void ReferenceMachine::combine(Places left, Places right, Places into) {
  if (left.slots.size() != into.slots.size() || right.slots.size() != into.slots.size())
    throw InvalidParameter("combine: of different size");
  if (!owns(left.region, left.slots, true) || !owns(right.region, right.slots, true) ||
      !owns(into.region, into.slots, true) || !may_alter(into.region, into.slots))
    return;
  for (std::uint32_t i = 0; i < into.slots.size(); ++i) {
    self().stored[{into.region, into.slots[i]}] = step_;
    keep(into.region, into.slots[i], kept_in(left.region, left.slots[i]));
    combine_blocks(block(into.region, into.slots[i]), block(left.region, left.slots[i]),
                   block(right.region, right.slots[i]));
  }
}

void ReferenceMachine::copy(Places own, Places into) {
  if (own.slots.size() != into.slots.size()) throw InvalidParameter("copy: of different size");
  if (!owns(own.region, own.slots, true) || !owns(into.region, into.slots, true) ||
      !may_alter(into.region, into.slots))
    return;
  const Letter copied = letter_of(own.region, own.slots);
  std::vector<Kept> kept;
  for (const std::uint32_t slot : own.slots) kept.push_back(kept_in(own.region, slot));
  for (std::size_t i = 0; i < into.slots.size(); ++i) {
    const std::span<std::byte> to = block(into.region, into.slots[i]);
    self().stored[{into.region, into.slots[i]}] = step_;
    keep(into.region, into.slots[i], kept[i]);
    std::ranges::copy(std::span(copied.bytes).subspan(i * to.size(), to.size()), to.begin());
    word_at(into.region, into.slots[i]) = copied.words[i];
  }
}

/// Of copies: nothing is written while it is read.
void ReferenceMachine::combine_blocks(std::span<std::byte> into, std::span<const std::byte> left,
                                      std::span<const std::byte> right) {
  const std::vector<std::byte> first(left.begin(), left.end());
  const std::vector<std::byte> second(right.begin(), right.end());
  std::vector<std::byte> result(into.size());
  host_.combine(result.data(), first.data(), second.data(), options_.block_bytes, 1);
  std::ranges::copy(result, into.begin());
}

}  // namespace lockstep::reference
