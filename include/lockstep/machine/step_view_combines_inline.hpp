// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of step_view.hpp: how blocks are combined; what is noted of arrivals and sends.

#include "lockstep/machine/step_view.hpp"

namespace lockstep {

namespace detail {

/// into <- own o arrived, or the other way round.
inline void combine(Host& host, std::byte* into, const std::byte* own, const std::byte* arrived,
                    std::size_t block_bytes, std::uint32_t blocks, Operands order) {
  const bool own_first = order == Operands::own_first;
  host.combine(into, own_first ? own : arrived, own_first ? arrived : own, block_bytes, blocks);
}

}  // namespace detail

template <class Pass>
void StepView<Pass>::combine(const Arrival& arrival, Blocks own, Blocks into, Operands order) {
  check_counts(own.count, into.count);
  if (!is_mine(arrival) || !owns_blocks(own) || !owns_blocks(into) || !may_alter(into)) [[unlikely]]
    return;
  std::byte* const to = address(into.region, into.first);
  const std::byte* const mine = address(own.region, own.first);
  const std::size_t apart = pass_.slot_bytes(into.region);
  for (std::uint32_t i = 0; i < into.count; ++i)
    note_stored(into.region, into.first + i, arrival.port());
  if (!fits(arrival, into.region, into.count)) [[unlikely]] {
    ++pass_.counts.unmet_stores;
    return detail::poison_bytes(to, into.count * apart);
  }
  const bool consecutive = arrival.list_ == nullptr && apart == pass_.block_bytes;
  if (consecutive && !arrival.corrupted_) [[likely]]
    return detail::combine(*pass_.host, to, mine, arrival.memory_, apart, into.count, order);
  for (std::uint32_t i = 0; i < into.count; ++i)
    detail::combine(*pass_.host, to + i * apart, mine + i * apart, arrived(arrival, i, apart),
                    pass_.block_bytes, 1, order);
}

template <class Pass>
void StepView<Pass>::combine(const Arrival& arrival, Region region,
                             std::span<const std::uint32_t> slots, Operands order) {
  if (!slots.empty() && pass_.is_control(region)) [[unlikely]]
    return pass_.judge.slot(node_, Rule::memory, region, std::ranges::min(slots));
  if (!is_mine(arrival) || !may_alter(region, slots)) [[unlikely]]
    return;
  const std::size_t apart = pass_.slot_bytes(region);
  const bool complete = fits(arrival, region, slots.size());
  if (!complete) ++pass_.counts.unmet_stores;
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    std::byte* const own = address(region, slots[i]);
    note_stored(region, slots[i], arrival.port());
    if (complete)
      detail::combine(*pass_.host, own, own, arrived(arrival, i, apart), pass_.block_bytes, 1,
                      order);
    else
      detail::poison_bytes(own, apart);
  }
}

/// Whether all that it names is the node's own, of one size, and read by nobody where it alters.
template <class Pass>
template <class Move>
bool StepView<Pass>::may(const Move& move) {
  const auto reads = move.reads();
  const auto alters = move.alters();
  for (const Blocks& blocks : reads) check_counts(blocks.count, alters[0].count);
  for (const Blocks& blocks : alters) check_counts(blocks.count, alters[0].count);
  for (const Blocks& blocks : reads)
    if (!owns_blocks(blocks)) return false;
  for (const Blocks& blocks : alters)
    if (!owns_blocks(blocks) || !may_alter(blocks)) return false;
  return true;
}

template <class Pass>
void StepView<Pass>::perform(const CombineBlocks& move) {
  if (!may(move)) [[unlikely]]
    return;
  const auto& [left, right, into] = move;
  std::byte* const to = address(into.region, into.first);
  const std::byte* const first = address(left.region, left.first);
  const std::byte* const second = address(right.region, right.first);
  const std::size_t apart = pass_.slot_bytes(into.region);
  for (std::uint32_t i = 0; i < into.count; ++i) {
    note_copied({left.region, left.first + i, 1}, {into.region, into.first + i, 1});
    pass_.host->combine(to + i * apart, first + i * apart, second + i * apart, pass_.block_bytes,
                        1);
  }
}

