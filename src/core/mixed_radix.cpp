// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/mixed_radix.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "core/words.hpp"

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
  const std::optional<std::vector<std::uint64_t>> all = whole_numbers(text, ',');
  if (!all || all->size() != digits()) return std::nullopt;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < digits(); ++i) {
    if ((*all)[i] >= size(i)) return std::nullopt;
    number += (*all)[i] * stride(i);
  }
  return number;
}

}  // namespace lockstep
