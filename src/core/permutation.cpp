// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/permutation.hpp"

#include <optional>
#include <vector>

#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "core/words.hpp"
#include "lockstep/core/detail/whole_number.hpp"

namespace lockstep {

namespace {

[[noreturn]] void refuse(std::string_view label) {
  throw invalid(
      "'{}' is not a permutation; expected each of 1..n once, n <= 16, written \"3241\" or "
      "\"3.2.4.1\"",
      label);
}

[[noreturn]] void refuse_symbols(std::span<const std::uint8_t> symbols) {
  throw invalid("symbols {} are not a permutation; expected each of 0..n-1 once, n <= {}",
                joined(symbols, " "), Permutation::max_size);
}

/// Symbols from 0; anything that is not a number from 1 to 16 is refused.
std::uint8_t symbol_of(std::string_view digits, std::string_view label) {
  const std::optional<std::uint64_t> value = whole_number(digits);
  if (!value || *value < 1 || *value > Permutation::max_size) refuse(label);
  return static_cast<std::uint8_t>(*value - 1);
}

std::vector<std::uint8_t> symbols_of(std::string_view label) {
  std::vector<std::uint8_t> symbols;
  if (label.find('.') == std::string_view::npos) {
    for (std::size_t i = 0; i < label.size(); ++i)
      symbols.push_back(symbol_of(label.substr(i, 1), label));
  } else {
    for (const std::string_view digits : pieces_of(label, '.'))
      symbols.push_back(symbol_of(digits, label));
  }
  return symbols;
}

}  // namespace

Permutation Permutation::from_symbols(std::span<const std::uint8_t> symbols) {
  if (symbols.size() > max_size) refuse_symbols(symbols);
  std::uint64_t packed = 0;
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (symbols[i] >= symbols.size() || ((seen >> symbols[i]) & 1U) != 0) refuse_symbols(symbols);
    seen |= 1U << symbols[i];
    packed |= std::uint64_t{symbols[i]} << (4 * i);
  }
  return from_packed(packed, symbols.size());
}

std::string to_paper_label(Permutation x) {
  std::string label;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i > 0 && x.size() > 9) label += '.';
    label += std::to_string(x[i] + 1);
  }
  return label;
}

Permutation permutation_from_label(std::string_view label) {
  const std::vector<std::uint8_t> symbols = symbols_of(label);
  if (symbols.empty()) refuse(label);
  try {
    return Permutation::from_symbols(symbols);
  } catch (const InvalidParameter&) {
    refuse(label);  // in the words of what was typed
  }
}

}  // namespace lockstep
