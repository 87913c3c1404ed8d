// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Numbers written with a size of its own for every digit: how the nodes of a product of networks
/// are numbered by their coordinates. A digit costs three multiplications, no division.
///
///     const MixedRadix radix(std::array<std::uint64_t, 2>{3, 4});
///     radix.count() == 12;
///     radix.digit(7, 0) == 1;  radix.digit(7, 1) == 3;      // 7 = 1 * 4 + 3
///     radix.text(7) == "1,3";  radix.number("1,3") == 7;

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/detail/divisor.hpp"

namespace lockstep {

/// Whether dimension 1 has the most significant digit of a node's number (tori), or the least
/// (Eisenstein-Jacobi networks).
enum class FirstDimension : std::uint8_t { most_significant, least_significant };

class MixedRadix {
 public:
  static constexpr std::uint64_t max_count = std::uint64_t{1} << 63;

  /// Throws InvalidParameter unless there is a size, every size is at least 1 and their product at
  /// most 2^63.
  explicit MixedRadix(std::span<const std::uint64_t> sizes,
                      FirstDimension first = FirstDimension::most_significant);

  [[nodiscard]] std::size_t digits() const noexcept { return digits_.size(); }
  [[nodiscard]] std::uint64_t size(std::size_t i) const noexcept { return digits_[i].size; }
  /// The factor of digit i: the product of the sizes that are less significant.
  [[nodiscard]] std::uint64_t stride(std::size_t i) const noexcept {
    return digits_[i].by_stride.value();
  }
  /// The numbers are 0..count() - 1.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  [[nodiscard]] std::uint64_t digit(std::uint64_t number, std::size_t i) const noexcept {
    const Digit& digit = digits_[i];
    return digit.by_stride.quotient(number) - digit.by_block.quotient(number) * digit.size;
  }

  /// The digits, separated by commas.
  [[nodiscard]] std::string text(std::uint64_t number) const;
  /// Reads text(); empty where it is not a number of this radix.
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view text) const;

 private:
  struct Digit {
    std::uint64_t size;
    Divisor by_stride;
    Divisor by_block;  ///< stride times size
  };

  std::vector<Digit> digits_;
  std::uint64_t count_ = 1;
};

/// The product of the sizes; empty if it exceeds `most`. No overflow on the way.
[[nodiscard]] std::optional<std::uint64_t> product_at_most(std::span<const std::uint64_t> sizes,
                                                           std::uint64_t most) noexcept;

/// "3x4".
[[nodiscard]] std::string sizes_text(std::span<const std::uint64_t> sizes);

}  // namespace lockstep
