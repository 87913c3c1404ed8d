// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of step_view.hpp: which slots of memory a node may name, and which it may alter.
/// What breaks a rule is not done at all, so that what follows does not depend on who was faster.

#include "lockstep/machine/step_view.hpp"

namespace lockstep {

/// A region that is not there has no blocks (machine/detail/pass.hpp).
template <class Pass>
[[gnu::always_inline]] inline bool StepView<Pass>::owns(Blocks blocks) const {
  const auto& layout = pass_.memory[index(blocks.region)];
  return std::uint64_t{blocks.first} + blocks.count <=
         layout.template blocks_of<Pass::uneven>(node_);
}

/// The slot is a block that hosts know, with all its parts, and not a control word.
template <class Pass>
[[gnu::always_inline]] inline bool StepView<Pass>::owns_block(Region region,
                                                              std::uint32_t slot) const {
  const bool mine = owns({region, slot, pass_.parts}) && !pass_.is_control(region);
  if (!mine) [[unlikely]]
    refuse_slot(region, slot);
  return mine;
}
template <class Pass>
[[gnu::noinline, gnu::cold]] inline void StepView<Pass>::refuse_slot(Region region,
                                                                     std::uint32_t slot) const {
  if (pass_.is_control(region)) return pass_.judge.slot(node_, Rule::memory, region, slot);
  refuse_foreign({region, slot, pass_.parts});
}

/// Of what programs read.
template <class Pass>
[[nodiscard]] inline bool StepView<Pass>::has_word(Region region, std::uint32_t slot) const {
  const bool has = owns({region, slot, 1}) &&
                   (pass_.is_control(region) || LabelledProgram<typename Pass::ProgramType>);
  if (!has) [[unlikely]]
    pass_.judge.slot(node_, Rule::memory, region, slot);
  return has;
}

/// The lowest slot that is not the node's own is named.
template <class Pass>
[[gnu::noinline, gnu::cold]] inline void StepView<Pass>::refuse_foreign(Blocks blocks) const {
  const auto& layout = pass_.memory[index(blocks.region)];
  const std::uint64_t own = layout.template blocks_of<Pass::uneven>(node_);
  const auto lowest =
      blocks.count == 0 ? 0 : std::max(blocks.first, static_cast<std::uint32_t>(own));
  pass_.judge.slot(node_, Rule::memory, blocks.region, lowest);
}

/// The lowest slot of a list that the node does not have.
template <class Pass>
[[gnu::noinline, gnu::cold]] inline std::uint32_t StepView<Pass>::lowest_foreign(
    Region region, std::span<const std::uint32_t> slots) const {
  std::uint32_t lowest = ~0U;
  for (const std::uint32_t slot : slots)
    if (slot < lowest && !owns({region, slot, 1})) lowest = slot;
  return lowest;
}

/// Whether it is a message at all, of own blocks.
template <class Pass>
[[gnu::always_inline]] inline bool StepView<Pass>::owns_all(Message message) const {
  Blocks blocks{message.region(), message.first(), message.blocks()};
  if constexpr (GatheringProgram<typename Pass::ProgramType>)
    if (message.gathered()) {
      const std::span<const std::uint32_t> list =
          pass_.program->gather_list(static_cast<GatherList>(message.first()));
      if (!list.empty() && owns({blocks.region, detail::SlotBounds::of(list).highest, 1}))
        return true;
      blocks = {blocks.region, lowest_foreign(blocks.region, list), list.empty() ? 0U : 1U};
    }
  if (blocks.count != 0 && owns(blocks)) [[likely]]
    return true;
  refuse_foreign(blocks);
  return false;
}

template <class Pass>
[[gnu::always_inline]] inline bool StepView<Pass>::may_alter(Blocks blocks) {
  if (!owns(blocks)) [[unlikely]] {
    if (blocks.count != 0) refuse_foreign(blocks);
    return blocks.count == 0;
  }
  if constexpr (Pass::receives_once)
    if (pass_.once != nullptr && blocks.count != 0 &&
        (sends_ != 0 || pass_.once->ran_before(node_))) {  // as the promise says
      pass_.judge.slot(node_, Rule::in_flight, blocks.region, blocks.first);
      return false;
    }
  if (delivered_) [[unlikely]]
    flush_if_delivered(blocks);
  const detail::SlotRange range = detail::SlotRange::of(blocks);
  return !may_be_read(range) || !is_read(range);
}

template <class Pass>
inline bool StepView<Pass>::may_alter(Region region, std::span<const std::uint32_t> slots) {
  if (slots.empty()) return true;
  const detail::SlotBounds bounds = detail::SlotBounds::of(slots);
  if (!owns({region, bounds.highest, 1})) [[unlikely]] {
    refuse_foreign({region, lowest_foreign(region, slots), 1});
    return false;
  }
  if (!delivered_ && !may_be_read(detail::SlotRange::of(region, bounds))) [[likely]]
    return true;
  bool may = true;
  for (const std::uint32_t slot : slots) {
    if (delivered_) [[unlikely]]
      flush_if_delivered({region, slot, 1});
    const detail::SlotRange range = detail::SlotRange::of({region, slot, 1});
    if (may_be_read(range)) [[unlikely]]
      may = !is_read(range) && may;
  }
  return may;
}

/// The host looks at what it was handed before the bytes change.
template <class Pass>
[[gnu::noinline, gnu::cold]] inline void StepView<Pass>::flush_if_delivered(Blocks blocks) {
  const std::byte* const first = address(blocks.region, blocks.first);
  const std::byte* const last = first + blocks.count * pass_.slot_bytes(blocks.region);
  if (pass_.batch->holds_of(node_, first, last, pass_.parts * pass_.block_bytes))
    pass_.batch->flush();
}

/// The slots that the node sent in the step before.
template <class Pass>
[[gnu::always_inline]] inline detail::SentSlots StepView<Pass>::sent_before() const {
  const auto& entry = pass_.sent[Pass::same_moves ? 0 : index(node_)];
  if constexpr (Pass::ProgramType::activity == Activity::sparse)
    return entry.read_in == static_cast<std::uint32_t>(pass_.step) ? entry.sent
                                                                   : detail::SentSlots{};
  else
    return entry;
}

/// Groups are run only where the moves of all are known to keep to the rule (same_moves.hpp).
template <class Pass>
[[gnu::always_inline]] inline bool StepView<Pass>::may_be_read(detail::SlotRange range) const {
  if constexpr (Pass::grouped) return false;
  if (pass_.sent == nullptr) return false;
  return sent_.hull().meets(range) || sent_before().hull().meets(range);
}

/// By a neighbour, which is against the rule.
template <class Pass>
[[gnu::noinline, gnu::cold]] inline bool StepView<Pass>::is_read(detail::SlotRange range) const {
  ++pass_.counts.work.searches;
  const NodeId owner = Pass::same_moves ? NodeId{0} : node_;
  const detail::SentSlots sent = sent_before();
  if constexpr (!Pass::same_moves) sent.mark(owner, *pass_.ranges_before);
  const detail::SlotRange before = sent.lowest_in(range, owner, *pass_.ranges_before);
  detail::SlotRange lowest = sent_.lowest_in(range, node_, *pass_.ranges_now);
  if (lowest.last == 0 || (before.last != 0 && before.first < lowest.first)) lowest = before;
  if (lowest.last == 0) return false;
  pass_.judge.slot(node_, Rule::in_flight, lowest.region(), lowest.slot());
  return true;
}

template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::note_sent(Message message) {
  if constexpr (Pass::grouped) return;
  if (pass_.sent == nullptr) return;
  if constexpr (GatheringProgram<typename Pass::ProgramType>)
    if (message.gathered()) {
      const auto list = static_cast<GatherList>(message.first());
      return sent_.add(message.region(), pass_.program->gather_list(list), node_,
                       *pass_.ranges_now);
    }
  sent_.add(detail::SlotRange::of({message.region(), message.first(), message.blocks()}), node_,
            *pass_.ranges_now);
}

/// At the end of the node's turn.
template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::keep_sent() const {
  if constexpr (Pass::same_moves) return;
  if (pass_.sent == nullptr) return;
  if constexpr (Pass::ProgramType::activity == Activity::sparse) {
    if (!sent_.empty())
      pass_.sent[index(node_)] = {sent_, static_cast<std::uint32_t>(pass_.step + 1)};
  } else {
    pass_.sent[index(node_)] = sent_;
  }
}

// How blocks are combined; what is noted of arrivals and sends.

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
  note_stored(into, arrival.port());
  if (!fits(arrival, into.region, into.count)) [[unlikely]] {
    note_unmet(into.count, arrival.blocks());
    return detail::poison_bytes(to, into.count * apart);
  }
  const bool consecutive = arrival.list_ == nullptr && apart == pass_.block_bytes;
  pass_.counts.count_combines(consecutive ? 1 : into.count, into.count);
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
    return pass_.judge.slot(node_, Rule::memory, region, detail::SlotBounds::of(slots).lowest);
  if (!is_mine(arrival) || !may_alter(region, slots)) [[unlikely]]
    return;
  const std::size_t apart = pass_.slot_bytes(region);
  const bool complete = fits(arrival, region, slots.size());
  if (!complete) note_unmet(slots.size(), arrival.blocks());
  pass_.counts.count_combines(slots.size(), slots.size());
  pass_.counts.work.listed += slots.size();
  note_stored(region, slots, arrival.port());
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    std::byte* const own = address(region, slots[i]);
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
  pass_.counts.count_combines(into.count, into.count);
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
  pass_.counts.count_copies(1, into.count);
  const std::size_t bytes = into.count * pass_.slot_bytes(into.region);
  if (bytes != 0)
    std::memmove(address(into.region, into.first), address(own.region, own.first), bytes);
}

