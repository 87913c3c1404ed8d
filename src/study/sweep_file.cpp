// SPDX-License-Identifier: Apache-2.0
#include "study/sweep_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "report/fields.hpp"

namespace lockstep::study {
namespace {

/// The columns of the program against those of the file: the first that differs.
[[nodiscard]] std::string difference(const CsvRow& ours, const CsvRow& theirs) {
  for (std::size_t c = 0; c < std::max(ours.size(), theirs.size()); ++c) {
    const std::string a = c < ours.size() ? "'" + ours[c] + "'" : "none";
    const std::string b = c < theirs.size() ? "'" + theirs[c] + "'" : "none";
    if (a != b) return fmt::format("column {} is {}; expected {}", c + 1, b, a);
  }
  return {};
}

[[nodiscard]] std::size_t place_of(const CsvRow& columns, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin());
}

/// Precondition: the key's columns are among the columns.
[[nodiscard]] CsvRow cells_of_key(const CsvRow& columns, const CsvRow& row, const CsvRow& key) {
  CsvRow cells;
  for (const std::string& name : key) cells.push_back(row[place_of(columns, name)]);
  return cells;
}

/// Holds the rows of a file against the runs of a sweep.
class RowCheck {
  /// The runs of one key.
  struct Runs {
    std::size_t first;     ///< their number in the sweep
    std::size_t left = 0;  ///< without a row
    std::size_t line = 0;  ///< of the last row
  };

 public:
  RowCheck(const std::string& file, const SweepFile::Format& format)
      : file_(file), format_(format), status_(place_of(format.columns, "status")) {
    for (std::size_t i = 0; i < format.runs.size(); ++i)
      ++runs_.try_emplace(format.runs[i], Runs{.first = i}).first->second.left;
  }

  /// Throws InvalidParameter where the sweep would not have written this row, or not again.
  void check(const CsvRow& row, std::size_t line) {
    if (row == format_.columns) fail(line, "a second heading");
    if (row.size() != format_.columns.size())
      fail(line, fmt::format("{} cells; expected {}", row.size(), format_.columns.size()));
    check_status(row, line);
    const CsvRow key = cells_of_key(format_.columns, row, format_.key);
    const auto found = runs_.find(key);
    if (found == runs_.end()) fail(line, foreign(key));
    Runs& runs = found->second;
    if (runs.left == 0)
      fail(line, fmt::format("the same run as in line {}; expected one row per run", runs.line));
    const std::string fault = format_.fault ? format_.fault(runs.first, row) : std::string();
    if (!fault.empty()) fail(line, fault + "; delete the line to repeat its run");
    --runs.left;
    runs.line = line;
  }

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw invalid("resume: '{}', line {}: {}; the file was left as it is", file_, line, what);
  }

 private:
  void check_status(const CsvRow& row, std::size_t line) const {
    if (format_.statuses.empty()) return;
    const std::string& status = row.at(status_);
    if (std::ranges::find(format_.statuses, status) == format_.statuses.end())
      fail(line, fmt::format("status '{}' is not valid; expected {}", status,
                             joined(format_.statuses, ", ")));
  }

  /// The first column in which no run of the sweep has that cell; each may occur in some run.
  [[nodiscard]] std::string foreign(const CsvRow& key) const {
    for (std::size_t c = 0; c < key.size(); ++c) {
      const bool known =
          std::ranges::any_of(format_.runs, [&](const CsvRow& run) { return run[c] == key[c]; });
      if (!known)
        return fmt::format("{} '{}' belongs to no run of this sweep", format_.key[c], key[c]);
    }
    return fmt::format("these options belong to no run of this sweep: {}", joined(key, ","));
  }

  const std::string& file_;
  const SweepFile::Format& format_;
  const std::size_t status_;
  std::map<CsvRow, Runs> runs_;
};

}  // namespace

CsvRows read_csv(const std::string& text) {
  CsvRows found;
  CsvRow row(1);
  bool quoted = false;
  std::size_t line = 1;
  std::size_t begin = 1;  // of the row
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      const bool twice = c == '"' && i + 1 < text.size() && text[i + 1] == '"';
      if (c != '"' || twice) row.back() += c;
      if (twice) ++i;
      quoted = c != '"' || twice;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      row.emplace_back();
    } else if (c == '\n') {
      found.rows.push_back(std::exchange(row, CsvRow(1)));
      found.lines.push_back(std::exchange(begin, line + 1));
      found.whole = i + 1;
    } else if (c != '\r') {
      row.back() += c;
    }
    line += static_cast<std::size_t>(c == '\n');
  }
  return found;
}

void spare_rows(const RowFile& file, const CsvRow& heading) {
  const std::string text = file.text();
  auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  if (!heading.empty()) {
    const std::vector<CsvRow> rows = read_csv(text).rows;
    if (!text.empty() && (rows.empty() || rows.front() != heading))
      throw invalid("output: '{}' is not a file of this sweep; use --overwrite to replace it",
                    file.name());
    lines = rows.empty() ? 0 : rows.size() - 1;
  }
  if (lines > 0)
    throw invalid("output: '{}' already holds {} row{}; use {}--overwrite to replace them",
                  file.name(), lines, lines == 1 ? "" : "s",
                  heading.empty() ? "" : "--resume to continue or ");
}

SweepFile::SweepFile(const Target& target, const Format& format) : file_(target.path) {
  if (target.resume)
    take_over(format);
  else if (!target.overwrite)
    spare_rows(file_, format.columns);
  if (!target.resume) file_.keep(0);
  if (!target.resume || file_.text().empty()) add(format.columns);
}

/// A row that was cut off in the middle goes away: its run is repeated. Nothing else does: an open
/// quote would take the lines behind it with it.
void SweepFile::take_over(const Format& format) {
  const std::string text = file_.text();
  if (text.empty()) return;  // nothing to continue
  CsvRows found = read_csv(text);
  const CsvRow theirs = found.rows.empty() ? CsvRow{} : found.rows.front();
  const std::string other = difference(format.columns, theirs);
  if (!other.empty())
    throw invalid("resume: '{}' is not a file of this sweep: {}", file_.name(), other);
  RowCheck rows(file_.name(), format);
  for (std::size_t r = 1; r < found.rows.size(); ++r) rows.check(found.rows[r], found.lines[r]);
  const auto whole = std::next(text.begin(), static_cast<std::ptrdiff_t>(found.whole));
  if (std::find(whole, text.end(), '\n') != text.end())
    rows.fail(static_cast<std::size_t>(std::count(text.begin(), whole, '\n')) + 1,
              "a quote is not closed; expected '\"' in pairs");
  file_.keep(found.whole);
  earlier_.assign(std::next(found.rows.begin()), found.rows.end());
  for (const CsvRow& row : earlier_)
    ++done_.try_emplace(cells_of_key(format.columns, row, format.key), Done{&row, 0})
          .first->second.left;
}

const CsvRow* SweepFile::pass_over(const CsvRow& key) {
  const auto rows = done_.find(key);
  if (rows == done_.end() || rows->second.left == 0) return nullptr;
  --rows->second.left;
  return rows->second.first;
}

void SweepFile::add(const CsvRow& row) { file_.add(report::csv_line(row)); }

}  // namespace lockstep::study
