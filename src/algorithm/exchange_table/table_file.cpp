// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/exchange_table/words.hpp"
#include "core/invalid.hpp"
#include "core/words.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/core/errors.hpp"
#include "program/schedule_pieces.hpp"

namespace lockstep {

namespace {

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

using Tokens = std::vector<std::string_view>;

constexpr std::uint64_t longest_blank = 9'999'999;  // seven digits
constexpr std::size_t most_digits = 15;             // a sum of such numbers fits 64 bits
constexpr std::size_t most_rows = 35;               // 1..9, a..z

[[nodiscard]] Tokens tokens_of(std::string_view line) {
  Tokens tokens;
  append_words(line.substr(0, line.find('#')), tokens, " \t");
  return tokens;
}

/// Decimal digits without a leading zero.
[[nodiscard]] std::optional<std::uint64_t> number_of(std::string_view text,
                                                     std::size_t digits = most_digits) {
  if (text.size() > digits || (text.size() > 1 && text[0] == '0')) return {};
  return whole_number(text);
}

class Parser {
 public:
  Parser(std::istream& in, const std::string& file_name) : in_(in), file_name_(file_name) {}

  [[nodiscard]] ExchangeTableFile parse() {
    read_version();
    while (next_line()) {
      if (tokens_.empty()) continue;
      if (ended_) refuse("text after 'end'");
      read_line();
    }
    if (in_.bad()) refuse("the file cannot be read");
    if (!ended_) refuse("the file is incomplete: the line 'end' is missing");
    return std::move(file_);
  }

 private:
  enum Heading : std::size_t { n, kind, columns, rows };
  static constexpr std::array<std::string_view, 4> headings{"n", "kind", "columns", "rows"};

  [[noreturn]] void refuse(const std::string& reason) const {
    throw invalid("{}:{}: {}", file_name_, line_, reason);
  }

  bool next_line() {
    if (!std::getline(in_, text_)) return false;
    ++line_;
    if (!text_.empty() && text_.back() == '\r') text_.pop_back();
    tokens_ = tokens_of(text_);
    return true;
  }

  void read_version() {
    const bool there = next_line();
    line_ = 1;
    if (!there || tokens_.empty() || tokens_[0] != "startable")
      refuse("the file is not an exchange table; expected 'startable 1' in the first line");
    if (tokens_.size() != 2 || tokens_[1] != "1")
      refuse(fmt::format("format version {}; expected 1",
                         tokens_.size() == 2 ? quoted(tokens_[1]) : "not given"));
  }

  void read_line() {
    if (tokens_[0] == "row") return read_row();
    if (tokens_[0] == "end") return read_end();
    const auto at = std::ranges::find(headings, tokens_[0]);
    if (at == headings.end())
      refuse(fmt::format("{} is not valid; expected n, kind, columns, rows, row or end",
                         quoted(tokens_[0])));
    read_heading(static_cast<Heading>(at - headings.begin()));
  }

  void read_heading(Heading heading) {
    const std::string_view what = headings[heading];
    if (!file_.row_lines.empty()) refuse(fmt::format("'{}' after the first row", what));
    if (given_[heading]) refuse(fmt::format("'{}' occurs twice", what));
    if (tokens_.size() != 2) refuse(fmt::format("'{}' takes one value", what));
    given_[heading] = true;
    switch (heading) {
      case n:
        file_.table.symbols = number(min_table_symbols, max_table_symbols);
        break;
      case kind:
        read_kind();
        break;
      case columns:
        file_.table.columns = number(0, std::uint64_t{999'999'999'999'999});
        break;
      case rows:
        announced_rows_ = number(1, most_rows);
        break;
    }
  }

  void read_kind() {
    try {
      file_.table.kind = table_kind(tokens_[1]);
    } catch (const InvalidParameter&) {
      refuse(fmt::format("kind {} is not valid; expected total, odd, base-total or base-odd",
                         quoted(tokens_[1])));
    }
  }

  [[nodiscard]] std::uint64_t number(std::uint64_t least, std::uint64_t most) const {
    const std::optional<std::uint64_t> value = number_of(tokens_[1]);
    if (!value || *value < least || *value > most)
      refuse(fmt::format("{} {} is not valid; expected {}..{}", tokens_[0], quoted(tokens_[1]),
                         least, most));
    return *value;
  }

  void check_headings() const {
    for (std::size_t i = 0; i < headings.size(); ++i)
      if (!given_[i]) refuse(fmt::format("'{}' is missing before the first row", headings[i]));
  }

