// SPDX-License-Identifier: Apache-2.0
#include "papers/reproduce_ej.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lockstep/core/fraction.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"
#include "papers/ej_costs.hpp"
#include "papers/reproduce_ej_gathers.hpp"
#include "report/quantities.hpp"

namespace lockstep::papers {
namespace {

using ej_costs::Broadcast;
using ej_costs::BroadcastStep;
using report::count_text;

struct Network {
  std::uint64_t a;
  std::uint64_t b;
  std::size_t n;

  [[nodiscard]] std::string name() const {
    return n == 1 ? fmt::format("ej:{}+{}", a, b) : fmt::format("ej:{}+{}^{}", a, b, n);
  }
  [[nodiscard]] ej_costs::OneDimension one() const {
    return ej_costs::one_dimension(EisensteinJacobiTree(EisensteinJacobi(a, b)));
  }
};

struct Algorithm {
  Broadcast kind;
  const char* name;
};
constexpr std::array<Algorithm, 2> algorithms{
    {{Broadcast::iterative, "iterative"}, {Broadcast::improved, "improved"}}};

/// What is said of the steps of a broadcast: how many are as they should be, or all of each.
enum class Detail : std::uint8_t { same_steps, every_step };

[[nodiscard]] std::string text_of(const BroadcastStep& step) {
  return fmt::format("{} {} {} {}", count_text(step.free), count_text(step.senders),
                     count_text(step.receivers), count_text(step.active));
}

/// As the machine saw them.
[[nodiscard]] std::vector<BroadcastStep> steps_of(const RunRecord& record) {
  std::vector<BroadcastStep> steps;
  for (const StepRecord& step : record.series)
    if (step.messages != 0)
      steps.push_back({step.senders, step.receivers, step.active, record.processors - step.active});
  return steps;
}

[[nodiscard]] std::string average_of(const std::vector<BroadcastStep>& steps) {
  std::uint64_t sum = 0;
  std::uint64_t receivers = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    sum += (i + 1) * steps[i].receivers;
    receivers += steps[i].receivers;
  }
  return receivers == 0 ? "none" : Fraction{sum, receivers}.text();
}

/// Steps that are the same in both, from the first one on.
[[nodiscard]] std::size_t same_steps(const std::vector<BroadcastStep>& a,
                                     const std::vector<BroadcastStep>& b) {
  std::size_t same = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) same += a[i] == b[i] ? 1U : 0U;
  return same;
}

void add_every_step(std::vector<CountedFigure>& figures, const std::string& name,
                    const std::vector<BroadcastStep>& counted,
                    const std::vector<BroadcastStep>& expected) {
  for (std::size_t i = 0; i < std::max(counted.size(), expected.size()); ++i)
    figures.push_back({fmt::format("{}, step {}: free, senders, receivers, active", name, i + 1),
                       i < counted.size() ? text_of(counted[i]) : "no such step",
                       i < expected.size() ? text_of(expected[i]) : "no such step"});
}

[[nodiscard]] std::vector<CountedFigure> broadcast_figures(const RunResult& result,
                                                           const Network& network,
                                                           const Algorithm& algorithm,
                                                           Detail detail) {
  const ej_costs::OneDimension one = network.one();
  const auto expected = ej_costs::broadcast_steps(one, network.n, algorithm.kind);
  const std::string name = algorithm.name;
  std::vector<CountedFigure> figures;
  const std::vector<BroadcastStep> counted = steps_of(result.record);
  if (detail == Detail::every_step)
    add_every_step(figures, name, counted, expected);
  else
    figures.push_back({name + ": steps with these free, sending, receiving and active nodes",
                       fmt::format("{} of {}", same_steps(counted, expected), counted.size()),
                       fmt::format("{} of {}", expected.size(), expected.size())});
  figures.push_back({name + ": average receive step", average_of(counted),
                     ej_costs::average_receive_step(one, network.n, algorithm.kind).text()});
  figures.push_back({name + ": senders in all", count_text(result.record.senders),
                     count_text(ej_costs::broadcast_senders(one, network.n, algorithm.kind))});
  return figures;
}

[[nodiscard]] CountedClaim broadcast_claim(const RunRequest& machine, const Network& network,
                                           const Algorithm& algorithm, Detail detail,
                                           std::vector<std::string> parts) {
  RunRequest request = request_on(machine, network.name(), Operation::broadcast, algorithm.name);
  request.block_bytes = 1;
  request.keep_series = true;
  const std::uint64_t senders =
      ej_costs::broadcast_senders(network.one(), network.n, algorithm.kind);
  return {.request = std::move(request),
          .n = network.n,
          .k = 0,
          .quantity = fmt::format("{}: senders in all", algorithm.name),
          .figures =
              [=](const RunResult& result) {
                return broadcast_figures(result, network, algorithm, detail);
              },
          .parts = std::move(parts),
          .closed_form = count_text(senders)};
}

/// Table 1 belongs to the iterative algorithm, table 2 to the improved one.
void add_tables(std::vector<CountedClaim>& claims, const RunRequest& machine) {
  constexpr std::size_t drawn_from = 4;
  constexpr std::size_t of_table_3 = 6;
  constexpr std::size_t of_tables_1_and_2 = 3;
  for (std::size_t n = 1; n <= of_table_3; ++n)
    for (const Algorithm& algorithm : algorithms) {
      std::vector<std::string> parts{"Table 3"};
      if (n >= drawn_from) parts.emplace_back("Figure 22");
      if (n == of_tables_1_and_2) {
        parts.emplace_back(algorithm.kind == Broadcast::iterative ? "Table 1" : "Table 2");
        for (unsigned figure = 15; figure <= 18; ++figure)
          parts.push_back(fmt::format("Figure {}", figure));
      }
      const Detail detail = n == of_tables_1_and_2 ? Detail::every_step : Detail::same_steps;
      claims.push_back(broadcast_claim(machine, {3, 4, n}, algorithm, detail, parts));
      if (n == of_table_3) claims.back().effort = Effort::full;
    }
}

/// Those of the networks behind figures 19 to 21 that are small enough.
void add_averaged(std::vector<CountedClaim>& claims, const RunRequest& machine) {
  for (const Network& network : {Network{4, 5, 3}, Network{6, 7, 2}})
    for (const Algorithm& algorithm : algorithms)
      claims.push_back(broadcast_claim(machine, network, algorithm, Detail::same_steps,
                                       {"Figure 19", "Figure 20", "Figure 21"}));
}

}  // namespace

CountedRows count_ej_costs(const CountOptions& options) {
  std::vector<CountedClaim> claims;
  add_tables(claims, options.machine);
  add_averaged(claims, options.machine);
  for (CountedClaim& claim : ej_all_gather_claims(options.machine))
    claims.push_back(std::move(claim));
  for (CountedClaim& claim : ej_total_exchange_claims(options.machine))
    claims.push_back(std::move(claim));
  return count_claims(std::move(claims), options);
}

}  // namespace lockstep::papers
