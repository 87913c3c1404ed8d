// SPDX-License-Identifier: Apache-2.0
#pragma once

/// SentSlots: which slots of its memory a node sent in a step. They are read where they arrive in
/// the next one, and must not be altered until then (Rule::in_flight). Not for users.
///
/// What a node sends in a step is mostly one range of slots, which one word says. The ranges of a
/// node whose sends leave gaps are listed beside. (A stamp for every slot would be another 4 bytes
/// to touch for every block that moves.)

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep::detail {

/// Slots of one region by number, from `first` to before `last`; the region is part of the number.
struct SlotRange {
  static constexpr unsigned slot_bits = 20;
  static constexpr unsigned bits = 26;
  static_assert(max_region_blocks < 1U << slot_bits && max_regions <= 1U << (bits - slot_bits));

  std::uint32_t first = 0;
  std::uint32_t last = 0;  // 0: none

  [[nodiscard, gnu::always_inline]] static SlotRange of(Blocks blocks) noexcept {
    const std::uint32_t first = (std::uint32_t{index(blocks.region)} << slot_bits) | blocks.first;
    return {first, first + blocks.count};
  }
  [[nodiscard]] Region region() const noexcept { return static_cast<Region>(first >> slot_bits); }
  [[nodiscard]] std::uint32_t slot() const noexcept { return first & max_region_blocks; }
  [[nodiscard, gnu::always_inline]] bool meets(const SlotRange& other) const noexcept {
    return other.first < last && first < other.last;
  }
  [[nodiscard]] bool touches(const SlotRange& other) const noexcept {
    return first <= other.last && other.first <= last;
  }
  void include(const SlotRange& other) noexcept {
    first = last == 0 ? other.first : std::min(first, other.first);
    last = std::max(last, other.last);
  }
};

/// The ranges of nodes that have several, node after node.
class ListedRanges {
 public:
  void clear() noexcept {
    ranges_.clear();
    nodes_.clear();
  }
  /// Of the last node, or of one behind it.
  void add(NodeId node, SlotRange range) {
    if (nodes_.empty() || nodes_.back().node != node) nodes_.push_back({node, ranges_.size()});
    ranges_.push_back(range);
  }
  /// The lowest slot of `range` in those of the node, as a range that begins there; or none.
  [[nodiscard]] SlotRange lowest_in(SlotRange range, NodeId node) const {
    const auto of = std::lower_bound(nodes_.begin(), nodes_.end(), node,
                                     [](const Begin& b, NodeId n) { return b.node < n; });
    const auto behind = std::next(of) == nodes_.end() ? ranges_.size() : std::next(of)->at;
    SlotRange lowest;
    for (std::size_t i = of->at; i < behind; ++i) {
      const SlotRange both{std::max(ranges_[i].first, range.first),
                           std::min(ranges_[i].last, range.last)};
      if (both.first < both.last && (lowest.last == 0 || both.first < lowest.first)) lowest = both;
    }
    return lowest;
  }

 private:
  struct Begin {
    NodeId node;
    std::size_t at;
  };
  std::vector<SlotRange> ranges_;
  std::vector<Begin> nodes_;
};

/// Of one node in one step. A word, written and read as one: a wider load than the store before it
/// would have to wait for the cache.
class SentSlots {
 public:
  /// All lie in it, and mostly it is all; or none.
  [[nodiscard, gnu::always_inline]] SlotRange hull() const noexcept {
    constexpr std::uint32_t mask = (1U << SlotRange::bits) - 1;
    return {static_cast<std::uint32_t>(word_) & mask,
            static_cast<std::uint32_t>(word_ >> SlotRange::bits) & mask};
  }

  /// One range more, of `node`.
  [[gnu::always_inline]] void add(SlotRange range, NodeId node, ListedRanges& list) {
    SlotRange all = hull();
    if (all.last != 0 && (is_listed() || !all.touches(range))) [[unlikely]]
      add_apart(range, node, list);
    all.include(range);
    word_ = (word_ & listed) | (std::uint64_t{all.last} << SlotRange::bits) | all.first;
  }

  /// The lowest slot of `range` that was sent, as a range that begins there; or none.
  [[nodiscard, gnu::noinline, gnu::cold]] SlotRange lowest_in(SlotRange range, NodeId node,
                                                              const ListedRanges& list) const {
    if (is_listed()) return list.lowest_in(range, node);
    const SlotRange all = hull();
    return all.meets(range)
               ? SlotRange{std::max(all.first, range.first), std::min(all.last, range.last)}
               : SlotRange{};
  }

 private:
  static constexpr std::uint64_t listed = std::uint64_t{1} << 63U;

  [[nodiscard]] bool is_listed() const noexcept { return (word_ & listed) != 0; }
  [[gnu::noinline, gnu::cold]] void add_apart(SlotRange range, NodeId node, ListedRanges& list) {
    if (!is_listed()) list.add(node, hull());
    list.add(node, range);
    word_ |= listed;
  }

  std::uint64_t word_ = 0;
};

/// What a node's entry takes; of a sparse program with the step that it is of.
template <Program P>
inline constexpr std::size_t sent_bytes = sizeof(SentSlots) + (P::activity == Activity::sparse
                                                                   ? sizeof(std::uint32_t)
                                                                   : 0);

}  // namespace lockstep::detail
