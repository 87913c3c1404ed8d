// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/sent_slots.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace lockstep::detail {
namespace {

constexpr std::uint32_t word_bits = 64;

/// Visits the slots as ranges, in the order of the list.
template <class Visit>
void for_ranges_of(SlotRange range, std::span<const std::uint32_t> slots, Visit visit) {
  if (slots.empty()) return visit(range);
  for_ranges(range.region(), slots, [&](Blocks blocks) { visit(SlotRange::of(blocks)); });
}

/// The bits of a word that lie in first..last - 1, of the slots from `begin` on.
[[nodiscard]] std::uint64_t bits_in(SlotRange range, std::uint32_t begin) noexcept {
  const std::uint32_t low = range.first > begin ? range.first - begin : 0;
  const std::uint32_t behind = range.last - begin;
  const std::uint64_t all = ~std::uint64_t{0};
  return (all << low) & (behind >= word_bits ? all : ~(all << behind));
}

}  // namespace

void ListedRanges::add(NodeId node, SlotRange range, std::span<const std::uint32_t> slots) {
  if (nodes_.empty() || nodes_.back().node != node) nodes_.push_back({node, sent_.size()});
  if (marked_ == node) marked_.reset();
  sent_.push_back({range, slots});
}

std::span<const ListedRanges::Sent> ListedRanges::sent_by(NodeId node) const {
  const auto of = std::ranges::lower_bound(nodes_, node, {}, &Begin::node);
  const auto behind = std::next(of) == nodes_.end() ? sent_.size() : std::next(of)->at;
  return std::span(sent_).subspan(of->at, behind - of->at);
}

void ListedRanges::mark(NodeId node) {
  if (marked_ == node) return;
  marks_.clear();
  const std::span<const Sent> all = sent_by(node);
  const auto marks_of = [&](SlotRange range) {
    return std::ranges::find(marks_, range.region(),
                             [](const Marks& marks) { return marks.range.region(); });
  };
  for (const Sent& sent : all)
    if (const auto marks = marks_of(sent.range); marks != marks_.end())
      marks->range.include(sent.range);
    else
      marks_.push_back({sent.range});
  std::size_t words = 0;
  for (Marks& marks : marks_) {
    marks.range.first -= marks.range.first % word_bits;
    marks.word = words;
    words += (marks.range.last - marks.range.first + word_bits - 1) / word_bits;
  }
  words_.assign(words, 0);
  for (const Sent& sent : all) {
    const auto [range, word] = *marks_of(sent.range);
    std::uint64_t* const bits = words_.data() + word;
    const std::uint32_t slot_0 = sent.range.first - sent.range.slot();
    for (const std::uint32_t slot : sent.slots) {
      const std::uint32_t at = slot_0 + slot - range.first;
      bits[at / word_bits] |= std::uint64_t{1} << at % word_bits;
    }
    if (!sent.slots.empty()) continue;
    for (std::uint32_t at = sent.range.first - sent.range.first % word_bits; at < sent.range.last;
         at += word_bits)
      bits[(at - range.first) / word_bits] |= bits_in(sent.range, at);
  }
  marked_ = node;
}

SlotRange ListedRanges::lowest_marked(SlotRange range) const {
  for (const Marks& marks : marks_) {
    const SlotRange both{std::max(marks.range.first, range.first),
                         std::min(marks.range.last, range.last)};
    for (std::uint32_t at = both.first - both.first % word_bits; at < both.last; at += word_bits) {
      const std::uint64_t bits =
          words_[marks.word + (at - marks.range.first) / word_bits] & bits_in(both, at);
      if (bits != 0) return {at + static_cast<std::uint32_t>(std::countr_zero(bits)), both.last};
    }
  }
  return {};
}

SlotRange ListedRanges::lowest_in(SlotRange range, NodeId node) const {
  if (marked_ == node) return lowest_marked(range);
  SlotRange lowest;
  const auto meet = [&](SlotRange sent) {
    const SlotRange both{std::max(sent.first, range.first), std::min(sent.last, range.last)};
    if (both.first < both.last && (lowest.last == 0 || both.first < lowest.first)) lowest = both;
  };
  for (const Sent& sent : sent_by(node))
    if (sent.range.meets(range)) for_ranges_of(sent.range, sent.slots, meet);
  return lowest;
}

}  // namespace lockstep::detail
