// SPDX-License-Identifier: Apache-2.0
#include "papers/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "lockstep/core/errors.hpp"
#include "report/quantities.hpp"

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

namespace lockstep::papers {
namespace {

[[nodiscard]] std::string like(const std::string& printed, Fraction value) {
  return printed.find('.') == std::string::npos ? to_string(value)
                                                : written_like(printed, value, 2);
}

[[nodiscard]] bool is_rounded(const std::string& printed, Fraction value) {
  if (printed.find('.') == std::string::npos) return to_string(value) == printed;
  const PrintedDecimal decimal = parse_printed(printed);
  return value.rounded_digits(decimal.places) == decimal.digits;
}

[[nodiscard]] bool is_cut_off(const std::string& printed, Fraction value) {
  const PrintedDecimal decimal = parse_printed(printed);
  return value.digits(decimal.places) == decimal.digits;
}

}  // namespace

Functions printed_functions() {
  return {
      {"commas", [](Fraction a) { return report::count_text(a); }},
      {"fixed", [](Fraction f, int decimals) { return fixed(f.value(), decimals); }},
      {"percent", [](Fraction f, int decimals) { return fixed(100 * f.value(), decimals) + "%"; }},
      {"like", like},
      {"is_rounded", is_rounded},
      {"is_cut_off", is_cut_off}};
}

}  // namespace lockstep::papers
