// SPDX-License-Identifier: Apache-2.0
#include "study/sweep_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/joined.hpp"
#include "lockstep/core/errors.hpp"
#include "report/csv.hpp"

namespace lockstep::study {
namespace {

namespace fs = std::filesystem;

template <class Error = InvalidParameter>
[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(fmt::format("output: cannot write '{}': {}", name, why));
}

[[nodiscard]] std::string whole_text(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Rows may have taken hours, and the file may be another one: throws InvalidParameter unless the
/// file is empty or has only this sweep's heading.
void spare_rows(const std::string& name, const CsvRow& columns) {
  const std::string text = whole_text(name);
  const std::vector<CsvRow> rows = read_csv(text).rows;
  const std::size_t lines = rows.size();
  if (!text.empty() && (rows.empty() || rows.front() != columns))
    throw InvalidParameter(fmt::format(
        "output: '{}' is not a file of this sweep; use --overwrite to replace it", name));
  if (lines > 1)
    throw InvalidParameter(fmt::format(
        "output: '{}' already holds {} row{}; use --resume to continue or --overwrite to "
        "replace them",
        name, lines - 1, lines == 2 ? "" : "s"));
}

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
 public:
  RowCheck(const std::string& file, const SweepFile::Format& format)
      : file_(file), format_(format), status_(place_of(format.columns, "status")) {
    for (const CsvRow& run : format.runs) ++left_[run];
  }

  /// Throws InvalidParameter where the sweep would not have written this row, or not again.
  void check(const CsvRow& row, std::size_t line) {
    if (row == format_.columns) fail(line, "a second heading");
    if (row.size() != format_.columns.size())
      fail(line, fmt::format("{} cells; expected {}", row.size(), format_.columns.size()));
    check_status(row, line);
    const CsvRow key = cells_of_key(format_.columns, row, format_.key);
    const auto run = left_.find(key);
    if (run == left_.end()) fail(line, foreign(key));
    if (run->second == 0)
      fail(line, fmt::format("the same run as in line {}; expected one row per run", lines_[key]));
    --run->second;
    lines_[key] = line;
  }

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw InvalidParameter(
        fmt::format("resume: '{}', line {}: {}; the file was left as it is", file_, line, what));
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
  std::map<CsvRow, std::size_t> left_;
  std::map<CsvRow, std::size_t> lines_;
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

SweepFile::SweepFile(Target target, const Format& format) {
  if (target.path) {
    name_ = *target.path;
    if (name_.empty()) refuse(name_, "no name given");
    if (fs::is_directory(name_)) refuse(name_, "it is a directory");
    if (target.resume) take_over(format);
    if (!target.resume && !target.overwrite && fs::is_regular_file(name_))
      spare_rows(name_, format.columns);
    file_ = std::fopen(name_.c_str(), target.resume ? "ab" : "wb");
    if (file_ == nullptr) refuse(name_, std::strerror(errno));
  }
  if (!target.resume || !fs::exists(name_) || fs::file_size(name_) == 0) write(format.columns);
}

SweepFile::~SweepFile() {
  if (file_ != nullptr && file_ != stdout) (void)std::fclose(file_);
}

/// A row that was cut off in the middle goes away: its run is repeated. Nothing else does: an open
/// quote would take the lines behind it with it.
void SweepFile::take_over(const Format& format) {
  const std::string text = whole_text(name_);
  if (text.empty()) return;  // nothing to continue, or it will not be writable either
  CsvRows found = read_csv(text);
  const CsvRow theirs = found.rows.empty() ? CsvRow{} : found.rows.front();
  const std::string other = difference(format.columns, theirs);
  if (!other.empty())
    throw InvalidParameter(
        fmt::format("resume: '{}' is not a file of this sweep: {}", name_, other));
  RowCheck rows(name_, format);
  for (std::size_t r = 1; r < found.rows.size(); ++r) rows.check(found.rows[r], found.lines[r]);
  const auto whole = std::next(text.begin(), static_cast<std::ptrdiff_t>(found.whole));
  if (std::find(whole, text.end(), '\n') != text.end())
    rows.fail(static_cast<std::size_t>(std::count(text.begin(), whole, '\n')) + 1,
              "a quote is not closed; expected '\"' in pairs");
  std::error_code problem;
  fs::resize_file(name_, found.whole, problem);
  if (problem) refuse(name_, problem.message());
  earlier_.assign(std::next(found.rows.begin()), found.rows.end());
  for (const CsvRow& row : earlier_) ++done_[cells_of_key(format.columns, row, format.key)];
}

bool SweepFile::pass_over(const CsvRow& key) {
  const auto row = done_.find(key);
  if (row == done_.end() || row->second == 0) return false;
  --row->second;
  return true;
}

void SweepFile::add(const CsvRow& row) { write(row); }

void SweepFile::write(const CsvRow& row) {
  const std::string line = report::csv_line(row);
  const bool written = std::fwrite(line.data(), 1, line.size(), file_) == line.size();
  if (!written || std::fflush(file_) != 0) refuse<ResourceExhausted>(name_, std::strerror(errno));
}

}  // namespace lockstep::study
