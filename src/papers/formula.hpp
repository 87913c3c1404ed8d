// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The formulas in the data files of the papers (core/formula.hpp), with functions for what papers
/// print: commas(a) has commas between thousands, fixed(f, d) has d decimals, percent(f, d) is
/// 100 f with d decimals; like(p, f) is f in the form of the printed decimal p with two digits
/// more; is_rounded(p, f) and is_cut_off(p, f) say whether p is f.
///
/// Decimals as papers print them: ".27", "0.190", "7.0e-3" (for 7.0 x 10^-3). A table is compared
/// in the digits that it prints, cut off or rounded as its author did.
///
///     parse_printed("7.0e-3")                       // 70 / 10^4
///     written_like(".043", Fraction{5, 114}, 2)     // ".04385"

#include <cstdint>
#include <string>

#include "core/formula.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {

/// digits / 10^places.
struct PrintedDecimal {
  std::uint64_t digits = 0;
  unsigned places = 0;
};

/// Throws InvalidParameter unless the text is digits with one point, then perhaps "e-" and a
/// number.
[[nodiscard]] PrintedDecimal parse_printed(const std::string& text);

/// `value`, cut off, in the form of `printed` with `more` digits more.
[[nodiscard]] std::string written_like(const std::string& printed, const Fraction& value,
                                       unsigned more);

/// Rounded: fixed(-0.02786, 4) is "-0.0279".
[[nodiscard]] std::string fixed(double value, int places);

}  // namespace lockstep

namespace lockstep::papers {

using formulas::Call;
using formulas::evaluate;
using formulas::filled;
using formulas::Function;
using formulas::Functions;
using formulas::Named;
using formulas::Scope;
using formulas::Value;

[[nodiscard]] Functions printed_functions();

}  // namespace lockstep::papers