template <class Pass>
void StepView<Pass>::check_counts(std::uint32_t blocks, std::uint32_t into) {
  if (blocks != into) detail::refuse_counts(blocks, into);
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
  return pass_.corrupted_blocks->copy(block, pass_.block_bytes, pass_.fault->corrupt_byte);
}

/// Block i and the other parts of the user's block, one after the other.
template <class Pass>
[[gnu::noinline, gnu::cold]] inline const std::byte* StepView<Pass>::joined(
    Arrival arrival, std::uint32_t i, std::size_t apart) const {
  std::byte* const bytes = pass_.corrupted_blocks->room(pass_.parts * pass_.block_bytes);
  for (std::uint32_t part = 0; part < pass_.parts; ++part)
    detail::copy_bytes(bytes + part * pass_.block_bytes, arrived(arrival, i + part, apart),
                       pass_.block_bytes);
  return bytes;
}

template <class Pass>
void StepView<Pass>::note_stored(Blocks into, Port through) const {
  if (pass_.times == nullptr) [[likely]]
    return;
  for (std::uint32_t i = 0; pass_.times->are_kept() && i < into.count; ++i)
    pass_.times->stored(node_, into.region, into.first + i, pass_.step);
  if (pass_.times->queues() != nullptr)
    pass_.times->queues()->stored(node_, numbers_of(into), through, pass_.step);
}

