// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/mixed_radix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/invalid.hpp"
#include "core/joined.hpp"

namespace lockstep {

std::optional<std::uint64_t> product_at_most(std::span<const std::uint64_t> sizes,
                                             std::uint64_t most) noexcept {
  if (std::ranges::find(sizes, std::uint64_t{0}) != sizes.end()) return 0;
  std::uint64_t product = 1;
  for (const std::uint64_t size : sizes) {
    if (size > most / product) return std::nullopt;
    product *= size;
  }
  return product;
}

std::string sizes_text(std::span<const std::uint64_t> sizes) { return joined(sizes, "x"); }

MixedRadix::MixedRadix(std::span<const std::uint64_t> sizes, FirstDimension first) {
  const std::optional<std::uint64_t> product = product_at_most(sizes, max_count);
  if (sizes.empty() || !product || *product == 0)
    throw invalid(
        "sizes '{}' are not valid; expected one or more, each at least 1, with a "
        "product of at most {}",
        sizes_text(sizes), max_count);
  count_ = *product;
  std::uint64_t above = count_;
  std::uint64_t below = 1;
  for (const std::uint64_t size : sizes) {
    above /= size;
    const std::uint64_t stride = first == FirstDimension::most_significant ? above : below;
    digits_.push_back({size, Divisor(stride), Divisor(stride * size)});
    below *= size;
  }
}

std::string MixedRadix::text(std::uint64_t number) const {
  std::string text;
  for (std::size_t i = 0; i < digits(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ",", digit(number, i));
  return text;
}

std::optional<std::uint64_t> MixedRadix::number(std::string_view text) const {
  std::uint64_t number = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < digits(); ++i) {
    if (i > 0 && (at == end || *at++ != ',')) return std::nullopt;
    std::uint64_t digit = 0;
    const auto read = std::from_chars(at, end, digit);
    if (read.ec != std::errc{} || digit >= size(i)) return std::nullopt;
    at = read.ptr;
    number += digit * stride(i);
  }
  if (at != end) return std::nullopt;
  return number;
}

}  // namespace lockstep
