// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The output of the rows of a sweep: CSV on stdout or in a file, each row on disk before the next
/// run begins. A file can be continued: the rows in it count as done, if every one of them
/// is a row of this sweep.
///
///     SweepFile file({.path = "grid.csv", .resume = true}, {names, names_of_key, keys, statuses});
///     if (!file.pass_over(key)) file.add(row);

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/row_file.hpp"

namespace lockstep::study {

using CsvRow = std::vector<std::string>;

/// The whole lines of a CSV text (RFC 4180); a last line without its end does not count.
struct CsvRows {
  std::vector<CsvRow> rows{};
  std::vector<std::size_t>
      lines{};            ///< of every row the line of the text that it begins in, from 1
  std::size_t whole = 0;  ///< bytes that the rows take
};
[[nodiscard]] CsvRows read_csv(const std::string& text);

/// Rows may have taken hours: throws InvalidParameter where the file holds any, or is not a file of
/// this sweep. A heading alone is no row.
void spare_rows(const RowFile& file, const CsvRow& heading = {});

class SweepFile {
 public:
  struct Target {
    std::optional<std::string> path{};  ///< none: stdout
    bool resume = false;                ///< keep what is there; precondition: a path
    bool overwrite = false;             ///< replace it; neither: a file with rows is refused
  };

  /// Columns, keys and checks of the rows of this sweep.
  struct Format {
    CsvRow columns;
    CsvRow key;                           ///< the columns that name a run
    std::vector<CsvRow> runs{};           ///< the key of every run of the sweep
    std::vector<std::string> statuses{};  ///< that a row may have; none: there is no such column
    /// Why the sweep would not have written this row of a run, by its number; empty: it would have.
    std::function<std::string(std::size_t run, const CsvRow& row)> fault{};
  };

  /// Throws InvalidParameter where the file cannot be written. So it does, and leaves the file as
  /// it is, where a file to be continued holds a row that this sweep would not have written.
  SweepFile(const Target& target, const Format& format);

  /// The rows that were there.
  [[nodiscard]] const std::vector<CsvRow>& earlier() const noexcept { return earlier_; }
  /// The row that the file held for this run, by the cells of the key in its order; null: none.
  /// Every row stands for one run: to be asked once per run.
  [[nodiscard]] const CsvRow* pass_over(const CsvRow& key);
  /// Written when it returns. Throws ResourceExhausted where the device is full or gone.
  void add(const CsvRow& row);

 private:
  void take_over(const Format& format);

  /// The rows of one key.
  struct Done {
    const CsvRow* first;
    std::size_t left;  ///< that no run was found for yet
  };

  RowFile file_;
  std::vector<CsvRow> earlier_;
  std::map<CsvRow, Done> done_;
};

}  // namespace lockstep::study
