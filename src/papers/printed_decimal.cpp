// SPDX-License-Identifier: Apache-2.0
#include "papers/printed_decimal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "lockstep/core/errors.hpp"

namespace lockstep {

PrintedDecimal parse_printed(const std::string& text) {
  static const std::regex form(R"((\d*)\.(\d+)(?:e-(\d\d?))?)");
  constexpr std::ptrdiff_t digits_that_fit = 18;
  std::smatch match;
  if (!std::regex_match(text, match, form) || match.length(1) + match.length(2) > digits_that_fit)
    throw InvalidParameter(
        "'" + text + "' is not a printed decimal; expected a number such as 0.190, .27 or 7.0e-3");
  const std::size_t scale = match[3].matched ? std::stoul(match[3]) : 0;
  return {.digits = std::stoull(match.str(1) + match.str(2)),
          .places = static_cast<unsigned>(match.str(2).size() + scale)};
}

std::string written_like(const std::string& printed, const Fraction& value, unsigned more) {
  const unsigned places = parse_printed(printed).places + more;
  const std::size_t point = printed.find('.');
  const std::size_t mantissa = std::min(printed.find('e'), printed.size());
  const std::size_t after_point = mantissa - point - 1 + more;
  std::string digits =
      fmt::format("{:0>{}}", static_cast<std::uint64_t>(value.digits(places)), point + after_point);
  digits.insert(digits.size() - after_point, ".");
  return digits + printed.substr(mantissa);
}

std::string fixed(double value, int places) { return fmt::format("{:.{}f}", value, places); }

}  // namespace lockstep
