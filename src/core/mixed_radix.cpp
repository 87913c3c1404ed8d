// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/mixed_radix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "lockstep/core/errors.hpp"

namespace lockstep {

std::optional<std::uint64_t> product_at_most(std::span<const std::uint64_t> sizes,
                                             std::uint64_t most) noexcept {
  if (std::find(sizes.begin(), sizes.end(), std::uint64_t{0}) != sizes.end()) return 0;
  std::uint64_t product = 1;
  for (const std::uint64_t size : sizes) {
    if (size > most / product) return std::nullopt;
    product *= size;
  }
  return product;
}

std::string sizes_text(std::span<const std::uint64_t> sizes) {
  std::string text;
  for (const std::uint64_t size : sizes) text += fmt::format("{}{}", text.empty() ? "" : "x", size);
  return text;
}

MixedRadix::MixedRadix(std::vector<std::uint64_t> sizes)
    : sizes_(std::move(sizes)), strides_(sizes_.size(), 1) {
  const std::optional<std::uint64_t> product = product_at_most(sizes_, max_count);
  if (sizes_.empty() || !product || *product == 0)
    throw InvalidParameter(
        fmt::format("sizes '{}': allowed one or more, each at least 1, their product at most {}",
                    lockstep::sizes_text(sizes_), max_count));
  for (std::size_t i = sizes_.size() - 1; i > 0; --i) strides_[i - 1] = strides_[i] * sizes_[i];
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
    if (read.ec != std::errc{} || digit >= sizes_[i]) return std::nullopt;
    at = read.ptr;
    number += digit * strides_[i];
  }
  if (at != end) return std::nullopt;
  return number;
}

std::string MixedRadix::sizes_text() const { return lockstep::sizes_text(sizes_); }

}  // namespace lockstep
