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

bool ReferenceMachine::may(const MemoryMove& move) {
  return std::visit(
      [this](const auto& blocks) {
        const auto named = [this](const Blocks& some) {
          return owns(some.region, slots_of(some), true);
        };
        const auto alters = blocks.alters();
        const auto differs = [&](const Blocks& some) { return some.count != alters[0].count; };
        if (std::ranges::any_of(blocks.reads(), differs) || std::ranges::any_of(alters, differs))
          throw InvalidParameter("combine, copy: of different size");
        return std::ranges::all_of(blocks.reads(), named) && std::ranges::all_of(alters, named) &&
               std::ranges::all_of(alters, [this](const Blocks& some) {
                 return may_alter(some.region, slots_of(some));
               });
      },
      move);
}

/// What is read is read before anything is written.
void ReferenceMachine::perform(const MemoryMove& move) {
  if (!may(move)) return;
  const auto write = [this](Region region, std::uint32_t slot, const Kept& kept) {
    self().stored[{region, slot}] = step_;
    keep(region, slot, kept);
    return block(region, slot);
  };
  if (const auto* combine = std::get_if<CombineBlocks>(&move)) {
    const auto& [left, right, into] = *combine;
    for (std::uint32_t i = 0; i < into.count; ++i) {
      const Kept kept = kept_in(left.region, left.first + i);
      combine_blocks(write(into.region, into.first + i, kept), block(left.region, left.first + i),
                     block(right.region, right.first + i));
    }
  }
  if (const auto* copy = std::get_if<CopyBlocks>(&move)) {
    const auto& [own, into] = *copy;
    const Letter copied = letter_of(own.region, slots_of(own));
    std::vector<Kept> kept;
    for (std::uint32_t i = 0; i < own.count; ++i)
      kept.push_back(kept_in(own.region, own.first + i));
    for (std::uint32_t i = 0; i < into.count; ++i) {
      const std::span<std::byte> to = write(into.region, into.first + i, kept[i]);
      std::ranges::copy(std::span(copied.bytes).subspan(i * to.size(), to.size()), to.begin());
      word_at(into.region, into.first + i) = copied.words[i];
    }
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
