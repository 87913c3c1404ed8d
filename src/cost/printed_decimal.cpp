// SPDX-License-Identifier: Apache-2.0
#include "lockstep/cost/printed_decimal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "lockstep/core/errors.hpp"

namespace lockstep {
PrintedDecimal parse_printed(const std::string& text) {
  static const std::regex form{R"((\d*)\.(\d+)(?:e-(\d{1,2}))?)"};
  std::smatch parts;
  if (!std::regex_match(text, parts, form) || parts.length(1) + parts.length(2) > 18)
    throw InvalidParameter("'" + text + "' is no printed decimal, allowed as 0.190, .27, 7.0e-3");
  PrintedDecimal decimal;
  decimal.digits = std::stoull(parts.str(1) + parts.str(2));
  decimal.places = static_cast<unsigned>(parts.length(2));
  if (parts[3].matched) decimal.places += static_cast<unsigned>(std::stoul(parts.str(3)));
  return decimal;
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
