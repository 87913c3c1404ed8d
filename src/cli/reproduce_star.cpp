// SPDX-License-Identifier: Apache-2.0
#include "cli/reproduce_star.hpp"

#include <fmt/format.h>

#include <utility>

#include "lockstep/algorithm/star_promises.hpp"
#include "lockstep/cost/star_costs.hpp"

namespace lockstep::cli {
namespace {

constexpr std::size_t largest_run = 6;

/// A run, and the closed form of the paper that it is held against.
struct Check {
  RunRequest request;
  std::size_t n;
  std::size_t k;
  Promise closed_form;
};

[[nodiscard]] RunRequest request_of(const RunRequest& machine, std::size_t n, Operation operation,
                                    const char* algorithm) {
  RunRequest request = machine;
  request.topology = fmt::format("star:{}", n);
  request.operation = operation;
  request.algorithm = algorithm;
  return request;
}

[[nodiscard]] std::vector<Check> checks(const RunRequest& machine) {
  std::vector<Check> all;
  for (std::size_t n = 2; n <= largest_run; ++n)
    for (std::size_t k = 1; k < n; ++k) {
      RunRequest request = request_of(machine, n, Operation::total_exchange, "packing");
      request.parameters.k = {k};
      all.push_back({std::move(request), n, k, star_costs::packing(n, k)});
    }
  for (std::size_t n = 3; n <= largest_run; ++n) {
    all.push_back({request_of(machine, n, Operation::all_gather, "mesh"), n, 0,
                   star_promises::mesh_all_gather(n)});
    all.push_back({request_of(machine, n, Operation::all_gather, "hamiltonian-ring"), n, 0,
                   star_promises::ring_all_gather(n)});
  }
  return all;
}

[[nodiscard]] std::string text_of(const Promise& cost) {
  return fmt::format("{} t_s + {} t_m", cost.startups, cost.message_times);
}

[[nodiscard]] PaperRow row_of(const Check& check, const Measured& run) {
  PaperRow row;
  row.where = counted_by_machine;
  row.topology = check.request.topology;
  row.n = check.n;
  row.k = check.k;
  row.quantity = check.k == 0 ? fmt::format("all-gather by {}", check.request.algorithm)
                              : fmt::format("T({},{})", check.n, check.k);
  row.exact = text_of(check.closed_form);
  row.ours = run.note;
  if (!run.result) {
    row.agrees = false;
    return row;
  }
  const RunRecord& record = run.result->record;
  const Promise counted{record.startups, record.message_times};
  row.ours = text_of(counted);
  row.agrees = run.exit == Exit::ok && counted == check.closed_form;
  return row;
}

}  // namespace

CountedRows count_star_costs(const RunRequest& machine, const RunSeries::Options& options) {
  const std::vector<Check> all = checks(machine);
  std::vector<RunRequest> requests;
  for (const Check& check : all) requests.push_back(check.request);
  RunSeries series(std::move(requests), options);
  CountedRows counted;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Measured run = series.measure(i);
    counted.exit = worse(counted.exit, run.exit);
    if (run.interrupted()) break;
    counted.rows.push_back(row_of(all[i], run));
  }
  return counted;
}

}  // namespace lockstep::cli