  void read_row() {
    check_headings();
    if (file_.row_lines.size() == announced_rows_)
      refuse(fmt::format("more rows than the announced {}", announced_rows_));
    file_.row_lines.push_back(line_);
    std::vector<PlacedWord>& words = file_.table.rows.emplace_back();
    std::uint64_t width = 0;
    for (const std::string_view token : Tokens(tokens_.begin() + 1, tokens_.end())) {
      if (token[0] == '.') {
        width += blanks(token);
        continue;
      }
      words.push_back({width, word(token)});
      width += words.back().ports.size();
    }
    if (width != file_.table.columns) {
      file_.width_faults.push_back(
          {fmt::format("the row has {} cells, but {} columns are announced", width,
                       file_.table.columns),
           file_.row_lines.size() - 1, std::nullopt, line_});
    }
  }

  [[nodiscard]] std::uint64_t blanks(std::string_view token) const {
    if (token == ".") return 1;
    const std::optional<std::uint64_t> count = number_of(token.substr(1), 7);
    if (!count || *count == 0)
      refuse(fmt::format("blanks {} are not valid; expected . or .1 to .{}", quoted(token),
                         longest_blank));
    return *count;
  }

  [[nodiscard]] std::vector<Port> word(std::string_view token) const {
    try {
      return word_from_text(token);
    } catch (const InvalidParameter&) {
      refuse(
          fmt::format("word {} is not valid; expected letters 1 to 9 and a to z", quoted(token)));
    }
  }

  void read_end() {
    check_headings();
    if (tokens_.size() != 1) refuse("'end' takes no value");
    if (file_.row_lines.size() != announced_rows_)
      refuse(fmt::format("{} rows, but {} are announced", file_.row_lines.size(), announced_rows_));
    ended_ = true;
  }

  std::istream& in_;
  const std::string& file_name_;
  std::string text_;  // the line that tokens_ look into
  Tokens tokens_;
  std::uint64_t line_ = 0;
  std::array<bool, headings.size()> given_{};
  std::uint64_t announced_rows_ = 0;
  bool ended_ = false;
  ExchangeTableFile file_;
};

void write_row(std::ostream& out, const std::vector<PlacedWord>& words, std::uint64_t columns) {
  out << "row";
  std::uint64_t end = 0;
  const auto blanks_to = [&](std::uint64_t column) {
    while (end < column) {
      const std::uint64_t count = std::min(column - end, longest_blank);
      out << (count == 1 ? " ." : fmt::format(" .{}", count));
      end += count;
    }
  };
  for (const PlacedWord& word : words) {
    blanks_to(word.column);
    out << ' ' << word_text(word.ports);
    end += word.ports.size();
  }
  blanks_to(columns);
  out << '\n';
}

}  // namespace

std::string row_text(const std::vector<PlacedWord>& row, std::uint64_t columns) {
  return std::string(trimmed(cells_of(row, columns)));
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
      text.append(trimmed(row.substr(2 * first, 2 * (last - first)))) += '\n';
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

ExchangeTableFile parse_exchange_table(std::istream& in, const std::string& file_name) {
  return Parser(in, file_name).parse();
}

std::vector<TableFault> check_exchange_table(const ExchangeTableFile& file) {
  std::vector<TableFault> faults = file.width_faults;
  for (TableFault& fault : check_exchange_table(file.table)) {
    if (fault.row && *fault.row < file.row_lines.size()) fault.line = file.row_lines[*fault.row];
    faults.push_back(std::move(fault));
  }
  return faults;
}

ExchangeTable read_exchange_table(std::istream& in, const std::string& file_name) {
  ExchangeTableFile file = parse_exchange_table(in, file_name);
  const std::vector<TableFault> faults = check_exchange_table(file);
  if (faults.empty()) return std::move(file.table);
  throw InvalidParameter(fault_text(faults.front(), file_name));
}

void write_exchange_table(std::ostream& out, const ExchangeTable& table,
                          const std::string& remark) {
  out << "startable 1\n";
  std::istringstream lines{remark};
  for (std::string line; std::getline(lines, line);) out << "# " << line << '\n';
  out << "n " << table.symbols << "\nkind " << name(table.kind) << "\ncolumns " << table.columns
      << "\nrows " << table.rows.size() << '\n';
  for (const auto& row : table.rows) write_row(out, row, table.columns);
  out << "end\n";
}

}  // namespace lockstep
