// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Runs of the all-gathers of Eisenstein-Jacobi networks through the catalogue, and what a trace of
/// them says of the links.
///
///     const EjRun run = ej_run("ej:3+4^2", "two-substep");
///     run.result.record.message_times == 444;
///     run.loads(network)[3][7]     // blocks that node 0 sends in step 3 through port 7

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/all_gather/ej_gather_loads.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep::test {

inline RunRequest ej_request(const std::string& topology, const std::string& algorithm) {
  return {.topology = topology,
          .operation = Operation::all_gather,
          .algorithm = algorithm,
          .block_bytes = 8,
          .executor = ExecutorKind::serial,
          .keep_series = true};
}

/// How often a link carried both directions in one step, of a trace in the order of its steps.
inline std::uint64_t used_both_ways(const SendTrace& trace, std::uint64_t nodes,
                                    std::uint64_t ports) {
  constexpr std::uint64_t never = ~std::uint64_t{0};
  std::vector<std::uint64_t> used_in(nodes * ports, never);  // the last step, of each arc
  std::uint64_t both = 0;
  for (const SendEvent& event : trace) {
    used_in[index(event.sender) * ports + index(event.port)] = event.step;
    if (used_in[index(event.receiver) * ports + index(event.receiver_port)] == event.step) ++both;
  }
  return both;
}

struct EjRun {
  RunResult result;
  SendTrace trace;

  /// The loads of every processor: all do as node 0 does.
  [[nodiscard]] EjLoads loads() const {
    EjLoads loads(result.record.steps, std::vector<std::uint64_t>(result.forecast.degree));
    for (const SendEvent& event : trace)
      if (event.sender == NodeId{0}) loads.at(event.step).at(index(event.port)) += event.blocks;
    return loads;
  }
  [[nodiscard]] std::uint64_t used_both_ways() const {
    return test::used_both_ways(trace, result.record.nodes, result.forecast.degree);
  }
  [[nodiscard]] std::vector<std::uint64_t> largest_messages() const {
    std::vector<std::uint64_t> largest;
    for (const StepRecord& step : result.record.series)
      largest.push_back(step.largest_message_blocks);
    return largest;
  }
};

inline EjRun ej_run(const RunRequest& request) {
  EjRun run;
  run.result = prepare(request)->execute({.trace = &run.trace});
  return run;
}
inline EjRun ej_run(const std::string& topology, const std::string& algorithm) {
  return ej_run(ej_request(topology, algorithm));
}

inline std::uint64_t sum_of(const std::vector<std::uint64_t>& numbers) {
  std::uint64_t sum = 0;
  for (const std::uint64_t number : numbers) sum += number;
  return sum;
}

/// Those on half-duplex links, three-phase apart, which leaves blocks out.
inline const std::vector<std::string> ej_complete_half_duplex{
    "rotated", "two-substep", "three-phase-complete", "greedy-half-duplex"};
inline const std::vector<std::string> ej_full_duplex{"simultaneous-rotated", "simultaneous",
                                                     "greedy"};

/// Consecutive a, b and all that is awkward: common divisors, a = 0, a = b.
inline const std::vector<std::pair<std::uint64_t, std::uint64_t>> ej_alphas{
    {1, 2}, {2, 3}, {3, 4}, {1, 3}, {2, 2}, {0, 3}, {0, 4}, {2, 4}, {1, 5}, {1, 4}, {3, 3}, {2, 5}};

inline std::string ej_name(std::pair<std::uint64_t, std::uint64_t> alpha, std::size_t n) {
  return EisensteinJacobiNetwork(alpha.first, alpha.second, n).name();
}

}  // namespace lockstep::test
