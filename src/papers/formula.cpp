// SPDX-License-Identifier: Apache-2.0
#include "papers/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <regex>
#include <stdexcept>

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

using Number = std::int64_t;

[[noreturn]] void fail(std::string_view what, std::string_view where) {
  throw std::invalid_argument(fmt::format("formula: {}: '{}'", what, where));
}

[[nodiscard]] Number quotient(Number a, Number b) {
  if (b == 0) fail("division by", "0");
  return a / b;
}

[[nodiscard]] Number power(Number base, Number exponent) {
  Number product = 1;
  for (; exponent > 0; --exponent) product *= base;
  return product;
}

struct Operator {
  std::string_view sign;
  std::size_t level;  ///< a higher one binds more tightly
  Number (*result)(Number a, Number b);
};
constexpr std::array operators{
    Operator{"||", 0, [](Number a, Number b) -> Number { return a != 0 || b != 0 ? 1 : 0; }},
    Operator{"&&", 1, [](Number a, Number b) -> Number { return a != 0 && b != 0 ? 1 : 0; }},
    Operator{"<=", 2, [](Number a, Number b) -> Number { return a <= b ? 1 : 0; }},
    Operator{">=", 2, [](Number a, Number b) -> Number { return a >= b ? 1 : 0; }},
    Operator{"<", 2, [](Number a, Number b) -> Number { return a < b ? 1 : 0; }},
    Operator{">", 2, [](Number a, Number b) -> Number { return a > b ? 1 : 0; }},
    Operator{"+", 3, [](Number a, Number b) { return a + b; }},
    Operator{"-", 3, [](Number a, Number b) { return a - b; }},
    Operator{"*", 4, [](Number a, Number b) { return a * b; }},
    Operator{"/", 4, quotient},
    Operator{"%", 4, [](Number a, Number b) { return a - b * quotient(a, b); }},
    Operator{"^", 5, power}};
constexpr std::size_t precedence_levels = 6;
constexpr std::size_t comparisons = 2;
constexpr std::size_t sums = 3;

/// Calls `use` with the value of the formula, the last argument, for every value of the name.
template <class Use>
void for_each_value(const Call& call, Use use) {
  Scope scope = call.scope;
  for (Number i = call.arguments.at(1).number(); i <= call.arguments.at(2).number(); ++i) {
    scope.names.insert_or_assign(call.text(0), i);
    use(evaluate(call.text(3), scope));
  }
}

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

[[nodiscard]] Number log_rounded_up(Number base, Number x) {
  Number exponent = 0;
  for (Number reached = 1; reached < x; reached *= base) ++exponent;
  return exponent;
}

[[nodiscard]] Value sum(const Call& call) {
  Number all = 0;
  for_each_value(call, [&](const Value& value) { all += value.number(); });
  return all;
}

[[nodiscard]] Value most(const Call& call) {
  Number largest = 0;
  for_each_value(call, [&](const Value& value) { largest = std::max(largest, value.number()); });
  return largest;
}

[[nodiscard]] Value list(const Call& call) {
  const std::string between = call.size() > 4 ? call.text(4) : " ";
  std::string text;
  for_each_value(call,
                 [&](const Value& value) { text += (text.empty() ? "" : between) + value.text(); });
  return text;
}

const Functions common_functions{
    {"ceil", [](Number a, Number b) { return quotient(a + b - 1, b); }},
    {"log", log_rounded_up},
    {"max", [](Number a, Number b) { return std::max(a, b); }},
    {"commas", [](Fraction a) { return report::count_text(a); }},
    {"fraction",
     [](std::uint64_t a, std::uint64_t b) {
       return Fraction{a, b};
     }},
    {"fixed", [](Fraction f, int decimals) { return fixed(f.value(), decimals); }},
    {"percent", [](Fraction f, int decimals) { return fixed(100 * f.value(), decimals) + "%"; }},
    {"is_less", [](Fraction a, Fraction b) { return a < b; }},
    {"like", like},
    {"is_rounded", is_rounded},
    {"is_cut_off", is_cut_off},
    {"sum", sum},
    {"most", most},
    {"list", list}};

/// Evaluates while it reads.
class Reader {
 public:
  Reader(std::string_view formula, const Scope& scope) : rest_(formula), scope_(scope) {}

