// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a paper promises, held against runs of the machine: for `lockstep reproduce`.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/program/algorithm.hpp"
#include "papers/paper_row.hpp"
#include "study/run_series.hpp"

namespace lockstep::papers {

using study::Exit;
using study::Measured;
using study::RunSeries;
using study::worse;

/// Where the rows that were counted by the machine say that they are from.
inline constexpr std::string_view counted_by_machine = "Counted by the machine";
/// And those of runs that were left out, or that this host cannot carry.
inline constexpr std::string_view not_run = "Not run";

/// What the machine counted, in the form of the closed form that it is held against.
struct CountedFigure {
  std::string quantity;
  std::string counted;
  std::string closed_form;
};

/// Whether runs of minutes, or of gigabytes, are made.
enum class Effort : std::uint8_t { usual, full };

/// A run, and what the paper promises of it.
struct CountedClaim {
  RunRequest request;
  std::size_t n;
  std::size_t k;  ///< 0: no packing
  std::string quantity;
  std::function<std::vector<CountedFigure>(const RunResult& result)> figures;
  std::vector<std::string> parts{};  ///< of the paper that it bears on: "Table 3"
  Exit expected = Exit::ok;          ///< an algorithm that the paper gets wrong ends otherwise
  Effort effort = Effort::usual;     ///< that it takes
  std::string closed_form{};         ///< shown where it is not run
};

/// Its costs in start-ups and message times.
[[nodiscard]] CountedClaim cost_claim(RunRequest request, std::size_t n, std::size_t k,
                                      std::string quantity, const Promise& closed_form);

struct CountOptions {
  RunRequest machine{};  ///< for executor and workers
  RunSeries::Options series{};
  Effort effort = Effort::usual;
  std::vector<std::string> parts{};  ///< only claims that bear on one of them; empty: all
};

struct CountedRows {
  std::vector<PaperRow> rows;
  Exit exit = Exit::ok;
};

/// Runs them, every delivery verified. `ours`: counted, `exact`: the closed form.
[[nodiscard]] CountedRows count_claims(std::vector<CountedClaim> claims,
                                       const CountOptions& options);

/// `machine` on that topology.
[[nodiscard]] RunRequest request_on(const RunRequest& machine, std::string topology,
                                    Operation operation, const char* algorithm);

}  // namespace lockstep::papers
