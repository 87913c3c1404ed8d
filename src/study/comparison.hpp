// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What `lockstep compare` finds: the runs of all algorithms, and what none of them can beat.
///
///     RunSeries series(compare_variants(base, host), {});
///     const Comparison comparison = compare(series, host);
///     std::cout << text_of(comparison);

#include <optional>
#include <string>
#include <vector>

#include "study/run_row.hpp"

namespace lockstep::study {

/// Every algorithm for an operation; of an algorithm that packs every single packing factor, and
/// the chains and batched single factors that are predicted to be the cheapest at t_s/t_m = 0.1, 1,
/// 10, 100, 1000 and at the ratio asked for. `base` names topology and operation, and holds what is
/// the same for all. Throws InvalidParameter where there is no algorithm.
[[nodiscard]] std::vector<RunRequest> compare_variants(const RunRequest& base,
                                                       const CostParameters& host);

struct Comparison {
  CostParameters host;
  std::vector<report::Fields> rows{};
  std::vector<std::optional<Cost>> paid{};  ///< of every row, where all went as it should
  std::vector<Parameter> parameters{};      ///< that are shown
  Exit exit = Exit::ok;
};

/// Runs the series; rows by port model, the least time first.
[[nodiscard]] Comparison compare(RunSeries& series, const CostParameters& host);

/// All columns of a row, which never change their meaning; new ones may come behind.
[[nodiscard]] report::Fields comparison_columns(const report::Fields& row);
/// Columns and what is read beside them.
[[nodiscard]] report::Fields comparison_row(const RunRequest& request, const Measured& run,
                                            const CostParameters& host);

/// Tables fit the page.
[[nodiscard]] std::string text_of(const Comparison& comparison, std::size_t page = any_width);
[[nodiscard]] std::string csv_of(const Comparison& comparison);
[[nodiscard]] std::string json_of(const Comparison& comparison, const Provenance& provenance);

}  // namespace lockstep::study
