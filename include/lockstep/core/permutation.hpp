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
/// lexicographic: `lexicographic_rank`.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockstep {

/// n!, for n <= 20 (more does not fit 64 bits). Aborts above; callers check their range first.
[[nodiscard]] constexpr std::uint64_t factorial(std::size_t n) noexcept;

class Permutation {
 public:
  static constexpr std::size_t max_size = 16;

  /// The permutation of no symbols.
  constexpr Permutation() noexcept = default;

  /// Precondition (not checked: hot): n <= 16.
  [[nodiscard]] static constexpr Permutation identity(std::size_t n) noexcept;

  /// Precondition (not checked: hot): the lowest n nibbles hold each of 0..n-1 once, the others 0.
  [[nodiscard]] static constexpr Permutation from_packed(std::uint64_t packed,
                                                         std::size_t n) noexcept;

  /// Checked: throws InvalidParameter unless `symbols` holds each of 0..size-1 once, size <= 16.
  [[nodiscard]] static Permutation from_symbols(std::span<const std::uint8_t> symbols);

  [[nodiscard]] constexpr std::uint64_t packed() const noexcept { return packed_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

  /// The symbol at `position` < size().
  [[nodiscard]] constexpr std::size_t operator[](std::size_t position) const noexcept {
    return (packed_ >> (4 * position)) & 15U;
  }

  /// The position of `symbol` < size(). O(n).
  [[nodiscard]] constexpr std::size_t position_of(std::size_t symbol) const noexcept;

  /// The symbols at positions i and j exchanged.
  [[nodiscard]] constexpr Permutation with_exchanged(std::size_t i, std::size_t j) const noexcept;

  /// The same permutation among n >= size() symbols; the added positions are fixed. Its rank is the
  /// same too.
  [[nodiscard]] constexpr Permutation extended(std::size_t n) const noexcept;

  [[nodiscard]] constexpr Permutation inverse() const noexcept;

  friend constexpr bool operator==(Permutation, Permutation) noexcept = default;

 private:
  constexpr Permutation(std::uint64_t packed, std::size_t n) noexcept : packed_(packed), size_(n) {}

  std::uint64_t packed_ = 0;
  std::size_t size_ = 0;
};

/// (a o b)[i] = a[b[i]]. Precondition: equal sizes.
[[nodiscard]] constexpr Permutation compose(Permutation a, Permutation b) noexcept;

/// Sum over positions i >= 1 of d_i * i!, where d_i = number of positions l < i with x[l] > x[i].
/// The identity has rank 0; exchanging positions 0 and i changes only rank mod (i+1)!.
[[nodiscard]] constexpr std::uint64_t rank(Permutation x) noexcept;

/// The permutation of n <= 16 symbols with that rank. Precondition (hot): rank < n!.
[[nodiscard]] constexpr Permutation unrank(std::size_t n, std::uint64_t rank) noexcept;

/// The papers' numbering: position in the list of all permutations sorted as words.
[[nodiscard]] constexpr std::uint64_t lexicographic_rank(Permutation x) noexcept;
[[nodiscard]] constexpr Permutation lexicographic_unrank(std::size_t n,
                                                         std::uint64_t rank) noexcept;

/// As the papers write it, symbols from 1: "3241"; with ten symbols or more, separated by points:
/// "10.2.3.4.5.6.7.8.9.1".
[[nodiscard]] std::string to_paper_label(Permutation x);

/// Reads either form of to_paper_label. Throws InvalidParameter unless it names each of 1..n once.
[[nodiscard]] Permutation permutation_from_label(std::string_view label);

}  // namespace lockstep

#include "lockstep/core/permutation_inline.hpp"  // IWYU pragma: export
