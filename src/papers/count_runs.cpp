// SPDX-License-Identifier: Apache-2.0

/// What a paper promises, held against runs of the machine.

#include <fmt/format.h>

#include <algorithm>

#include "lockstep/core/errors.hpp"
#include "papers/reproduction.hpp"
#include "report/quantities.hpp"

namespace lockstep::papers {
namespace {

[[nodiscard]] RunRequest request_of(const PaperRun& run, const RunRequest& machine) {
  RunRequest request = machine;
  request.topology = run.topology;
  request.operation = run.operation;
  request.algorithm = run.algorithm;
  request.block_bytes = run.block_bytes;
  request.keep_series = run.of_steps != nullptr;
  if (run.k != 0) request.settings["k"] = Numbers{run.k};
  return request;
}

[[nodiscard]] PaperRow row_of(const PaperRun& run, std::string_view where, std::string ours) {
  return {.where = std::string(where),
          .topology = run.topology,
          .n = run.n,
          .k = run.k,
          .quantity = run.quantity,
          .ours = std::move(ours)};
}

/// Nothing is judged.
[[nodiscard]] PaperRow left_out(const PaperRun& run, std::string_view reason) {
  return row_of(run, not_run, fmt::format("{} ({})", run.closed_form, reason));
}

/// What a run that --full asks for would take.
[[nodiscard]] std::string needs_of(const RunRequest& request) {
  try {
    const RunEstimate estimate = prepare(request, false)->estimate();
    return fmt::format("closed form; --full runs it: {}, about {}",
                       report::bytes_text(estimate.memory_bytes),
                       report::seconds_text(estimate.rough_seconds));
  } catch (const InvalidParameter& problem) {
    return problem.what();
  } catch (const ResourceExhausted& problem) {
    return problem.what();
  }
}

void add_counted(PaperRows& rows, const PaperRun& run, const study::Measured& measured) {
  if (!measured.result) {
    rows.push_back(row_of(run, counted_by_machine, measured.note));
    rows.back().same = false;
    return;
  }
  std::vector<CountedFigure> figures;
  if (run.of_steps) figures = run.of_steps(*measured.result);
  figures.push_back({run.quantity, run.counted(*measured.result), run.closed_form});
  for (const CountedFigure& figure : figures) {
    rows.push_back(row_of(run, counted_by_machine, figure.counted));
    rows.back().quantity = figure.quantity;
    rows.back().exact = figure.closed_form;
    rows.back().same = measured.exit == run.expected && figure.counted == figure.closed_form;
  }
}

[[nodiscard]] bool bears_on(const PaperRun& run, const std::vector<std::string>& parts) {
  return parts.empty() || std::find_first_of(parts.begin(), parts.end(), run.parts.begin(),
                                             run.parts.end()) != parts.end();
}

}  // namespace

void count_runs(Reproduction& reproduction, const CountOptions& options) {
  std::vector<PaperRun> wanted;
  std::vector<RunRequest> requests;
  PaperRows too_long;
  for (const PaperRun& run : reproduction.paper->runs()) {
    if (!bears_on(run, options.parts)) continue;
    RunRequest request = request_of(run, options.machine);
    if (run.long_run && !options.full) {
      too_long.push_back(left_out(run, needs_of(request)));
    } else {
      wanted.push_back(run);
      requests.push_back(std::move(request));
    }
  }
  PaperRows refused;
  study::RunSeries series(std::move(requests), options.series);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const study::Measured measured = series.measure(i);
    if (measured.exit != wanted[i].expected)
      reproduction.exit = study::worse(reproduction.exit, measured.exit);
    if (measured.interrupted()) break;
    if (measured.exit == Exit::no_resources)
      refused.push_back(left_out(wanted[i], measured.note));
    else
      add_counted(reproduction.rows, wanted[i], measured);
  }
  append(reproduction.rows, std::move(refused));
  append(reproduction.rows, std::move(too_long));
}

}  // namespace lockstep::papers
