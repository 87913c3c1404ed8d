// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/eisenstein.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 3> powers{"", "rho", "rho^2"};
constexpr std::int64_t max_coefficient = 1'000'000'000'000'000'000;

/// "+2rho"; nothing for a coefficient of 0.
[[nodiscard]] std::string term(std::int64_t coefficient, std::size_t power) {
  if (coefficient == 0) return {};
  const std::string_view sign = coefficient < 0 ? "-" : "+";
  const std::int64_t size = coefficient < 0 ? -coefficient : coefficient;
  if (size == 1 && power > 0) return fmt::format("{}{}", sign, powers[power]);
  return fmt::format("{}{}{}", sign, size, powers[power]);
}

struct Term {
  std::int64_t coefficient;
  std::size_t power;
};

/// Takes one term off the front of `text`, which has no blanks. Only the first needs no sign.
[[nodiscard]] std::optional<Term> take_term(std::string_view& text, std::string_view whole) {
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+')
    text.remove_prefix(1);
  else if (text.size() != whole.size())
    return std::nullopt;
  std::uint64_t size = 1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), size);
  if (read.ec == std::errc::result_out_of_range) return std::nullopt;
  const auto digits = static_cast<std::size_t>(read.ptr - text.data());
  text.remove_prefix(digits);
  std::size_t power = powers.size() - 1;
  while (text.substr(0, powers[power].size()) != powers[power]) --power;  // "" always fits
  text.remove_prefix(powers[power].size());
  if ((digits == 0 && power == 0) || size > max_coefficient) return std::nullopt;
  const auto coefficient = static_cast<std::int64_t>(size);
  return Term{negative ? -coefficient : coefficient, power};
}

/// Without the blanks, which may stand at either end and around a sign.
[[nodiscard]] std::optional<std::string> without_blanks(std::string_view text) {
  const auto sign = [](char c) { return c == '+' || c == '-'; };
  std::string packed;
  bool after_blank = false;
  for (const char c : text) {
    if (c != ' ') {
      if (after_blank && !packed.empty() && !sign(c) && !sign(packed.back())) return std::nullopt;
      packed += c;
    }
    after_blank = c == ' ';
  }
  return packed;
}

}  // namespace

std::string to_paper(Eisenstein z) {
  const Sector place = sector_of(z);
  if (place.sector == 0) return "0";
  std::array<std::int64_t, 3> coefficients{};
  const auto add = [&](int power, std::int64_t count) {
    coefficients[static_cast<std::size_t>(power % 3)] += power % 6 >= 3 ? -count : count;
  };
  add(place.sector - 1, place.minor_count);
  add(place.sector, place.major_count);
  std::string text;
  for (std::size_t power = 0; power < powers.size(); ++power)
    text += term(coefficients[power], power);
  return text.front() == '+' ? text.substr(1) : text;
}

std::optional<Eisenstein> eisenstein_from_text(std::string_view text) {
  const std::optional<std::string> packed = without_blanks(text);
  if (!packed || packed->empty()) return std::nullopt;
  Eisenstein sum;
  std::string_view rest = *packed;
  std::size_t terms = 0;
  while (!rest.empty()) {
    const std::optional<Term> one = take_term(rest, *packed);
    if (!one || ++terms > powers.size()) return std::nullopt;
    const Eisenstein unit = eisenstein_units[one->power];
    sum = sum + Eisenstein{one->coefficient * unit.x, one->coefficient * unit.y};
  }
  return sum;
}

}  // namespace lockstep
