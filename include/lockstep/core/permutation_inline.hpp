// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The arithmetic of permutation.hpp, apart so that the header stays a table of contents. Ranking
/// counts with sixteen 4-bit counters in one word, because the baseline x86-64 instruction set has
/// no population count.

#include <array>
#include <cstddef>
#include <cstdint>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/permutation.hpp"

namespace lockstep {

namespace permutation_detail {

inline constexpr std::uint64_t one_in_each_nibble = 0x1111'1111'1111'1111U;
inline constexpr std::uint64_t identity_word = 0xFEDC'BA98'7654'3210U;

inline constexpr auto factorials = [] {
  std::array<std::uint64_t, 21> table{1};
  for (std::size_t i = 1; i < table.size(); ++i) table[i] = table[i - 1] * i;
  return table;
}();

/// All bits of the lowest `count` <= 16 nibbles.
[[nodiscard]] constexpr std::uint64_t low_nibbles(std::size_t count) noexcept {
  return count >= 16 ? ~std::uint64_t{0} : (std::uint64_t{1} << (4 * count)) - 1;
}

/// The list of nibbles without entry k < 16; what stood above moves down.
[[nodiscard]] constexpr std::uint64_t without_nibble(std::uint64_t list, std::uint64_t k) noexcept {
  const std::uint64_t below = (std::uint64_t{1} << (4 * k)) - 1;
  return (list & below) | ((list >> 4) & ~below);
}

/// r / i! for r < 12! as one multiplication: (r * multiplier) >> shift is exact because
/// multiplier * i! exceeds 2^shift by less than i! <= 2^(shift - 29), and 12! < 2^29.
struct Reciprocal {
  std::uint64_t multiplier = 0;
  std::uint32_t shift = 0;

  [[nodiscard]] constexpr std::uint64_t quotient(std::uint64_t r) const noexcept {
    return (r * multiplier) >> shift;
  }
};

/// Entry i divides by i!.
inline constexpr std::size_t reciprocal_limit = 12;
inline constexpr auto reciprocals = [] {
  std::array<Reciprocal, reciprocal_limit + 1> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::uint32_t bits = 0;
    while ((std::uint64_t{1} << bits) < factorials[i]) ++bits;
    table[i].shift = 29 + bits;
    table[i].multiplier =
        ((std::uint64_t{1} << table[i].shift) + factorials[i] - 1) / factorials[i];
  }
  return table;
}();

}  // namespace permutation_detail

constexpr std::uint64_t factorial(std::size_t n) noexcept {
  expects(n < permutation_detail::factorials.size(), "the factorial fits 64 bits");
  return permutation_detail::factorials[n];
}

constexpr Permutation Permutation::identity(std::size_t n) noexcept {
  return {permutation_detail::identity_word & permutation_detail::low_nibbles(n), n};
}

constexpr Permutation Permutation::from_packed(std::uint64_t packed, std::size_t n) noexcept {
  return {packed, n};
}

constexpr std::size_t Permutation::position_of(std::size_t symbol) const noexcept {
  std::size_t position = 0;
  for (std::size_t i = 0; i < size_; ++i) position |= (*this)[i] == symbol ? i : 0;
  return position;
}

constexpr Permutation Permutation::with_exchanged(std::size_t i, std::size_t j) const noexcept {
  const std::uint64_t difference = ((packed_ >> (4 * i)) ^ (packed_ >> (4 * j))) & 15U;
  return {packed_ ^ (difference << (4 * i)) ^ (difference << (4 * j)), size_};
}

constexpr Permutation Permutation::extended(std::size_t n) const noexcept {
  return {packed_ | (identity(n).packed_ & ~permutation_detail::low_nibbles(size_)), n};
}

constexpr Permutation Permutation::inverse() const noexcept {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size_; ++i) word |= std::uint64_t{i} << (4 * (*this)[i]);
  return {word, size_};
}

constexpr Permutation compose(Permutation a, Permutation b) noexcept {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < b.size(); ++i) word |= std::uint64_t{a[b[i]]} << (4 * i);
  return Permutation::from_packed(word, b.size());
}

constexpr std::uint64_t rank(Permutation x) noexcept {
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

constexpr Permutation unrank(std::size_t n, std::uint64_t rank) noexcept {
  using namespace permutation_detail;
  std::uint64_t remaining = identity_word;  // symbols not yet placed, ascending
  std::uint64_t word = 0;
  std::size_t i = n;
  for (; i > reciprocal_limit; --i) {  // positions too high for the reciprocals: divide
    const std::uint64_t digit = rank / factorials[i - 1];
    rank -= digit * factorials[i - 1];
    const std::uint64_t k = i - 1 - digit;
    word |= ((remaining >> (4 * k)) & 15U) << (4 * (i - 1));
    remaining = without_nibble(remaining, k);
  }
  std::uint64_t blocks = 0;  // rank / i!: how many whole blocks of i! lie below
  for (; i > 0; --i) {
    const std::uint64_t smaller_blocks = reciprocals[i - 1].quotient(rank);
    const std::uint64_t k = i - 1 - (smaller_blocks - blocks * i);
    blocks = smaller_blocks;
    word |= ((remaining >> (4 * k)) & 15U) << (4 * (i - 1));
    remaining = without_nibble(remaining, k);
  }
  return Permutation::from_packed(word, n);
}

constexpr std::uint64_t lexicographic_rank(Permutation x) noexcept {
  using namespace permutation_detail;
  std::uint64_t result = 0;
  std::uint64_t smaller_seen = 0;  // nibble s: how many symbols below s stand further right
  for (std::size_t i = x.size(); i-- > 0;) {
    const std::uint64_t shift = 4 * x[i];
    result += ((smaller_seen >> shift) & 15U) * factorials[x.size() - 1 - i];
    smaller_seen += (one_in_each_nibble << 4) << shift;
  }
  return result;
}

constexpr Permutation lexicographic_unrank(std::size_t n, std::uint64_t rank) noexcept {
  using namespace permutation_detail;
  std::uint64_t remaining = identity_word;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t k = rank / factorials[n - 1 - i];
    rank -= k * factorials[n - 1 - i];
    word |= ((remaining >> (4 * k)) & 15U) << (4 * i);
    remaining = without_nibble(remaining, k);
  }
  return Permutation::from_packed(word, n);
}

}  // namespace lockstep