template <class Pass>
void StepView<Pass>::perform(const CopyBlocks& move) {
  if (!may(move)) [[unlikely]]
    return;
  const auto& [own, into] = move;
  note_copied(own, into);
  const std::size_t bytes = into.count * pass_.slot_bytes(into.region);
  if (bytes != 0)
    std::memmove(address(into.region, into.first), address(own.region, own.first), bytes);
}

template <class Pass>
void StepView<Pass>::check_counts(std::uint32_t blocks, std::uint32_t into) {
  if (blocks != into)
    throw InvalidParameter("combine, copy: " + std::to_string(blocks) + " blocks given; expected " +
                           std::to_string(into) + ", the number of results");
}

/// Not control words.
template <class Pass>
bool StepView<Pass>::owns_blocks(Blocks blocks) const {
  if (blocks.count == 0) return true;
  if (pass_.is_control(blocks.region))
    pass_.judge.slot(node_, Rule::memory, blocks.region, blocks.first);
  else if (owns(blocks)) [[likely]]
    return true;
  else
    refuse_foreign(blocks);
  return false;
}

/// Block i as it arrived, `apart` from the next; a fault may have altered it on the way.
template <class Pass>
const std::byte* StepView<Pass>::arrived(const Arrival& arrival, std::uint32_t i,
                                         std::size_t apart) const {
  const std::byte* const block = arrival.block(i, apart);
  if (!arrival.corrupted_ || i != 0) return block;
  return detail::corrupted_copy(*pass_.corrupted_blocks, block, pass_.block_bytes,
                                pass_.fault->corrupt_byte);
}

template <class Pass>
void StepView<Pass>::note_stored(Region region, std::uint32_t slot, Port through) const {
  if (pass_.times == nullptr) [[likely]]
    return;
  if (pass_.times->are_kept()) pass_.times->stored(node_, region, slot, pass_.step);
  if (pass_.times->queues() != nullptr)
    pass_.times->queues()->stored(node_, number_of(region, slot), through, pass_.step);
}

/// To those that watch waits the copy is new; in queues it is as long as its original.
template <class Pass>
void StepView<Pass>::note_copied(Blocks own, Blocks into) const {
  if (pass_.times == nullptr) [[likely]]
    return;
  for (std::uint32_t i = 0; pass_.times->are_kept() && i < into.count; ++i)
    pass_.times->stored(node_, into.region, into.first + i, pass_.step);
  if (pass_.times->queues() != nullptr)
    pass_.times->queues()->copied(node_, number_of(own.region, own.first),
                                  number_of(into.region, into.first), into.count);
}

/// Of the slot among all that the node has.
template <class Pass>
std::uint64_t StepView<Pass>::number_of(Region region, std::uint32_t slot) const {
  std::uint64_t before = 0;
  for (std::size_t r = 0; r < index(region); ++r)
    before += pass_.memory[r].template blocks_of<Pass::uneven>(node_);
  return before + slot;
}

/// Slot by slot.
template <class Pass>
template <class Visit>
[[gnu::always_inline]] inline void StepView<Pass>::for_slots(Message message, Visit visit) const {
  const std::uint32_t* list = nullptr;
  if constexpr (GatheringProgram<typename Pass::ProgramType>)
    if (message.gathered())
      list = std::span<const std::uint32_t>(
                 pass_.program->gather_list(static_cast<GatherList>(message.first())))
                 .data();
  for (std::uint32_t i = 0; i < message.blocks(); ++i)
    visit(list == nullptr ? message.first() + i : list[i]);
}

template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::count_waits(NodeId node, Message message) {
  if (pass_.is_control(message.region())) return;
  for_slots(message, [&](std::uint32_t slot) {
    pass_.counts.count_wait(node, pass_.times->wait(node, message.region(), slot, pass_.step));
  });
}

template <class Pass>
[[gnu::noinline, gnu::cold]] inline void StepView<Pass>::leave_queues(Port port, Message message) {
  if (pass_.times->queues() == nullptr) return;
  for_slots(message, [&](std::uint32_t slot) {
    pass_.times->queues()->sent(node_, number_of(message.region(), slot), port, pass_.step);
  });
}

}  // namespace lockstep
