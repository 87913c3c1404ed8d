// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Fraction: an exact number >= 0 in lowest terms. The papers' means, ratios and thresholds are
/// fractions of factorials; a double decides no tie between them.
///
///     Fraction{10, 36} == Fraction{5, 18};   Fraction{5, 18}.text() == "5/18"
///     Fraction{1, 10} < Fraction{5, 18};     Fraction{5, 18}.digits(2) == 27      // 0.27...
///     Fraction{1, 2} + 3 == Fraction{7, 2};  to_string(Fraction{3}) == "3"
///
/// A sum, difference or quotient has to have terms of 64 bits.

#include <compare>
#include <cstdint>
#include <string>
#include <utility>

#include "lockstep/core/errors.hpp"

namespace lockstep {

/// 128 bits: the product of two 64-bit counts. In every supported compiler.
__extension__ using WideCount = unsigned __int128;

class Fraction {
 public:
  constexpr Fraction() noexcept = default;
  constexpr Fraction(std::uint64_t whole) noexcept : numerator_(whole) {}

  /// Throws InvalidParameter where the denominator is 0.
  constexpr Fraction(std::uint64_t numerator, std::uint64_t denominator)
      : numerator_(numerator), denominator_(denominator) {
    if (denominator == 0) throw InvalidParameter("Fraction: denominator 0; allowed: 1 or more");
    const std::uint64_t common = common_divisor(numerator, denominator);
    numerator_ /= common;
    denominator_ /= common;
  }

  [[nodiscard]] constexpr std::uint64_t numerator() const noexcept { return numerator_; }
  [[nodiscard]] constexpr std::uint64_t denominator() const noexcept { return denominator_; }

  [[nodiscard]] constexpr double value() const noexcept {
    return static_cast<double>(numerator_) / static_cast<double>(denominator_);
  }
  [[nodiscard]] std::string text() const {
    return std::to_string(numerator_) + "/" + std::to_string(denominator_);
  }

  /// Without a denominator where it is 1.
  [[nodiscard]] friend std::string to_string(const Fraction& fraction) {
    return fraction.denominator_ == 1 ? std::to_string(fraction.numerator_) : fraction.text();
  }

  [[nodiscard]] constexpr std::uint64_t rounded_up() const noexcept {
    return numerator_ / denominator_ + static_cast<std::uint64_t>(numerator_ % denominator_ != 0);
  }
  /// The fraction times 10^places, cut off: its decimals as a whole number. Precondition: places
  /// <= 19.
  [[nodiscard]] constexpr WideCount digits(unsigned places) const noexcept {
    return scaled(places) / denominator_;
  }
  /// The same rounded, halves upwards.
  [[nodiscard]] constexpr WideCount rounded_digits(unsigned places) const noexcept {
    return (2 * scaled(places) + denominator_) / (WideCount{2} * denominator_);
  }

  [[nodiscard]] friend constexpr Fraction operator+(const Fraction& a, const Fraction& b) {
    return reduced(a.over(b) + b.over(a), common_denominator(a, b));
  }
  constexpr Fraction& operator+=(const Fraction& other) { return *this = *this + other; }
  /// Precondition: b <= a.
  [[nodiscard]] friend constexpr Fraction operator-(const Fraction& a, const Fraction& b) {
    return reduced(a.over(b) - b.over(a), common_denominator(a, b));
  }
  [[nodiscard]] friend constexpr Fraction operator*(const Fraction& a, const Fraction& b) {
    return reduced(WideCount{a.numerator_} * b.numerator_,
                   WideCount{a.denominator_} * b.denominator_);
  }
  /// Precondition: divisor != 0.
  [[nodiscard]] friend constexpr Fraction operator/(const Fraction& a, std::uint64_t divisor) {
    return reduced(a.numerator_, WideCount{a.denominator_} * divisor);
  }

  friend constexpr bool operator==(const Fraction&, const Fraction&) noexcept = default;
  friend constexpr std::strong_ordering operator<=>(const Fraction& a, const Fraction& b) noexcept {
    const WideCount left = WideCount{a.numerator_} * b.denominator_;
    const WideCount right = WideCount{b.numerator_} * a.denominator_;
    if (left == right) return std::strong_ordering::equal;
    return left < right ? std::strong_ordering::less : std::strong_ordering::greater;
  }

 private:
  /// Also of 128-bit numbers, which std::gcd need not take.
  template <class Count>
  [[nodiscard]] static constexpr Count common_divisor(Count a, Count b) noexcept {
    while (b != 0) a = std::exchange(b, a % b);
    return a;
  }
  [[nodiscard]] static constexpr Fraction reduced(WideCount numerator, WideCount denominator) {
    const WideCount common = common_divisor(denominator, numerator);
    return {static_cast<std::uint64_t>(numerator / common),
            static_cast<std::uint64_t>(denominator / common)};
  }
  /// Numerator over the common denominator.
  [[nodiscard]] constexpr WideCount over(const Fraction& other) const noexcept {
    return WideCount{numerator_} *
           (other.denominator_ / common_divisor(denominator_, other.denominator_));
  }
  [[nodiscard]] static constexpr WideCount common_denominator(const Fraction& a,
                                                              const Fraction& b) noexcept {
    return WideCount{a.denominator_} *
           (b.denominator_ / common_divisor(a.denominator_, b.denominator_));
  }

  [[nodiscard]] constexpr WideCount scaled(unsigned places) const noexcept {
    WideCount result = numerator_;
    for (unsigned i = 0; i < places; ++i) result *= 10;
    return result;
  }

  std::uint64_t numerator_ = 0;
  std::uint64_t denominator_ = 1;
};

}  // namespace lockstep
