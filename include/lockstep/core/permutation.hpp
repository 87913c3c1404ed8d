// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Permutations of up to 16 symbols, packed into one word: nibble i is the symbol at position i,
/// nibbles above the size are 0. Positions and symbols count from 0; only labels count from 1, as
/// the papers do.
///
///     const Permutation x = permutation_from_label("3241");
///     x[0] == 2;  x.with_exchanged(0, 3)[0] == 0;
///     compose(x, x.inverse()) == Permutation::identity(4);
///     unrank(4, rank(x)) == x;
///
/// `rank` is the numbering of nodes used everywhere in the library (design: numbering is part of
/// performance): mixed radix with the last position most significant, so that permutations which
/// agree in all positions above i form a block of (i+1)! consecutive numbers. The papers' ranks are
/// lexicographic. Ranking counts with sixteen 4-bit counters in one word, because the baseline
/// x86-64 instruction set has no population count.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lockstep/core/detail/divisor.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep {

namespace permutation_detail {

inline constexpr std::uint64_t one_in_each_nibble = 0x1111'1111'1111'1111U;
inline constexpr std::uint64_t identity_word = 0xFEDC'BA98'7654'3210U;

inline constexpr auto factorials = [] {
  std::array<std::uint64_t, 21> table{1};
  for (std::size_t i = 1; i < table.size(); ++i) table[i] = table[i - 1] * i;
  return table;
}();

/// Entry i divides by i!.
inline constexpr auto by_factorial = []<std::size_t... i>(std::index_sequence<i...>) {
  return std::array{Divisor(factorials[i])...};
}
(std::make_index_sequence<17>{});

/// All bits of the lowest `count` <= 16 nibbles.
[[nodiscard]] constexpr std::uint64_t low_nibbles(std::size_t count) noexcept {
  return count >= 16 ? ~std::uint64_t{0} : (std::uint64_t{1} << (4 * count)) - 1;
}

/// Takes entry k < 16 out of a list of nibbles; what stood above moves down.
constexpr std::uint64_t take_nibble(std::uint64_t& list, std::uint64_t k) noexcept {
  const std::uint64_t below = (std::uint64_t{1} << (4 * k)) - 1;
  const std::uint64_t taken = (list >> (4 * k)) & 15U;
  list = (list & below) | ((list >> 4) & ~below);
  return taken;
}

}  // namespace permutation_detail

/// n!, for n <= 20 (more does not fit 64 bits). Aborts above; callers check their range first.
[[nodiscard]] constexpr std::uint64_t factorial(std::size_t n) noexcept {
  expects(n < permutation_detail::factorials.size(), "the factorial fits 64 bits");
  return permutation_detail::factorials[n];
}

class Permutation {
 public:
  static constexpr std::size_t max_size = 16;

  /// The permutation of no symbols.
  constexpr Permutation() noexcept = default;

  /// Precondition (not checked: hot): n <= 16.
  [[nodiscard]] static constexpr Permutation identity(std::size_t n) noexcept {
    return {permutation_detail::identity_word & permutation_detail::low_nibbles(n), n};
  }

  /// Precondition (not checked: hot): the lowest n nibbles hold each of 0..n-1 once, the others 0.
  [[nodiscard]] static constexpr Permutation from_packed(std::uint64_t packed,
                                                         std::size_t n) noexcept {
    return {packed, n};
  }

  /// Checked: throws InvalidParameter unless `symbols` holds each of 0..size-1 once, size <= 16.
  [[nodiscard]] static Permutation from_symbols(std::span<const std::uint8_t> symbols);

