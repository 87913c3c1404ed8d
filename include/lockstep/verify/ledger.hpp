// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Ledgers: which blocks were delivered, to prove "exactly once" (design, section 5).
///
///   exact    one bit per (destination, origin); where a destination expects one block only, one
///            per destination, of collectives by pairs one per pair. It names what is missing.
///   digest   per destination a count and a 128-bit sum of hashes of the origins: 24 bytes whatever
///            the number of origins. A wrong set of origins that happens to have the right size
///            passes with probability 2^-128 per destination (sums of independent 128-bit values).
///
/// Both are written by many workers at once, but an entry only by the one that runs its
/// destination; where each expects one block, and of pairs, destinations share words.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/core/detail/huge_buffer.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/verify/detail/delivery_log.hpp"
#include "lockstep/verify/detail/verdict.hpp"

namespace lockstep {

/// Destinations first..last - 1, for example those of one process; all by default.
struct Destinations {
  std::uint64_t first = 0;
  std::uint64_t last = ~std::uint64_t{0};
};

class ExactLedger {
 public:
  ExactLedger(const Collective& collective, std::uint64_t processors);

  [[nodiscard]] static std::uint64_t bytes(const Collective& collective, std::uint64_t processors);

  /// False if the pair was entered before. Precondition: the collective expects it.
  [[nodiscard]] bool enter(Origin origin, NodeId destination) noexcept {
    if (shared_words_) [[unlikely]] {
      const Origin place = place_of(origin, destination);
      return enter_word(word_of(place), bit_of(place)) != 0;
    }
    std::uint64_t& word = bits_[index(destination) * row_words_ + word_of(origin)];
    const std::uint64_t bit = bit_of(origin);
    const bool fresh = (word & bit) == 0;
    word |= bit;
    return fresh;
  }

  /// Enters all of them, destination by destination. Those that were entered before. Precondition:
  /// has_rows(), and the collective expects them.
  [[nodiscard]] std::uint64_t enter(const detail::LoggedRows& rows) noexcept;
  /// Whether each destination has bits of its own for every origin.
  [[nodiscard]] bool has_rows() const noexcept { return !shared_words_; }

  /// Where each expects one block: several destinations of one word at once. Those that were not
  /// entered before.
  [[nodiscard]] std::uint64_t enter_word(std::uint64_t word, std::uint64_t destinations) noexcept {
    // relaxed: other workers enter other bits; read after the run only.
    return destinations &
           ~std::atomic_ref(bits_[word]).fetch_or(destinations, std::memory_order_relaxed);
  }
  [[nodiscard]] bool single_source() const noexcept { return single_source_; }
  [[nodiscard]] static constexpr std::uint64_t word_of(Origin place) noexcept {
    return index(place) / 64;
  }
  [[nodiscard]] static constexpr std::uint64_t bit_of(Origin place) noexcept {
    return std::uint64_t{1} << (index(place) % 64);
  }

  [[nodiscard]] bool entered(Origin origin, NodeId destination) const noexcept;
  /// All that were entered.
  [[nodiscard]] std::uint64_t entered() const noexcept;

  [[nodiscard]] std::uint64_t missing() const {
    return collective_.deliveries(processors_) - entered();  // only expected pairs are entered
  }

  [[nodiscard]] std::optional<MissingPair> first_missing(Destinations among = {}) const;
  /// All of them, by destination, then origin. O(destinations x origins).
  [[nodiscard]] std::vector<MissingPair> all_missing(Destinations among = {}) const {
    return some_missing(among, ~std::size_t{0});
  }
  /// Blocks entered for that destination.
  [[nodiscard]] std::uint64_t received(NodeId destination) const;

 private:
  /// The first of them, `most` at most.
  [[nodiscard]] std::vector<MissingPair> some_missing(Destinations among, std::size_t most) const;
  /// Whose bit is the pair's, where it is no bit of a row. Precondition: the collective expects it.
  [[nodiscard]] Origin place_of(Origin origin, NodeId destination) const noexcept {
    return single_source_ ? Origin{destination}
                          : Origin{*collective_.pairs()->find(origin, destination)};
  }

  Collective collective_;
  std::uint64_t processors_;
  bool single_source_;       // each destination expects one block, or none
  bool shared_words_;        // by several destinations
  std::uint64_t row_words_;  // of a destination; 0 where words are shared
  HugeBuffer memory_;
  std::uint64_t* bits_;  // in that memory
  std::uint64_t words_;
};

class DigestLedger {
 public:
  DigestLedger(const Collective& collective, std::uint64_t processors, std::uint64_t seed);

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t processors);

  /// Duplicates show in the judgement, not here. Precondition: the collective expects the pair.
  void enter(Origin origin, NodeId destination) noexcept {
    Row& row = rows_[index(destination)];
    row.sum += hash(origin);
    ++row.count;
  }
  /// Enters all of them, destination by destination.
  void enter(const detail::LoggedRows& rows) noexcept;

  struct Judgement {
    std::uint64_t missing = 0;     ///< blocks too few, summed over the destinations judged
    std::uint64_t duplicated = 0;  ///< blocks too many
    std::uint64_t wrong_sets = 0;  ///< destinations with the right number of the wrong blocks
  };
  /// Judges these destinations.
  [[nodiscard]] Judgement judge(Destinations among = {}) const;
  /// Blocks entered for that destination, duplicates among them.
  [[nodiscard]] std::uint64_t received(NodeId destination) const {
    return rows_[index(destination)].count;
  }

 private:
  __extension__ using Sum = unsigned __int128;  // in every supported compiler

  struct Row {
    Sum sum = 0;
    std::uint64_t count = 0;
  };

  [[nodiscard]] Sum hash(Origin origin) const noexcept {
    return (Sum{high_hash(origin)} << 64U) | low_hash(origin);
  }
  [[nodiscard]] std::uint64_t high_hash(Origin origin) const noexcept {
    return mixed((index(origin) + 1) * 0x9e3779b97f4a7c15 + key_high_);
  }
  [[nodiscard]] std::uint64_t low_hash(Origin origin) const noexcept {
    return mixed((index(origin) + 1) * 0xd1342543de82ef95 + key_low_);
  }

  [[nodiscard]] static std::uint64_t mixed(std::uint64_t x) noexcept {
    x = (x ^ (x >> 32U)) * 0xd6e8feb86659fd93;
    return x ^ (x >> 32U);
  }

  Collective collective_;
  std::uint64_t key_high_;
  std::uint64_t key_low_;
  std::vector<Row> rows_;
};

}  // namespace lockstep
