// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace lockstep {

/// Sums and products of bytes that stop at the largest number instead of wrapping: a request may
/// ask for blocks of 2^63 bytes.
class Bytes {
 public:
  constexpr Bytes(std::uint64_t value) : value_(value) {}  // NOLINT: a number of bytes is a number

  friend constexpr Bytes operator+(Bytes a, Bytes b) noexcept {
    return a.value_ > largest - b.value_ ? largest : a.value_ + b.value_;
  }
  friend constexpr Bytes operator*(Bytes a, Bytes b) noexcept {
    return b.value_ != 0 && a.value_ > largest / b.value_ ? largest : a.value_ * b.value_;
  }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }

 private:
  static constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t value_;
};

}  // namespace lockstep
