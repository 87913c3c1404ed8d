// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Division by a number that is known long before: one multiplication instead of the divider's
/// twenty and more cycles. Exact for every number below 2^63.
///
///     const Divisor by_37{37};
///     by_37.quotient(1369) == 37;
///
/// Source: T. Granlund, P. L. Montgomery, "Division by invariant integers using multiplication",
/// PLDI 1994, theorem 4.2: with l = ceil(log2 d) and m = ceil(2^(63+l) / d), m d exceeds 2^(63+l)
/// by less than d <= 2^l, so n m / 2^(63+l) exceeds n / d by less than 1 / d for n < 2^63.

#include <bit>
#include <cstdint>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {

class Divisor {
 public:
  static constexpr std::uint64_t max_divisor = std::uint64_t{1} << 63;

  /// Precondition: 1 <= value <= 2^63.
  constexpr explicit Divisor(std::uint64_t value) noexcept
      : value_(value), shift_(static_cast<std::uint32_t>(std::bit_width(value - 1))) {
    expects(value >= 1 && value <= max_divisor, "a divisor lies in 1..2^63");
    const WideCount power = WideCount{1} << (63 + shift_);
    multiplier_ = static_cast<std::uint64_t>((power + value - 1) / value);
  }

  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }

  /// Precondition: number < 2^63.
  [[nodiscard]] constexpr std::uint64_t quotient(std::uint64_t number) const noexcept {
    const std::uint64_t twice = 2 * number;
    return static_cast<std::uint64_t>((WideCount{twice} * multiplier_) >> 64) >> shift_;
  }

 private:
  std::uint64_t value_;
  std::uint64_t multiplier_ = 0;
  std::uint32_t shift_;
};

}  // namespace lockstep