  [[nodiscard]] Value all() {
    Value value = choice();
    if (!rest_.empty()) fail("unexpected", rest_);
    return value;
  }

 private:
  [[nodiscard]] bool take(std::string_view sign) {
    skip_blanks();
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    skip_blanks();
    return true;
  }
  void expect(std::string_view sign) {
    if (!take(sign)) fail(fmt::format("expected {}", sign), rest_);
  }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  /// What stands before the first character that does not fit.
  template <class Fits>
  [[nodiscard]] std::string_view take_while(Fits fits) {
    const auto end = std::ranges::find_if_not(rest_, fits);
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  [[nodiscard]] Value choice() {
    Value value = binary(0);
    if (!take("?")) return value;
    Value then = choice();
    expect(":");
    Value otherwise = choice();
    return value.number() != 0 ? then : otherwise;
  }

  [[nodiscard]] Value binary(std::size_t level) {
    if (level == precedence_levels) return primary();
    Value left = binary(level + 1);
    for (;;) {
      if (level == comparisons && take("==")) {
        left = left.text() == binary(level + 1).text();
      } else {
        const auto fitting = std::ranges::find_if(
            operators, [&](const Operator& one) { return one.level == level && take(one.sign); });
        if (fitting == operators.end()) return left;
        const Value right = binary(level + 1);
        const bool texts = level == sums && !(left.is_number() && right.is_number());
        left = texts ? Value(left.text() + right.text())
                     : Value(fitting->result(left.number(), right.number()));
      }
    }
  }

  [[nodiscard]] Value primary() {
    if (take("(")) {
      Value value = choice();
      expect(")");
      return value;
    }
    if (rest_.starts_with('\'')) {
      rest_.remove_prefix(1);
      const std::string text{take_while([](char c) { return c != '\''; })};
      expect("'");
      return text;
    }
    const std::string_view word =
        take_while([](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (word.empty()) fail("expected a number or a name", rest_);
    if (std::isdigit(static_cast<unsigned char>(word.front())) == 0)
      return take("(") ? result_of(word) : named(word);
    Number number = 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    return number;
  }

  [[nodiscard]] Value named(std::string_view name) {
    if (const auto known = scope_.names.find(name); known != scope_.names.end())
      return known->second;
    const auto formula = scope_.formulas.find(name);
    if (formula == scope_.formulas.end()) fail("unknown name", name);
    return evaluate(formula->second, scope_);
  }

  [[nodiscard]] Value result_of(std::string_view function) {
    Call call{.arguments = {}, .scope = scope_};
    while (!take(")")) {
      call.arguments.push_back(choice());
      (void)take(",");
    }
    for (const Functions* const functions : {&scope_.functions, &common_functions})
      if (const auto known = functions->find(function); known != functions->end())
        return known->second(call);
    fail("unknown function", function);
  }

  std::string_view rest_;
  const Scope& scope_;
};

}  // namespace

std::int64_t Value::number() const {
  if (!is_number()) fail("not a number", text());
  return std::get<0>(content_);
}

std::string Value::text() const {
  return is_number() ? fmt::format("{}", std::get<0>(content_)) : std::get<1>(content_);
}

Fraction Value::fraction() const {
  const std::string whole = text();
  const std::size_t line = whole.find('/');
  return {std::stoull(whole.substr(0, line)),
          line == std::string::npos ? 1 : std::stoull(whole.substr(line + 1))};
}

Value Call::named(std::string_view name) const { return evaluate(name, scope); }

Value evaluate(std::string_view formula, const Scope& scope) {
  return Reader(formula, scope).all();
}

std::string filled(std::string_view text, const Scope& scope) {
  std::string result;
  while (!text.empty()) {
    const std::size_t brace = std::min(text.find_first_of("{}"), text.size());
    result += text.substr(0, brace);
    text.remove_prefix(brace);
    if (text.empty()) break;
    const bool doubled = text.size() > 1 && text[1] == text[0];
    const std::size_t end = doubled ? 1 : text.find('}');
    if (end == std::string_view::npos || text.front() == '}') {
      if (!doubled) fail("unmatched brace", text);
    }
    result += doubled ? std::string(1, text[0]) : evaluate(text.substr(1, end - 1), scope).text();
    text.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace lockstep::papers
