// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A series of runs as a table: row by row while it runs, or all at once.
///
///     Sweep sweep(series, {.repeats = 3, .costs = {100, 1}, .version = "0.1.0"});
///     const Exit exit = sweep.text([](const std::string& line) { std::cout << line; });

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/report/run_report.hpp"
#include "lockstep/report/table.hpp"
#include "study/benchmark_layouts.hpp"
#include "study/best_choice.hpp"
#include "study/other_port_models.hpp"
#include "study/run_row.hpp"
#include "study/sweep_file.hpp"

namespace lockstep::study {

/// A row per topology and port model, a column per ratio t_s/t_m and, where that is another one,
/// for the time of the rows, by the costs of `host`: "k = 3", "k = 4,3,2, batch 6" (what the row
/// says of its settings), with the algorithm before it where there are several. Under a port model
/// all rows compete whose runs keep its rules. Only rows whose status is ok count; none where all
/// of them did the same.
[[nodiscard]] Table best_by_ratio(const std::vector<report::Fields>& rows,
                                  const std::optional<CostParameters>& host = {});

/// The same as rows: topology, operation, port model, ratio, algorithm, and these parameters.
[[nodiscard]] std::vector<report::Fields> best_rows(const std::vector<report::Fields>& rows,
                                                    std::span<const Parameter> parameters,
                                                    const std::optional<CostParameters>& host = {});

struct SweepSetup {
  std::uint64_t repeats = 1;
  std::optional<std::uint64_t> warm_ups{};  ///< as RunSeries::Options has them
  CostParameters costs{};
  std::string version{};
};

class Sweep {
 public:
  using Say = std::function<void(const std::string&)>;

  Sweep(RunSeries& series, SweepSetup setup)
      : series_(series),
        setup_(std::move(setup)),
        shown_(shown_parameters(series, {Parameter::Kind::numbers})) {}

  // Each function runs the series once and returns the exit code.

  /// A line per run as soon as it is done, then what is best; tables that fit the page.
  [[nodiscard]] Exit text(const Say& say, std::size_t page);
  /// A row is on disk before the next run begins; those that are in the file are not run again.
  [[nodiscard]] Exit csv(const SweepFile::Target& target);
  [[nodiscard]] Exit json(const Say& say, const Provenance& provenance);
  /// An object per line, on disk before the next run begins.
  [[nodiscard]] Exit ndjson(const SweepFile::Target& target);
  /// All at once, when the last run is done.
  [[nodiscard]] Exit layout(BenchmarkLayout layout, const Say& say);

  /// Rows of all runs so far and of a continued file, with the fields that are read beside the
  /// columns.
  [[nodiscard]] const std::vector<report::Fields>& rows() const noexcept { return rows_; }

  /// Rows of the networks all of whose runs are done: only of these is the best known.
  struct Complete {
    std::vector<report::Fields> rows{};  ///< with the port models that they keep
    std::vector<NotTried> not_tried{};
  };
  /// Trials settle the port models, once. Precondition: the series was run.
  [[nodiscard]] const Complete& complete();

  /// All columns of a row, which never change their meaning (new ones may come behind), and those
  /// that name the run. Defaults are filled in where the run is possible.
  [[nodiscard]] static report::Fields columns(const report::Fields& row);
  [[nodiscard]] static report::Fields key(const report::Fields& row);
  /// Columns and what is read beside them.
  [[nodiscard]] report::Fields row(const RunRequest& request, const Measured& run);

 private:
  using Skip = std::function<bool(std::size_t)>;
  using Take = std::function<void(const report::Fields&)>;
  /// Every run that is not to be skipped; its row is taken as soon as it is done.
  [[nodiscard]] Exit run(const Skip& skip, const Take& take);
  [[nodiscard]] report::Fields row_of_file(std::size_t i, const std::vector<std::string>& names,
                                           const CsvRow& cells);
  /// Why run i would not have had this row; empty: it would.
  [[nodiscard]] std::string fault_in(std::size_t i, const report::Fields& names,
                                     const CsvRow& cells);
  [[nodiscard]] report::Value saved(const RunRequest& request, const Measured& run);
  RunSeries& series_;
  SweepSetup setup_;
  std::vector<Parameter> shown_;  // in what is read
  std::vector<report::Fields> rows_;
  std::optional<Complete> complete_;
  /// Baselines of the savings, by topology, operation and port model.
  std::map<std::tuple<std::string, Operation, std::string_view>, std::optional<Cost>> baselines_;
};

}  // namespace lockstep::study