template <class Pass>
void StepView<Pass>::note_stored(Region region, std::span<const std::uint32_t> slots,
                                 Port through) const {
  if (pass_.times != nullptr) [[unlikely]]
    detail::for_ranges(region, slots, [&](Blocks into) { note_stored(into, through); });
}

/// To those that watch waits the copy is new; in queues it is as long as its original.
template <class Pass>
void StepView<Pass>::note_copied(Blocks own, Blocks into) const {
  if (pass_.times == nullptr) [[likely]]
    return;
  for (std::uint32_t i = 0; pass_.times->are_kept() && i < into.count; ++i)
    pass_.times->stored(node_, into.region, into.first + i, pass_.step);
  if (pass_.times->queues() != nullptr)
    pass_.times->queues()->copied(node_, numbers_of(own), numbers_of(into).first);
}

/// The numbers of slots among all slots of the node.
template <class Pass>
QueueLedger::Slots StepView<Pass>::numbers_of(Blocks blocks) const {
  std::uint64_t before = 0;
  for (std::size_t r = 0; r < index(blocks.region); ++r)
    before += pass_.memory[r].template blocks_of<Pass::uneven>(node_);
  return {static_cast<std::uint32_t>(before) + blocks.first, blocks.count};
}

/// Range by range.
template <class Pass>
template <class Visit>
[[gnu::always_inline]] inline void StepView<Pass>::for_ranges(Message message, Visit visit) const {
  if (!message.gathered()) return visit({message.region(), message.first(), message.blocks()});
  if constexpr (GatheringProgram<typename Pass::ProgramType>) {
    const std::span<const std::uint32_t> list =
        pass_.program->gather_list(static_cast<GatherList>(message.first()));
    detail::for_ranges(message.region(), list.first(message.blocks()), visit);
  }
}

template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::count_waits(NodeId node, Message message) {
  if (pass_.is_control(message.region())) return;
  for_ranges(message, [&](Blocks sent) {
    for (std::uint32_t i = 0; i < sent.count; ++i)
      pass_.counts.count_wait(node,
                              pass_.times->wait(node, sent.region, sent.first + i, pass_.step));
  });
}

template <class Pass>
[[gnu::noinline, gnu::cold]] inline void StepView<Pass>::leave_queues(Port port, Message message) {
  if (pass_.times->queues() == nullptr) return;
  for_ranges(message, [&](Blocks sent) {
    pass_.times->queues()->sent(node_, numbers_of(sent), port, pass_.step);
  });
}

}  // namespace lockstep
