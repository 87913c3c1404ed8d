// SPDX-License-Identifier: Apache-2.0
#include "study/gap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "lockstep/cost/model.hpp"

namespace lockstep::study {
namespace {

/// An operation that depends on more than the network is left out where it has no algorithm.
[[nodiscard]] bool is_for(const AnyTopology& network, Operation operation) {
  return !Collective{operation}.needs_pattern() || !algorithms_for(network, operation).empty();
}

/// The same for all entries.
[[nodiscard]] std::optional<LowerBound> bound_of(const Contest& contest) {
  return prepare(contest.entries[contest.best({})].request, false)->forecast().lower_bound;
}

/// The fewest that any algorithm needs, as a multiple of the bound.
[[nodiscard]] double least_multiple(const Contest& contest, const auto& count,
                                    const LowerBound& bound) {
  const double least = count(bound.least);
  double fewest = std::numeric_limits<double>::infinity();
  for (const ContestEntry& entry : contest.entries) fewest = std::min(fewest, count(entry.charged));
  return least > 0 ? fewest / least : 1;
}

/// Why the time is more than twice the bound, as far as the costs of all algorithms say.
[[nodiscard]] std::string reason_of_large_gap(const Contest& contest, const LowerBound& bound) {
  constexpr double much = 1.5;
  const double startups = least_multiple(
      contest, [](const Cost& cost) { return static_cast<double>(cost.startups); }, bound);
  const double message_times = least_multiple(
      contest, [](const Cost& cost) { return cost.message_times.value(); }, bound);
  if (startups <= much && message_times <= much)
    return fmt::format(
        "weak bound: {:.2f} times its start-ups and {:.2f} times its message times are reached, by "
        "different algorithms; no bound is known for both at once",
        startups, message_times);
  return fmt::format(
      "no algorithm is known with less than {:.2f} times the start-ups or {:.2f} times the message "
      "times of the bound",
      startups, message_times);
}

void set_best(GapCell& cell, const Contest& contest, const CostParameters& costs,
              const std::optional<LowerBound>& bound) {
  const std::size_t best = contest.best(costs);
  cell.variant = contest.entries[best].name;
  cell.charged = contest.entries[best].charged;
  cell.time = contest.time(best, costs);
  cell.optimal = bound && !takes_less_time(bound->least, cell.charged, costs, contest.block_bytes);
  if (bound && cell.over_bound() > large_gap) cell.reason = reason_of_large_gap(contest, *bound);
}

}  // namespace

std::optional<double> GapCell::over_bound() const {
  if (variant.empty() || !bound) return std::nullopt;
  return *bound > 0 ? time / *bound : 1;
}

std::vector<GapCell> gap_cells(const AnyTopology& network, Operation operation,
                               const GapRequest& request) {
  std::vector<GapCell> cells;
  for (const PortModel& model : request.models) {
    if (request.limits.stop.stop_requested()) break;
    const RunRequest asked{.topology = network,
                           .operation = operation,
                           .port_model = model,
                           .block_bytes = request.block_bytes};
    std::optional<Contest> contest;  // none: there is a problem
    const Problem problem =
        problem_of([&] { contest = contest_for(asked, request.limits); }, "out of memory");
    if (request.limits.stop.stop_requested()) break;
    const std::optional<LowerBound> bound = contest ? bound_of(*contest) : std::nullopt;
    for (const NamedRatio& ratio : request.ratios) {
      const CostParameters costs{.t_s = ratio.value(), .t_m = 1};
      GapCell& cell = cells.emplace_back();
      cell.topology = network.name();
      cell.operation = operation;
      cell.port_model = model.name;
      cell.ratio = ratio;
      cell.reason = problem.text;
      if (bound) cell.bound = least_time(*bound, costs);
      if (contest) set_best(cell, *contest, costs, bound);
    }
  }
  return cells;
}

std::vector<GapCell> gap_matrix(const std::vector<AnyTopology>& networks,
                                std::optional<Operation> operation, const GapRequest& request) {
  std::vector<GapCell> cells;
  for (const AnyTopology& network : networks)
    for (const OperationInfo& info : operation_catalog()) {
      const bool is_wanted =
          operation ? info.operation == *operation : is_for(network, info.operation);
      if (is_wanted)
        std::ranges::move(gap_cells(network, info.operation, request), std::back_inserter(cells));
    }
  return cells;
}

}  // namespace lockstep::study
