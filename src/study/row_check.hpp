// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Checks whether a run could have had a row that was read from a file. The check takes the counts
/// from the row and computes all that follows from them again. It runs nothing.
///
///     const RowReading reading(columns_before_the_run, row_of_the_file);
///     reading.fault()                        // "startups 'nan'; expected a whole number"
///     const Measured run = reading.measured(series.before(i), repeats);
///     reading.difference(columns_of(run))    // "time '0'; expected 303"

#include <cstdint>
#include <string>
#include <string_view>

#include "report/fields.hpp"
#include "study/run_series.hpp"
#include "study/sweep_file.hpp"

namespace lockstep::study {

class RowReading {
 public:
  /// `columns`: what a row has, with units; of its values nothing is read. Precondition: as many
  /// cells. All outlive this.
  RowReading(const report::Fields& columns, const CsvRow& cells)
      : columns_(columns), cells_(cells) {}

  /// A cell that no row has: not of its unit, or at odds with another cell.
  [[nodiscard]] std::string fault() const;
  /// Whether it is the row of a run, neither refused nor without resources. Precondition for what
  /// follows: fault() is empty, and `before` has a forecast if it was run.
  [[nodiscard]] bool was_run() const;
  /// The run, as far as the row says it.
  [[nodiscard]] Measured measured(Measured before, std::uint64_t repeats) const;
  /// A count of the measured() run that differs from a formula, or is below a bound.
  [[nodiscard]] std::string broken_promise(const Measured& run) const;
  /// Why no run of this request fails with this row: status, note and counts contradict each other
  /// or the counts that are known before the run. Empty for other rows.
  [[nodiscard]] std::string impossible_failure(const Measured& run) const;
  /// The first cell that is empty or not, and should be otherwise, by the columns of the measured()
  /// run. `all_is_known`: an empty one there says that there is no value.
  [[nodiscard]] std::string presence(const report::Fields& expected, bool all_is_known) const;
  /// The first cell that differs from those of a row with these counts.
  [[nodiscard]] std::string difference(const report::Fields& expected) const;

 private:
  /// Statistics of the repetitions that do not follow from each other.
  [[nodiscard]] std::string spread_fault() const;
  [[nodiscard]] std::string note_fault() const;
  [[nodiscard]] bool has(std::string_view column) const;
  [[nodiscard]] const std::string& cell(std::string_view column) const;
  [[nodiscard]] double number(std::string_view column) const;
  [[nodiscard]] std::uint64_t count(std::string_view column) const;
  [[nodiscard]] Exit exit() const;

  const report::Fields& columns_;
  const CsvRow& cells_;
};

}  // namespace lockstep::study
