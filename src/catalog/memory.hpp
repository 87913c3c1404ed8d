// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How much memory a run will take, how much the host has, how much the process took.

#include <cstdint>
#include <limits>
#include <optional>

namespace lockstep::catalog {

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

/// Bytes this process may still take: what the kernel calls available, less where its control group
/// or its address space is limited. 2^64 - 1 where nothing is known.
[[nodiscard]] std::uint64_t available_bytes();

/// Bytes of memory that this process has used and not given back; 0 where it is not known.
[[nodiscard]] std::uint64_t held_bytes();

/// The most memory that the process holds from here on. (Linux: what an earlier program held in
/// the same process does not count, nor what was held before where the kernel lets it be
/// forgotten.)
///
///     const PeakMemory peak;
///     run();
///     peak.bytes();
class PeakMemory {
 public:
  PeakMemory();
  /// Nothing where it is not known: more was held before, and could not be forgotten.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const;

 private:
  std::optional<std::uint64_t> before_;
};

}  // namespace lockstep::catalog
