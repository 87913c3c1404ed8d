// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The results of `lockstep compare`: the runs of all algorithms, and their lower bounds.
///
///     RunSeries series(compare_variants(base, host).requests, {});
///     const Comparison comparison = compare(series, host);
///     std::cout << text_of(comparison);

#include <string>
#include <vector>

#include "study/best_choice.hpp"
#include "study/other_port_models.hpp"
#include "study/run_row.hpp"

namespace lockstep::study {

/// The runs of a comparison, and the algorithms that cannot run on this network, with the reason.
struct ComparedRuns {
  struct LeftOut {
    std::string algorithm;
    std::string reason;
  };
  std::vector<RunRequest> requests{};
  std::vector<LeftOut> left_out{};
};

/// Every algorithm for an operation; of an algorithm that packs every single packing factor, and
/// the chains and batched single factors that are predicted to be the cheapest at t_s/t_m = 0.1, 1,
/// 10, 100, 1000 and at the ratio asked for. `base` names topology and operation, and holds what is
/// the same for all, and the user's own schedule or table if there is one. Throws InvalidParameter
/// where there is no algorithm, where all refuse the request, and where the user's own file is
/// refused.
[[nodiscard]] ComparedRuns compare_variants(const RunRequest& base, const CostParameters& host);

/// "skipped levelwise: needs the port model all-port", a line each.
[[nodiscard]] std::string text_of(const std::vector<ComparedRuns::LeftOut>& left_out);
[[nodiscard]] std::vector<report::Fields> rows_of(
    const std::vector<ComparedRuns::LeftOut>& left_out);

/// The least time under a port model, at a ratio or for the host.
struct Winner {
  std::string port_model;
  std::string ratio;  ///< "0.1"; "50/1" is t_s/t_m of the host
  bool of_host = false;
  std::string variant;
  bool fewest_startups = false;  ///< of all that compete
};

struct Comparison {
  CostParameters host;
  bool predicts = false;  ///< rows have what the calibrated model of the host says of them
  std::vector<report::Fields> rows{};
  /// A winner for every port model that occurs, at every ratio and for the host. All rows compete
  /// whose runs keep the rules of that model, in the order of catalog/ranking.hpp.
  std::vector<Winner> winners{};
  std::vector<Parameter> parameters{};  ///< that are shown
  std::vector<ComparedRuns::LeftOut> left_out{};
  std::vector<NotTried> not_tried{};
  /// The worst of the failures. If a row is ok, an algorithm that is refused or breaks rules of a
  /// port model that was asked for is no failure.
  Exit exit = Exit::ok;
};

/// Runs the series; rows by port model, the least time first.
[[nodiscard]] Comparison compare(RunSeries& series, const CostParameters& host);

/// All columns of a row, which never change their meaning; new ones may come behind.
[[nodiscard]] report::Fields comparison_columns(const report::Fields& row);
/// Columns and what is read beside them.
[[nodiscard]] report::Fields comparison_row(const RunRequest& request, const Measured& run,
                                            const CostParameters& host);

/// Tables fit the page: a narrow one has fewer columns.
[[nodiscard]] std::string text_of(const Comparison& comparison, std::size_t page = any_width);
[[nodiscard]] std::string csv_of(const Comparison& comparison);
[[nodiscard]] std::string json_of(const Comparison& comparison, const Provenance& provenance);

}  // namespace lockstep::study