  [[nodiscard]] constexpr std::uint64_t packed() const noexcept { return packed_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

  /// The symbol at `position` < size().
  [[nodiscard]] constexpr std::size_t operator[](std::size_t position) const noexcept {
    return (packed_ >> (4 * position)) & 15U;
  }

  /// The position of `symbol` < size(). O(n).
  [[nodiscard]] constexpr std::size_t position_of(std::size_t symbol) const noexcept {
    return inverse()[symbol];
  }

  /// The symbols at positions i and j exchanged.
  [[nodiscard]] constexpr Permutation with_exchanged(std::size_t i, std::size_t j) const noexcept {
    const std::uint64_t difference = ((packed_ >> (4 * i)) ^ (packed_ >> (4 * j))) & 15U;
    return {packed_ ^ (difference << (4 * i)) ^ (difference << (4 * j)), size_};
  }

  /// The same permutation among n >= size() symbols; the added positions are fixed. Its rank is the
  /// same too.
  [[nodiscard]] constexpr Permutation extended(std::size_t n) const noexcept {
    return {packed_ | (identity(n).packed_ & ~permutation_detail::low_nibbles(size_)), n};
  }

  [[nodiscard]] constexpr Permutation inverse() const noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < size_; ++i) word |= std::uint64_t{i} << (4 * (*this)[i]);
    return {word, size_};
  }

  friend constexpr bool operator==(Permutation, Permutation) noexcept = default;

 private:
  constexpr Permutation(std::uint64_t packed, std::size_t n) noexcept : packed_(packed), size_(n) {}

  std::uint64_t packed_ = 0;
  std::size_t size_ = 0;
};

/// (a o b)[i] = a[b[i]]. Precondition: equal sizes.
[[nodiscard]] constexpr Permutation compose(Permutation a, Permutation b) noexcept {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < b.size(); ++i) word |= std::uint64_t{a[b[i]]} << (4 * i);
  return Permutation::from_packed(word, b.size());
}

/// Sum over positions i >= 1 of d_i * i!, where d_i = number of positions l < i with x[l] > x[i].
/// The identity has rank 0; exchanging positions 0 and i changes only rank mod (i+1)!.
[[nodiscard]] constexpr std::uint64_t rank(Permutation x) noexcept {
  using namespace permutation_detail;
  std::uint64_t result = 0;
  std::uint64_t greater_seen = 0;  // nibble s: how many symbols above s stood further left
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t shift = 4 * x[i];
    result += ((greater_seen >> shift) & 15U) * factorials[i];
    greater_seen += one_in_each_nibble & ((std::uint64_t{1} << shift) - 1);
  }
  return result;
}

/// The permutation of n <= 16 symbols with that rank. Precondition (hot): rank < n!.
[[nodiscard]] constexpr Permutation unrank(std::size_t n, std::uint64_t rank) noexcept {
  using namespace permutation_detail;
  std::uint64_t remaining = identity_word;  // symbols not yet placed, ascending
  std::uint64_t word = 0;
  std::uint64_t blocks = 0;  // rank / i!: how many whole blocks of i! lie below
  for (std::size_t i = n; i > 0; --i) {
    const std::uint64_t smaller_blocks = by_factorial[i - 1].quotient(rank);
    const std::uint64_t digit = smaller_blocks - blocks * i;
    blocks = smaller_blocks;
    word |= take_nibble(remaining, i - 1 - digit) << (4 * (i - 1));
  }
  return Permutation::from_packed(word, n);
}

/// The inverse of the papers' numbering, the position in the list of all permutations sorted as
/// words.
[[nodiscard]] constexpr Permutation lexicographic_unrank(std::size_t n,
                                                         std::uint64_t rank) noexcept {
  using namespace permutation_detail;
  std::uint64_t remaining = identity_word;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t k = by_factorial[n - 1 - i].quotient(rank);
    rank -= k * factorials[n - 1 - i];
    word |= take_nibble(remaining, k) << (4 * i);
  }
  return Permutation::from_packed(word, n);
}

/// As the papers write it, symbols from 1: "3241"; with ten symbols or more, separated by points:
/// "10.2.3.4.5.6.7.8.9.1".
[[nodiscard]] std::string to_paper_label(Permutation x);

/// Reads either form of to_paper_label. Throws InvalidParameter unless it names each of 1..n once.
[[nodiscard]] Permutation permutation_from_label(std::string_view label);

}  // namespace lockstep
