// SPDX-License-Identifier: Apache-2.0
#include "cli/reproduce_counts.hpp"

#include <fmt/format.h>

namespace lockstep::cli {
namespace {

[[nodiscard]] std::string text_of(const Promise& cost) {
  return fmt::format("{} t_s + {} t_m", cost.startups, cost.message_times);
}

[[nodiscard]] PaperRow row_of(const CountedClaim& claim, const Measured& run) {
  PaperRow row;
  row.where = counted_by_machine;
  row.topology = claim.request.topology;
  row.n = claim.n;
  row.k = claim.k;
  row.quantity = claim.quantity;
  row.exact = text_of(claim.closed_form);
  row.ours = run.note;
  if (!run.result) {
    row.agrees = false;
    return row;
  }
  const RunRecord& record = run.result->record;
  const Promise counted{record.startups, record.message_times};
  row.ours = text_of(counted);
  row.agrees = run.exit == Exit::ok && counted == claim.closed_form;
  return row;
}

}  // namespace

CountedRows count_claims(const std::vector<CountedClaim>& claims,
                         const RunSeries::Options& options) {
  std::vector<RunRequest> requests;
  for (const CountedClaim& claim : claims) requests.push_back(claim.request);
  RunSeries series(std::move(requests), options);
  CountedRows counted;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Measured run = series.measure(i);
    counted.exit = worse(counted.exit, run.exit);
    if (run.interrupted()) break;
    counted.rows.push_back(row_of(claims[i], run));
  }
  return counted;
}

RunRequest star_request(const RunRequest& machine, std::size_t n, Operation operation,
                        const char* algorithm) {
  RunRequest request = machine;
  request.topology = fmt::format("star:{}", n);
  request.operation = operation;
  request.algorithm = algorithm;
  return request;
}

}  // namespace lockstep::cli
