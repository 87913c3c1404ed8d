// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Formulas as texts: of algorithms, and in the data files of the papers. They have whole numbers,
/// names, functions, and C's operators with ^ for powers. "5 / 2" is 2. `filled` replaces the
/// formulas in a text.
///
///     const Scope scope{.names = {{"k", 3}, {"h", 4}}, .formulas = {{"n", "k^h"}}};
///     evaluate("k > 2 ? n + 2*h - 2 : n", scope);     // 87
///     filled("{n} leaves, 2{{h}} = {2*h}", scope);    // "81 leaves, 2{h} = 8"
///     readable("n*(n - 1)/2 + log(2, N)");            // "n(n - 1)/2 + ceil(log2 N)"
///
/// Known in every scope: ceil(a, b) and floor(a, b) are a/b rounded up and down; log(b, x) the
/// least i with b^i >= x; max(a, b); factorial(n). Fractions: fraction(2, 4) is "1/2"; is_less(f,
/// g). For all values of a name: sum('i', 1, 3, 'k^i') is 39 for k = 3, most(..) 27, list(..) "3 9
/// 27", and with a fifth argument what stands between. A sum with a text appends it. All operands
/// are evaluated.

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "lockstep/core/fraction.hpp"

namespace lockstep::formulas {

/// A whole number or a text. A fraction is a text.
class Value {
 public:
  Value(std::integral auto number) : content_(static_cast<std::int64_t>(number)) {}
  Value(std::string text) : content_(std::move(text)) {}
  Value(const char* text) : content_(std::string(text)) {}
  Value(const Fraction& fraction) : content_(fraction.text()) {}
  Value(const std::optional<Fraction>& fraction) : Value(fraction.value()) {}

  [[nodiscard]] bool is_number() const { return content_.index() == 0; }
  /// Throws std::invalid_argument for a text.
  [[nodiscard]] std::int64_t number() const;
  [[nodiscard]] std::string text() const;
  /// "5/18", or a whole number, as a fraction.
  [[nodiscard]] Fraction fraction() const;

 private:
  std::variant<std::int64_t, std::string> content_;
};

struct Scope;

/// The arguments of a function, and the names that are known where it is called.
struct Call {
  std::vector<Value> arguments;
  const Scope& scope;

  [[nodiscard]] std::uint64_t number(std::size_t i) const { return as<std::uint64_t>(i); }
  [[nodiscard]] std::string text(std::size_t i) const { return arguments.at(i).text(); }
  [[nodiscard]] std::size_t size() const { return arguments.size(); }

  // The value of a name of the scope.
  [[nodiscard]] Value named(std::string_view name) const;
  [[nodiscard]] std::uint64_t number(std::string_view name) const {
    return static_cast<std::uint64_t>(named(name).number());
  }
  [[nodiscard]] std::string text(std::string_view name) const { return named(name).text(); }

  /// An argument as the parameter of a C++ function.
  template <class Parameter>
  [[nodiscard]] Parameter as(std::size_t i) const {
    if constexpr (std::is_integral_v<Parameter>)
      return static_cast<Parameter>(arguments.at(i).number());
    else if constexpr (std::is_same_v<Parameter, Fraction>)
      return arguments.at(i).fraction();
    else
      return arguments.at(i).text();
  }
};

/// A C++ function, or a lambda without captures, of whole numbers, texts and fractions; or of the
/// whole call.
class Function {
 public:
  template <class F>
  requires requires(F f) { +f; }
  Function(F f) : Function(+f, Pointer{}) {}

  [[nodiscard]] Value operator()(const Call& call) const { return run_(call); }

 private:
  struct Pointer {};
  template <class Result>
  Function(Result (*f)(const Call&), Pointer) : run_([f](const Call& call) { return f(call); }) {}
  template <class Result, class... Parameters>
  Function(Result (*f)(Parameters...), Pointer)
      : run_([f](const Call& call) -> Value {
          return [&]<std::size_t... i>(std::index_sequence<i...>) {
            return f(call.as<std::decay_t<Parameters>>(i)...);
          }
          (std::index_sequence_for<Parameters...>());
        }) {}

  std::function<Value(const Call&)> run_;
};

template <class Content>
using Named = std::map<std::string, Content, std::less<>>;
using Functions = Named<Function>;

struct Scope {
  Named<Value> names{};
  Named<std::string> formulas{};  ///< evaluated where they are used
  Functions functions{};
  /// Gives names that are in neither list; null: none.
  std::function<std::optional<Value>(std::string_view name)> others{};
  bool exact = false;  ///< a quotient that is not whole is a fraction, and ends its formula
};

/// Throws std::invalid_argument for what is no formula.
[[nodiscard]] Value evaluate(std::string_view formula, const Scope& scope);
[[nodiscard]] std::string filled(std::string_view text, const Scope& scope);

/// The formula as readers expect it: without signs of multiplication, and with the usual signs of
/// functions.
[[nodiscard]] std::string readable(std::string_view formula);

}  // namespace lockstep::formulas
