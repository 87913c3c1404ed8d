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

/// Hours may stand behind the rows that are there.
void spare_rows(const std::string& name) {
  const std::size_t lines = read_csv(whole_text(name)).rows.size();
  if (lines > 1)
    throw InvalidParameter(
        fmt::format("output: '{}' holds {} row{}, allowed with --resume, which continues, or "
                    "--overwrite",
                    name, lines - 1, lines == 2 ? "" : "s"));
}

/// The columns of the program against those of the file: the first that differs.
[[nodiscard]] std::string difference(const CsvRow& ours, const CsvRow& theirs) {
  for (std::size_t c = 0; c < std::max(ours.size(), theirs.size()); ++c) {
    const std::string a = c < ours.size() ? "'" + ours[c] + "'" : "none";
    const std::string b = c < theirs.size() ? "'" + theirs[c] + "'" : "none";
    if (a != b) return fmt::format("column {} is {}, expected {}", c + 1, b, a);
  }
  return {};
}

/// Precondition: the key's columns are among the columns.
[[nodiscard]] CsvRow cells_of_key(const CsvRow& columns, const CsvRow& row, const CsvRow& key) {
  CsvRow cells;
  for (const std::string& name : key)
    cells.push_back(row[static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) -
                                                 columns.begin())]);
  return cells;
}

}  // namespace

CsvRows read_csv(const std::string& text) {
  CsvRows found;
  CsvRow row(1);
  bool quoted = false;
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
      found.whole = i + 1;
    } else if (c != '\r') {
      row.back() += c;
    }
  }
  return found;
}

SweepFile::SweepFile(Target target, const std::vector<std::string>& columns,
                     const std::vector<std::string>& key) {
  if (target.path) {
    name_ = *target.path;
    if (name_.empty()) refuse(name_, "no name given");
    if (fs::is_directory(name_)) refuse(name_, "it is a directory");
    if (target.resume) take_over(columns, key);
    if (!target.resume && !target.overwrite && fs::is_regular_file(name_)) spare_rows(name_);
    file_ = std::fopen(name_.c_str(), target.resume ? "ab" : "wb");
    if (file_ == nullptr) refuse(name_, std::strerror(errno));
  }
  if (!target.resume || !fs::exists(name_) || fs::file_size(name_) == 0) write(columns);
}

SweepFile::~SweepFile() {
  if (file_ != nullptr && file_ != stdout) (void)std::fclose(file_);
}

/// A row that was cut off in the middle goes away: its run is repeated.
void SweepFile::take_over(const std::vector<std::string>& columns,
                          const std::vector<std::string>& key) {
  const std::string text = whole_text(name_);
  if (text.empty()) return;  // nothing to continue, or it will not be writable either
  CsvRows found = read_csv(text);
  const CsvRow theirs = found.rows.empty() ? CsvRow{} : found.rows.front();
  const std::string other = difference(columns, theirs);
  if (!other.empty())
    throw InvalidParameter(
        fmt::format("resume: '{}' is not of this program's sweep: {}", name_, other));
  for (std::size_t r = 1; r < found.rows.size(); ++r)
    if (found.rows[r].size() != columns.size())
      throw InvalidParameter(fmt::format("resume: '{}', row {}: {} cells, expected {}", name_, r,
                                         found.rows[r].size(), columns.size()));
  std::error_code problem;
  fs::resize_file(name_, found.whole, problem);
  if (problem) refuse(name_, problem.message());
  earlier_.assign(std::next(found.rows.begin()), found.rows.end());
  for (const CsvRow& row : earlier_) done_.insert(cells_of_key(columns, row, key));
}

void SweepFile::add(const CsvRow& row) { write(row); }

void SweepFile::write(const CsvRow& row) {
  const std::string line = report::csv_line(row);
  const bool written = std::fwrite(line.data(), 1, line.size(), file_) == line.size();
  if (!written || std::fflush(file_) != 0) refuse<ResourceExhausted>(name_, std::strerror(errno));
}

}  // namespace lockstep::study
