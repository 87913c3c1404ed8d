// SPDX-License-Identifier: Apache-2.0
#include "core/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <stdexcept>

#include "lockstep/core/permutation.hpp"

namespace lockstep::formulas {
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

/// The letters, digits and underscores at the front of a text.
[[nodiscard]] std::string_view first_word(std::string_view text) {
  const auto end = std::ranges::find_if_not(
      text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// Calls `use` with the value of the formula, the last argument, for every value of the name.
template <class Use>
void for_each_value(const Call& call, Use use) {
  Scope scope = call.scope;
  for (Number i = call.arguments.at(1).number(); i <= call.arguments.at(2).number(); ++i) {
    scope.names.insert_or_assign(call.text(0), i);
    use(evaluate(call.text(3), scope));
  }
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
    {"floor", quotient},
    {"max", [](Number a, Number b) { return std::max(a, b); }},
    {"factorial", [](std::uint64_t n) { return factorial(n); }},
    {"fraction",
     [](std::uint64_t a, std::uint64_t b) {
       return Fraction{a, b};
     }},
    {"is_less", [](Fraction a, Fraction b) { return a < b; }},
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
        if (level == sums && !(left.is_number() && right.is_number()))
          left = left.text() + right.text();
        else if (scope_.exact && fitting->sign == "/" && right.number() > 0 &&
                 left.number() % right.number() != 0)
          left = left.fraction() / static_cast<std::uint64_t>(right.number());
        else
          left = fitting->result(left.number(), right.number());
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
      const std::string text(rest_.substr(1, rest_.find('\'', 1) - 1));
      rest_.remove_prefix(1 + text.size());
      expect("'");
      return text;
    }
    const std::string_view word = first_word(rest_);
    rest_.remove_prefix(word.size());
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
    if (const auto formula = scope_.formulas.find(name); formula != scope_.formulas.end())
      return evaluate(formula->second, scope_);
    const std::optional<Value> other = scope_.others ? scope_.others(name) : std::nullopt;
    if (!other) fail("unknown name", name);
    return *other;
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

/// Functions as readers know them; the arguments are operands, or texts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> readable_calls{
    {{"log", "ceil(log{0} {1})"},
     {"ceil", "ceil({0}/{1})"},
     {"floor", "floor({0}/{1})"},
     {"max", "max({0}, {1})"},
     {"factorial", "{0}!"},
     {"sides", "(sum of {0} over the sides k)"},
     {"below", "N_{0}"},
     {"arity", "k_{0}"},
     {"arities", "(k_1 + .. + k_{0})"},
     {"lanes", "c_{0}"},
     {"sum", "(sum of {3} over {0} = {1}..{2})"},
     {"most", "(largest {3} over {0} = {1}..{2})"}}};

/// Reads a formula to render it.
class Renderer {
 public:
  explicit Renderer(std::string_view formula) : rest_(formula) {}

  /// Up to the end, or to the comma or parenthesis that ends an argument.
  [[nodiscard]] std::string argument() {
    std::string text;
    while (!rest_.empty() && rest_.front() != ',' && rest_.front() != ')') text += piece();
    return text;
  }

 private:
  [[nodiscard]] std::string piece() {
    if (const std::string_view word = first_word(rest_); !word.empty()) {
      rest_.remove_prefix(word.size());
      return rest_.starts_with('(') ? call(word) : std::string(word);
    }
    const char sign = rest_.front();
    if (sign == '(') return "(" + arguments().front() + ")";
    rest_.remove_prefix(1);
    if (sign == '*') return first_word(rest_).size() <= 1 ? "" : " ";
    return sign == '\'' ? "" : sign == '%' ? "mod" : std::string(1, sign);
  }

  [[nodiscard]] std::vector<std::string> arguments() {
    std::vector<std::string> all;
    for (char end = ','; end == ',' && !rest_.empty();) {
      rest_.remove_prefix(1 + (rest_.starts_with(", ") ? 1 : 0));
      all.push_back(argument());
      end = rest_.empty() ? ')' : rest_.front();
    }
    rest_.remove_prefix(std::min<std::size_t>(1, rest_.size()));
    return all;
  }

  [[nodiscard]] std::string call(std::string_view function) {
    std::vector<std::string> all = arguments();
    const bool has_operands = all.size() < 3 && function != "max" && function != "sides";
    for (std::string& one : all)
      if (has_operands && one.find(' ') != std::string::npos) one = "(" + one + ")";
    all.resize(4);
    const auto form = std::ranges::find(readable_calls, function,
                                        &std::pair<std::string_view, std::string_view>::first);
    if (form == readable_calls.end()) fail("no readable form of", function);
    return fmt::format(fmt::runtime(form->second), all[0], all[1], all[2], all[3]);
  }

  std::string_view rest_;
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

std::string readable(std::string_view formula) { return Renderer(formula).argument(); }

}  // namespace lockstep::formulas
