// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The lists of a schedule that is being written, each of which is kept once.
///
///     SeenLists seen;
///     seen.number_of(list, next, at) == next;   // there was none with the same contents

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

// The contents of an element of a list, in 64-bit words.
[[nodiscard]] constexpr std::uint64_t joined(std::uint32_t high, std::uint32_t low) {
  constexpr unsigned half = 32;
  return (std::uint64_t{high} << half) | low;
}
[[nodiscard]] constexpr std::array<std::uint64_t, 4> words_of(const Action& action) {
  constexpr unsigned region_bits = 8;
  return {joined(static_cast<std::uint32_t>(index(action.port)),
                 (static_cast<std::uint32_t>(action.kind) << region_bits) |
                     static_cast<std::uint32_t>(index(action.blocks.region))),
          joined(action.blocks.first, action.blocks.count),
          joined(action.elements.first, action.elements.count), action.element_or_list};
}
[[nodiscard]] constexpr std::array<std::uint64_t, 1> words_of(std::uint32_t number) {
  return {number};
}
[[nodiscard]] constexpr std::array<std::uint64_t, 1> words_of(Origin origin) {
  return {index(origin)};
}
[[nodiscard]] constexpr std::array<std::uint64_t, 1> words_of(NodeId node) { return {index(node)}; }

/// Lists that were seen before, by what they contain.
class SeenLists {
 public:
  /// The number of an equal one: at(number) is that list, or shorter. `next`, which is kept, where
  /// there is none.
  template <class T, class At>
  [[nodiscard]] std::uint32_t number_of(std::span<const T> list, std::uint32_t next, At at) {
    if (2 * (used_ + 1) > entries_.size()) grow();
    const std::uint32_t hash = hash_of(list);
    for (std::size_t i = hash;; ++i) {
      Entry& entry = entries_[i & (entries_.size() - 1)];
      if (entry.number == none) {
        entry = {hash, next};
        ++used_;
        return next;
      }
      const auto equal = [](const auto& a, const auto& b) { return words_of(a) == words_of(b); };
      if (entry.hash == hash && std::ranges::equal(list, at(entry.number), equal))
        return entry.number;
    }
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t number = none;
  };

  template <class T>
  [[nodiscard]] static std::uint32_t hash_of(std::span<const T> list) {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
    constexpr unsigned half = 32;
    std::uint64_t hash = list.size();
    for (const T& one : list)
      for (const std::uint64_t word : words_of(one)) {
        hash = (hash ^ word) * factor;
        hash ^= hash >> half;
      }
    return static_cast<std::uint32_t>(hash);
  }
  void grow() {
    constexpr std::size_t least = 64;
    const auto before =
        std::exchange(entries_, std::vector<Entry>(std::max(least, 2 * entries_.size())));
    for (const Entry& entry : before) {
      if (entry.number == none) continue;
      std::size_t i = entry.hash;
      while (entries_[i & (entries_.size() - 1)].number != none) ++i;
      entries_[i & (entries_.size() - 1)] = entry;
    }
  }

  std::vector<Entry> entries_;  // a power of two of them
  std::size_t used_ = 0;
};

}  // namespace lockstep
