// SPDX-License-Identifier: Apache-2.0
#pragma once

/// SentSlots: which slots of its memory a node sent in a step. They are read where they arrive in
/// the next one, and must not be altered until then (Rule::in_flight). Not for users.
///
/// What a node sends in a step is mostly one range of slots, which one word says. Ranges with gaps,
/// and lists, are noted beside, message by message: their slots are looked at only where the node
/// alters one between the lowest and the highest of them. (A stamp for every slot would be another
/// 4 bytes to touch for every block.)

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep::detail {

/// The lowest and the highest slot of a list.
struct SlotBounds {
  std::uint32_t lowest = ~std::uint32_t{0};
  std::uint32_t highest = 0;

  /// Precondition: there are slots.
  [[nodiscard]] static SlotBounds of(std::span<const std::uint32_t> slots) noexcept {
    SlotBounds bounds;
    for (const std::uint32_t slot : slots) {
      bounds.lowest = std::min(bounds.lowest, slot);
      bounds.highest = std::max(bounds.highest, slot);
    }
    return bounds;
  }
};

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
  /// From the lowest to the highest slot of a region, all of which it has.
  [[nodiscard]] static SlotRange of(Region region, SlotBounds bounds) noexcept {
    return of({region, bounds.lowest, bounds.highest - bounds.lowest + 1});
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

/// The slots of nodes that sent more than one range, node after node.
class ListedRanges {
 public:
  void clear() noexcept {
    sent_.clear();
    nodes_.clear();
    marked_.reset();
  }
  /// Slots of the last node, or of one behind it: all of the range, or, where there are any, these
  /// of them, which stay where they are until they are cleared.
  void add(NodeId node, SlotRange range, std::span<const std::uint32_t> slots = {});
  /// No more of the node is added, and slots will be searched: each gets a bit. Those of one node
  /// at a time have bits.
  void mark(NodeId node);
  /// The lowest slot of `range` in those of the node, as a range that begins there; or none.
  [[nodiscard]] SlotRange lowest_in(SlotRange range, NodeId node) const;

 private:
  struct Sent {
    SlotRange range;
    std::span<const std::uint32_t> slots;
  };
  struct Begin {
    NodeId node;
    std::size_t at;
  };
  /// Words of bits for the slots from a multiple of 64 on, of one region.
  struct Marks {
    SlotRange range;
    std::size_t word = 0;
  };
  [[nodiscard]] std::span<const Sent> sent_by(NodeId node) const;
  [[nodiscard]] SlotRange lowest_marked(SlotRange range) const;

  std::vector<Sent> sent_;
  std::vector<Begin> nodes_;
  std::optional<NodeId> marked_;
  std::vector<Marks> marks_;
  std::vector<std::uint64_t> words_;
};

/// The accesses to memory in a step, action by action, so that two steps can be compared.
class MovesDigest {
 public:
  [[gnu::always_inline]] void alter(Blocks blocks) noexcept { add(1, blocks); }
  void alter(Region region, std::span<const std::uint32_t> slots) noexcept {
    add(5, {region, 0, static_cast<std::uint32_t>(slots.size())});
    for (const std::uint32_t slot : slots) add(6, {region, slot, 1});  // wherever they lie
  }
  [[gnu::always_inline]] void deliver(Blocks blocks) noexcept { add(2, blocks); }
  [[gnu::always_inline]] void send(Blocks blocks) noexcept { add(3, blocks); }
  [[gnu::always_inline]] void send(Region region, GatherList list) noexcept {
    add(4, {region, static_cast<std::uint32_t>(list), 0});
  }
  friend bool operator==(const MovesDigest&, const MovesDigest&) = default;

 private:
  [[gnu::always_inline]] void add(std::uint64_t kind, Blocks blocks) noexcept {
    constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c15;
    const std::uint64_t where = (std::uint64_t{blocks.first} << 32U) | blocks.count;
    value_ = (value_ ^ (kind << 8U) ^ index(blocks.region)) * odd;
    value_ = (value_ ^ (value_ >> 29U) ^ where) * odd;
  }

  std::uint64_t value_ = 0;
};

/// The slots that one node sent in one step. A word, written and read as one: a wider load would
/// have to wait.
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
    if (word_ == word_of(range)) return;  // as before: told to several neighbours
    SlotRange all = hull();
    if (all.last != 0 && (is_listed() || !all.touches(range))) [[unlikely]]
      add_apart(range, {}, node, list);
    include(range);
  }
  /// Slots of a region, at least one, in any order; they stay where they are for two steps.
  void add(Region region, std::span<const std::uint32_t> slots, NodeId node, ListedRanges& list) {
    const SlotRange range = SlotRange::of(region, SlotBounds::of(slots));
    add_apart(range, slots, node, list);
    include(range);
  }

  [[nodiscard, gnu::always_inline]] bool empty() const noexcept { return word_ == 0; }

  /// No more is added, and slots will be searched.
  void mark(NodeId node, ListedRanges& list) const {
    if (is_listed()) list.mark(node);
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

  [[nodiscard, gnu::always_inline]] static std::uint64_t word_of(SlotRange range) noexcept {
    return (std::uint64_t{range.last} << SlotRange::bits) | range.first;
  }
  [[nodiscard]] bool is_listed() const noexcept { return (word_ & listed) != 0; }
  void include(SlotRange range) noexcept {
    SlotRange all = hull();
    all.include(range);
    word_ = (word_ & listed) | word_of(all);
  }
  [[gnu::noinline, gnu::cold]] void add_apart(SlotRange range, std::span<const std::uint32_t> slots,
                                              NodeId node, ListedRanges& list) {
    if (!is_listed() && !empty()) list.add(node, hull());
    list.add(node, range, slots);
    word_ |= listed;
  }

  std::uint64_t word_ = 0;
};

/// The slots of a node that may sleep: with the step that it is read in, one place to look at.
struct DatedSentSlots {
  SentSlots sent;
  std::uint32_t read_in = 0;
};

/// A node's entry.
template <Program P>
using KeptSlots = std::conditional_t<P::activity == Activity::sparse, DatedSentSlots, SentSlots>;

}  // namespace lockstep::detail
