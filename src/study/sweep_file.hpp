// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Where the rows of a sweep go as they are done: CSV on stdout or in a file, a row on disk before
/// the next run begins. A file can be continued: the rows in it count as done.
///
///     SweepFile file({.path = "grid.csv", .resume = true}, names, names_of_key);
///     if (!file.done(key)) file.add(row);

#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockstep::study {

using CsvRow = std::vector<std::string>;

/// The whole lines of a CSV text (RFC 4180); a last line without its end does not count. `whole`:
/// how many bytes the rows take.
struct CsvRows {
  std::vector<CsvRow> rows{};
  std::size_t whole = 0;
};
[[nodiscard]] CsvRows read_csv(const std::string& text);

class SweepFile {
 public:
  struct Target {
    std::optional<std::string> path{};  ///< none: stdout
    bool resume = false;                ///< keep what is there; precondition: a path
    bool overwrite = false;             ///< replace it; neither: a file with rows is refused
  };

  /// `key`: the columns that name a run. Throws InvalidParameter where the file cannot be written,
  /// or has other columns.
  SweepFile(Target target, const std::vector<std::string>& columns,
            const std::vector<std::string>& key);
  SweepFile(const SweepFile&) = delete;
  SweepFile& operator=(const SweepFile&) = delete;
  ~SweepFile();

  /// The rows that were there.
  [[nodiscard]] const std::vector<CsvRow>& earlier() const noexcept { return earlier_; }
  /// By the cells of the key, in its order.
  [[nodiscard]] bool done(const CsvRow& key) const { return done_.contains(key); }
  /// Written when it returns. Throws ResourceExhausted where the device is full or gone.
  void add(const CsvRow& row);

 private:
  void take_over(const std::vector<std::string>& columns, const std::vector<std::string>& key);
  void write(const CsvRow& row);

  std::string name_ = "stdout";
  std::vector<CsvRow> earlier_;
  std::set<CsvRow> done_;
  std::FILE* file_ = stdout;
};

}  // namespace lockstep::study
