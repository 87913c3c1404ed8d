// SPDX-License-Identifier: Apache-2.0
#include "papers/reproduce_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "report/quantities.hpp"

namespace lockstep::papers {
namespace {

[[nodiscard]] std::string text_of(const Promise& cost) {
  return fmt::format("{} t_s + {} t_m", cost.startups, cost.message_times);
}

[[nodiscard]] PaperRow row_of(const CountedClaim& claim, std::string_view where) {
  PaperRow row;
  row.where = where;
  row.topology = claim.request.topology.name();
  row.n = claim.n;
  row.k = claim.k;
  row.quantity = claim.quantity;
  return row;
}

/// Nothing is judged.
[[nodiscard]] PaperRow left_out(const CountedClaim& claim, std::string_view reason) {
  PaperRow row = row_of(claim, not_run);
  row.ours = fmt::format("{} ({})", claim.closed_form.empty() ? "-" : claim.closed_form, reason);
  return row;
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

void add_rows(CountedRows& counted, const CountedClaim& claim, const Measured& run) {
  const bool as_expected = run.exit == claim.expected;
  if (!as_expected) counted.exit = worse(counted.exit, run.exit);
  if (run.exit == Exit::no_resources) {
    counted.rows.push_back(left_out(claim, run.note));
    return;
  }
  if (!run.result) {
    counted.rows.push_back(row_of(claim, counted_by_machine));
    counted.rows.back().ours = run.note;
    counted.rows.back().agrees = false;
    return;
  }
  for (const CountedFigure& figure : claim.figures(*run.result)) {
    PaperRow row = row_of(claim, counted_by_machine);
    row.quantity = figure.quantity;
    row.ours = figure.counted;
    row.exact = figure.closed_form;
    row.agrees = as_expected && figure.counted == figure.closed_form;
    counted.rows.push_back(std::move(row));
  }
}

[[nodiscard]] bool bears_on(const CountedClaim& claim, const std::vector<std::string>& parts) {
  return parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
           return std::find(claim.parts.begin(), claim.parts.end(), part) != claim.parts.end();
         });
}

}  // namespace

CountedClaim cost_claim(RunRequest request, std::size_t n, std::size_t k, std::string quantity,
                        const Promise& closed_form) {
  const std::string promised = text_of(closed_form);
  const auto figures = [quantity, promised](const RunResult& result) {
    const Promise counted{result.record.startups, result.record.message_times};
    return std::vector<CountedFigure>{{quantity, text_of(counted), promised}};
  };
  return {.request = std::move(request),
          .n = n,
          .k = k,
          .quantity = std::move(quantity),
          .figures = figures,
          .closed_form = promised};
}

CountedRows count_claims(std::vector<CountedClaim> claims, const CountOptions& options) {
  CountedRows counted;
  std::vector<CountedClaim> wanted;
  std::vector<RunRequest> requests;
  for (CountedClaim& claim : claims) {
    if (!bears_on(claim, options.parts)) continue;
    if (claim.effort == Effort::usual || options.effort == Effort::full) {
      requests.push_back(claim.request);
      wanted.push_back(std::move(claim));
    } else {
      counted.rows.push_back(left_out(claim, needs_of(claim.request)));
    }
  }
  const std::vector<PaperRow> omitted = std::exchange(counted.rows, {});
  RunSeries series(std::move(requests), options.series);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Measured run = series.measure(i);
    if (run.interrupted()) {
      counted.exit = worse(counted.exit, run.exit);
      break;
    }
    add_rows(counted, wanted[i], run);
  }
  std::stable_partition(counted.rows.begin(), counted.rows.end(),
                        [](const PaperRow& row) { return row.where != not_run; });
  counted.rows.insert(counted.rows.end(), omitted.begin(), omitted.end());
  return counted;
}

RunRequest request_on(const RunRequest& machine, std::string topology, Operation operation,
                      const char* algorithm) {
  RunRequest request = machine;
  request.topology = std::move(topology);
  request.operation = operation;
  request.algorithm = algorithm;
  return request;
}

}  // namespace lockstep::papers
