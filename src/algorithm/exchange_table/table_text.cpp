// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/table_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "algorithm/exchange_table/words.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::string without_blanks_behind(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// Two characters per column.
[[nodiscard]] std::string cells_of(const std::vector<PlacedWord>& row, std::uint64_t columns) {
  std::string text;
  for (const PlacedWord& word : row) {
    while (text.size() < 2 * word.column) text += ". ";
    for (const char letter : word_text(word.ports)) {
      text += letter;
      text += '-';
    }
    if (!word.ports.empty()) text.back() = ' ';
  }
  while (text.size() < 2 * columns) text += ". ";
  return text;
}

}  // namespace

std::string row_text(const std::vector<PlacedWord>& row, std::uint64_t columns) {
  return without_blanks_behind(cells_of(row, columns));
}

std::string rows_text(const ExchangeTable& table, std::uint64_t piece) {
  std::vector<std::string> rows;
  for (const auto& row : table.rows) rows.push_back(cells_of(row, table.columns));
  std::string text;
  for (std::uint64_t first = 0; first < table.columns; first += piece) {
    const std::uint64_t last = std::min(first + piece, table.columns);
    if (table.columns > piece)
      text += fmt::format("{}columns {}-{}\n", first == 0 ? "" : "\n", first + 1, last);
    for (const std::string& row : rows)
      text += without_blanks_behind(row.substr(2 * first, 2 * (last - first))) + "\n";
  }
  return text;
}

std::string exceptional_words_text(const ExchangeTable& table) {
  std::string text;
  for (const auto& row : table.rows)
    for (const PlacedWord& word : row)
      if (is_exceptional(destination(table.symbols, word.ports)))
        text += (text.empty() ? "" : " ") + word_text(word.ports);
  return text;
}

}  // namespace lockstep
