// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a paper promises, held against runs of the machine: for `lockstep reproduce`.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/run_series.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/cost/paper_row.hpp"
#include "lockstep/program/promise.hpp"

namespace lockstep::cli {

/// Where the rows that were counted by the machine say that they are from.
inline constexpr std::string_view counted_by_machine = "Counted by the machine";

/// A run, and the closed form of the paper that it is held against.
struct CountedClaim {
  RunRequest request;
  std::size_t n;
  std::size_t k;  ///< 0: no packing
  std::string quantity;
  Promise closed_form;
};

struct CountedRows {
  std::vector<PaperRow> rows;
  Exit exit = Exit::ok;
};

/// Runs them, every delivery verified. `ours`: counted, `exact`: the closed form.
[[nodiscard]] CountedRows count_claims(const std::vector<CountedClaim>& claims,
                                       const RunSeries::Options& options);

/// `machine` on star:n, for executor and workers.
[[nodiscard]] RunRequest star_request(const RunRequest& machine, std::size_t n, Operation operation,
                                      const char* algorithm);

}  // namespace lockstep::cli
