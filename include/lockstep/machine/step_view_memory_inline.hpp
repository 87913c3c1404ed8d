// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of step_view.hpp: which slots of memory a node may name, and which it may alter.
/// What breaks a rule is not done at all, so that what follows does not depend on who was faster.

#include "lockstep/machine/step_view.hpp"

namespace lockstep {

/// A region that is not there has no blocks (machine/pass.hpp).
template <class Pass>
[[gnu::always_inline]] inline bool StepView<Pass>::owns(Blocks blocks) const {
  const auto& layout = pass_.memory[index(blocks.region)];
  return std::uint64_t{blocks.first} + blocks.count <=
         layout.template blocks_of<Pass::uneven>(node_);
}

/// Of what hosts know: not a control word.
template <class Pass>
[[gnu::always_inline]] inline bool StepView<Pass>::owns_block(Region region,
                                                              std::uint32_t slot) const {
  const bool mine = owns({region, slot, 1}) && !pass_.is_control(region);
  if (!mine) [[unlikely]]
    pass_.judge.slot(node_, Rule::memory, region, slot);
  return mine;
}

/// Of what programs read.
template <class Pass>
[[nodiscard]] inline bool StepView<Pass>::has_word(Region region, std::uint32_t slot) const {
  static_assert(Pass::reading, "the program declares neither labels nor control words");
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

/// Whether it is a message at all, of own blocks.
template <class Pass>
[[gnu::always_inline]] inline bool StepView<Pass>::owns_all(Message message) const {
  Blocks blocks{message.region(), message.first(), message.blocks()};
  if constexpr (GatheringProgram<typename Pass::ProgramType>)
    if (message.gathered()) {
      const std::span<const std::uint32_t> list =
          pass_.program->gather_list(static_cast<GatherList>(message.first()));
      std::uint32_t lowest_foreign = ~0U;
      for (const std::uint32_t slot : list)
        if (slot < lowest_foreign && !owns({blocks.region, slot, 1})) lowest_foreign = slot;
      if (!list.empty() && lowest_foreign == ~0U) return true;
      blocks = {blocks.region, lowest_foreign, list.empty() ? 0U : 1U};
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
  std::uint32_t lowest_foreign = ~0U;
  for (const std::uint32_t slot : slots)
    if (slot < lowest_foreign && !owns({region, slot, 1})) lowest_foreign = slot;
  if (lowest_foreign != ~0U) [[unlikely]] {
    refuse_foreign({region, lowest_foreign, 1});
    return false;
  }
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
  if (pass_.batch->holds_of(node_, first, last)) pass_.batch->flush();
}

/// What the node sent in the step before.
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
  const NodeId owner = Pass::same_moves ? NodeId{0} : node_;
  const detail::SlotRange before = sent_before().lowest_in(range, owner, *pass_.ranges_before);
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
      for (const std::uint32_t slot :
           pass_.program->gather_list(static_cast<GatherList>(message.first())))
        sent_.add(detail::SlotRange::of({message.region(), slot, 1}), node_, *pass_.ranges_now);
      return;
    }
  sent_.add(detail::SlotRange::of({message.region(), message.first(), message.blocks()}), node_,
            *pass_.ranges_now);
}

/// At the end of the node's turn.
template <class Pass>
[[gnu::always_inline]] inline void StepView<Pass>::keep_sent() const {
  if constexpr (Pass::same_moves) return;
  if (pass_.sent == nullptr) return;
  sent_.close(*pass_.ranges_now);
  if constexpr (Pass::ProgramType::activity == Activity::sparse) {
    if (!sent_.empty())
      pass_.sent[index(node_)] = {sent_, static_cast<std::uint32_t>(pass_.step + 1)};
  } else {
    pass_.sent[index(node_)] = sent_;
  }
}

}  // namespace lockstep
