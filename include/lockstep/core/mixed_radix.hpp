// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Numbers written with a size of its own for every digit, the first digit most significant: how
/// the nodes of a product of networks are numbered by their coordinates.
///
///     const MixedRadix radix({3, 4});
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

namespace lockstep {

class MixedRadix {
 public:
  static constexpr std::uint64_t max_count = std::uint64_t{1} << 40;

  /// Throws InvalidParameter unless there is a size, every size is at least 1 and their product at
  /// most 2^40.
  explicit MixedRadix(std::vector<std::uint64_t> sizes);

  [[nodiscard]] std::size_t digits() const noexcept { return sizes_.size(); }
  [[nodiscard]] std::span<const std::uint64_t> sizes() const noexcept { return sizes_; }
  [[nodiscard]] std::uint64_t size(std::size_t i) const noexcept { return sizes_[i]; }
  /// What digit i is multiplied by: the product of the sizes behind it.
  [[nodiscard]] std::uint64_t stride(std::size_t i) const noexcept { return strides_[i]; }
  /// The numbers are 0..count() - 1.
  [[nodiscard]] std::uint64_t count() const noexcept { return strides_[0] * sizes_[0]; }

  [[nodiscard]] std::uint64_t digit(std::uint64_t number, std::size_t i) const noexcept {
    return number / strides_[i] % sizes_[i];
  }

  /// The digits, separated by commas.
  [[nodiscard]] std::string text(std::uint64_t number) const;
  /// Reads text(); empty where it is not a number of this radix.
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view text) const;

  /// "3x4", as networks with these sizes are named.
  [[nodiscard]] std::string sizes_text() const;

 private:
  std::vector<std::uint64_t> sizes_;
  std::vector<std::uint64_t> strides_;
};

/// The product of the sizes; empty if it exceeds `most`. No overflow on the way.
[[nodiscard]] std::optional<std::uint64_t> product_at_most(std::span<const std::uint64_t> sizes,
                                                           std::uint64_t most) noexcept;

/// "3x4".
[[nodiscard]] std::string sizes_text(std::span<const std::uint64_t> sizes);

}  // namespace lockstep
