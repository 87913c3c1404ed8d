// SPDX-License-Identifier: Apache-2.0
#include "papers/printed_decimal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

/// Takes the digits that `text` starts with.
std::string_view take_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

bool take(std::string_view& text, std::string_view wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}

}  // namespace

PrintedDecimal parse_printed(const std::string& text) {
  std::string_view rest = text;
  const std::string whole{take_digits(rest)};
  const bool has_point = take(rest, ".");
  const std::string decimals{take_digits(rest)};
  const bool has_exponent = take(rest, "e-");
  const std::string exponent{take_digits(rest)};
  constexpr std::size_t digits_that_fit = 18;
  if (!has_point || decimals.empty() || whole.size() + decimals.size() > digits_that_fit ||
      has_exponent == exponent.empty() || exponent.size() > 2 || !rest.empty())
    throw InvalidParameter("'" + text + "' is no printed decimal, allowed as 0.190, .27, 7.0e-3");
  const auto scale = static_cast<unsigned>(has_exponent ? std::stoul(exponent) : 0);
  return {.digits = std::stoull(whole + decimals),
          .places = static_cast<unsigned>(decimals.size()) + scale};
}

std::string written_like(const std::string& printed, const Fraction& value, unsigned more) {
  const unsigned places = parse_printed(printed).places + more;
  const std::size_t point = printed.find('.');
  const std::size_t mantissa = std::min(printed.find('e'), printed.size());
  const std::size_t after_point = mantissa - point - 1 + more;
  std::string digits = std::to_string(static_cast<std::uint64_t>(value.digits(places)));
  if (digits.size() < point + after_point)
    digits.insert(0, point + after_point - digits.size(), '0');
  digits.insert(digits.size() - after_point, ".");
  return digits + printed.substr(mantissa);
}

std::string fixed(double value, int places) { return fmt::format("{:.{}f}", value, places); }

}  // namespace lockstep
