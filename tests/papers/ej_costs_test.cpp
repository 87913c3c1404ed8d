// SPDX-License-Identifier: Apache-2.0

/// Z. Hussain, one-to-all broadcasting in Eisenstein-Jacobi networks: the closed forms of section 5
/// and those that the paper does not give, against the figures of an independent program. Tables
/// are in ej_paper_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/all_gather/ej_gather_loads.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "papers/ej/costs.hpp"
#include "papers/ej/ej.hpp"
#include "papers/formula.hpp"
#include "support/ej_derived_loads.hpp"
#include "support/ej_golden.hpp"

namespace lockstep {
namespace {

using ej_costs::Broadcast;
using ej_costs::BroadcastStep;
using ej_costs::OneDimension;
using test::ej_steps;
using test::ej_topology;
using test::golden;
using test::GoldenRow;

OneDimension one_of(std::uint64_t a, std::uint64_t b) {
  return ej_costs::one_dimension(EisensteinJacobiTree(EisensteinJacobi(a, b)));
}
OneDimension one_of(const GoldenRow& row) { return one_of(row.number("a"), row.number("b")); }

Broadcast broadcast_of(const GoldenRow& row) {
  return row.text("algorithm") == "iterative" ? Broadcast::iterative : Broadcast::improved;
}

/// The loads that the algorithms promise, by the names of all_gather.csv.
EjLoads loads_of(const GoldenRow& row) {
  const EisensteinJacobiTree tree(EisensteinJacobi(row.number("a"), row.number("b")));
  const std::size_t n = row.number("n");
  const std::string algorithm = row.text("algorithm");
  if (algorithm == "full-duplex") return ej_simultaneous_loads(tree, n);
  if (algorithm == "two-substep") return ej_in_substeps(ej_simultaneous_loads(tree, n));
  if (algorithm == "rotated-parts") return ej_rotated_loads(tree, n);
  return ej_three_phase_loads(
      tree, n, algorithm == "three-phase" ? EjRelaunch::own_block : EjRelaunch::all_blocks);
}

/// The first step of its phase, or of all.
std::size_t first_step_of(const GoldenRow& row) {
  if (row.number("phase") == 0) return 0;
  const auto all = test::ej_rows("all_gather.csv", ej_topology(row), row.text("algorithm"));
  const std::vector<std::uint64_t> steps = all.front().numbers("steps_per_phase");
  return std::accumulate(steps.begin(),
                         steps.begin() + static_cast<std::ptrdiff_t>(row.number("phase") - 1),
                         std::size_t{0});
}

TEST(EjCostsOfThePaper, OneDimension) {
  for (const GoldenRow& row : golden("ej/topology.csv")) {
    SCOPED_TRACE(ej_topology(row, "1"));
    const OneDimension one = one_of(row);
    EXPECT_EQ(one.node_count(), row.number("nodes"));
    EXPECT_EQ(one.diameter(), row.number("diameter"));
    EXPECT_EQ(one.sum_of_weights(), row.number("sum_of_distances"));
    EXPECT_EQ(one.level_sizes, row.numbers("distance_distribution"));
    EXPECT_EQ(one.leaves, row.numbers("leaves_per_weight"));
  }
}

TEST(EjCostsOfThePaper, EveryStepOfBothBroadcasts) {
  for (const GoldenRow& row : golden("ej/one_to_all_steps.csv")) {
    SCOPED_TRACE(ej_topology(row) + " " + row.text("algorithm"));
    const test::EjSteps expected = ej_steps(row);
    const std::vector<BroadcastStep> steps =
        ej_costs::broadcast_steps(one_of(row), row.number("n"), broadcast_of(row));
    ASSERT_EQ(steps.size(), expected.senders.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
      EXPECT_EQ(steps[i], (BroadcastStep{expected.senders[i], expected.receivers[i],
                                         expected.active[i], expected.free[i]}))
          << "step " << i + 1;
  }
}

TEST(EjCostsOfThePaper, SendersAndMeanReceiveSteps) {
  for (const GoldenRow& row : golden("ej/one_to_all.csv")) {
    SCOPED_TRACE(ej_topology(row));
    const OneDimension one = one_of(row);
    for (const auto& [name, algorithm] : {std::pair{"iterative_", Broadcast::iterative},
                                          std::pair{"improved_", Broadcast::improved}}) {
      const std::string prefix = name;
      const std::size_t n = row.number("n");
      EXPECT_EQ(ej_costs::broadcast_senders(one, n, algorithm), row.number(prefix + "senders"));
      EXPECT_EQ(ej_costs::average_receive_step(one, n, algorithm),
                (Fraction{row.number(prefix + "average_numerator"),
                          row.number(prefix + "average_denominator")}));
    }
  }
}

/// The closed forms of the totals are the sums over the steps.
TEST(EjCostsOfThePaper, TotalsAreSumsOfTheSteps) {
  for (const GoldenRow& row : golden("ej/one_to_all.csv")) {
    SCOPED_TRACE(ej_topology(row));
    const OneDimension one = one_of(row);
    for (const Broadcast algorithm : {Broadcast::iterative, Broadcast::improved}) {
      const std::size_t n = row.number("n");
      std::uint64_t senders = 0;
      std::uint64_t receivers = 0;
      std::uint64_t weighted = 0;
      const auto steps = ej_costs::broadcast_steps(one, n, algorithm);
      for (std::size_t i = 0; i < steps.size(); ++i) {
        senders += steps[i].senders;
        receivers += steps[i].receivers;
        weighted += (i + 1) * steps[i].receivers;
      }
      EXPECT_EQ(senders, ej_costs::broadcast_senders(one, n, algorithm));
      EXPECT_EQ(receivers, row.number("messages"));
      EXPECT_EQ((Fraction{weighted, receivers}), ej_costs::average_receive_step(one, n, algorithm));
    }
  }
}

TEST(EjCostsOfThePaper, LoadsOfEveryLink) {
  for (const GoldenRow& row : golden("ej/all_gather_loads.csv")) {
    const std::size_t link = 6 * (row.number("dimension") - 1) + row.number("port");
    const EjLoads loads = loads_of(row);
    const std::vector<std::uint64_t> expected = row.numbers("loads");
    for (std::size_t step = 0; step < expected.size(); ++step)
      EXPECT_EQ(loads.at(first_step_of(row) + step).at(link), expected[step])
          << ej_topology(row) << " " << row.text("algorithm") << ", phase " << row.text("phase")
          << ", dimension " << row.text("dimension") << ", port " << row.text("port") << ", step "
          << step;
  }
}

TEST(EjCostsOfThePaper, AllGather) {
  for (const GoldenRow& row : golden("ej/all_gather.csv")) {
    SCOPED_TRACE(ej_topology(row) + " " + row.text("algorithm"));
    std::vector<std::uint64_t> largest;
    std::uint64_t received = 0;
    for (const std::vector<std::uint64_t>& step : loads_of(row)) {
      largest.push_back(*std::max_element(step.begin(), step.end()));
      received = std::accumulate(step.begin(), step.end(), received);
    }
    EXPECT_EQ(largest.size(), row.number("steps"));
    if (!row.text("largest_loads").empty()) {
      EXPECT_EQ(largest, row.numbers("largest_loads"));
    }
    EXPECT_EQ(std::accumulate(largest.begin(), largest.end(), std::uint64_t{0}),
              row.number("sum_of_largest_loads"));
    const bool in_parts = row.text("algorithm") == "rotated-parts";
    EXPECT_EQ(received / (in_parts ? row.number("n") : 1), row.number("received"));
  }
}

/// The paper's phases, b = a + 1: 3 (((N + 2)/3)^n - 1) messages instead of N^n - 1.
TEST(EjCostsOfThePaper, ThreePhasesReachSoManyOnly) {
  EXPECT_EQ(papers::ej::gathers(2).front().received, 504U);
  EXPECT_EQ(papers::ej::gathers(3).front().received, 6588U);
  EXPECT_EQ(papers::ej::gathers(3)[1].received, 50652U);
}

/// Sizes that nobody runs: three dimensions of 3+4rho.
TEST(EjCostsOfThePaper, AllGatherInThreeDimensions) {
  const std::map<std::string, Cost> expected{{"three-phase", {27, 3042}},
                                             {"three-phase-complete", {27, 12978}},
                                             {"two-substep", {18, 16428}},
                                             {"rotated", {18, 5628}}};
  for (const papers::ej::Gather& gather : papers::ej::gathers(3)) {
    EXPECT_EQ(gather.cost, expected.at(gather.algorithm)) << gather.algorithm;
  }
}

TEST(EjCostsOfThePaper, LeastSteps) {
  for (const GoldenRow& row : golden("ej/all_gather_bounds.csv"))
    EXPECT_EQ(ej_costs::least_all_gather_steps(one_of(row), row.number("n")),
              (ej_costs::LeastSteps{row.number("single_port"), row.number("full_duplex"),
                                    row.number("half_duplex")}))
        << ej_topology(row);
  for (const GoldenRow& row : golden("ej/total_exchange.csv")) {
    const ej_costs::LeastSteps least =
        ej_costs::least_total_exchange_steps(one_of(row), row.number("n"));
    EXPECT_EQ(least.single_port, row.number("single_port_steps")) << ej_topology(row);
    EXPECT_EQ(least.full_duplex, row.number("all_port_lower_bound")) << ej_topology(row);
  }
  for (const GoldenRow& row : golden("ej/total_exchange_all_port.csv")) {
    const ej_costs::LeastSteps least =
        ej_costs::least_total_exchange_steps(one_of(row), row.number("n"));
    EXPECT_EQ(least.full_duplex, row.number("full_duplex")) << ej_topology(row);
    EXPECT_EQ(least.half_duplex, row.number("half_duplex")) << ej_topology(row);
  }
}

/// Figures 19 to 21: five networks that take twelve steps, averaged.
TEST(EjCostsOfThePaper, AveragesOverNetworks) {
  const std::vector<std::array<std::uint64_t, 3>> networks{
      {1, 2, 12}, {2, 3, 6}, {3, 4, 4}, {4, 5, 3}, {6, 7, 2}};
  for (const GoldenRow& row : golden("ej/averages.csv")) {
    BroadcastStep total;
    for (const auto& [a, b, n] : networks) {
      const auto steps = ej_costs::broadcast_steps(one_of(a, b), n, broadcast_of(row));
      const BroadcastStep& step = steps.at(row.number("step") - 1);
      total.senders += step.senders;
      total.receivers += step.receivers;
      total.active += step.active;
    }
    const auto text = [](std::uint64_t of_five) {
      return fixed(static_cast<double>(of_five) / 5, 1);
    };
    EXPECT_EQ(text(total.senders), row.text("senders"));
    EXPECT_EQ(text(total.receivers), row.text("receivers"));
    EXPECT_EQ(text(total.active), row.text("active"));
  }
}

/// Derived apart: the same for every link, step and alpha.
TEST(EjCostsOfThePaper, LoadsAreThoseThatTheAlgorithmsPromise) {
  using test::DerivedGather;
  for (const GoldenRow& row : golden("ej/trees.csv"))
    for (std::size_t n = 1; n <= 3; ++n) {
      SCOPED_TRACE(ej_topology(row, std::to_string(n)));
      const EisensteinJacobiTree tree(EisensteinJacobi(row.number("a"), row.number("b")));
      const auto expect_equal = [&](DerivedGather gather, const EjLoads& promised) {
        std::size_t before = 0;
        for (const auto& loads : test::derived_loads(tree, n, gather)) {
          const std::size_t steps = loads.front().size();
          ASSERT_LE(before + steps, promised.size());
          for (std::size_t link = 0; link < 6 * n; ++link)
            for (std::size_t step = 0; step < steps; ++step)
              EXPECT_EQ(loads[link][step], promised[before + step][link])
                  << "step " << before + step << ", link " << link;
          before += steps;
        }
        EXPECT_EQ(before, promised.size());
      };
      expect_equal(DerivedGather::full_duplex, ej_simultaneous_loads(tree, n));
      expect_equal(DerivedGather::rotated_parts, ej_rotated_loads(tree, n));
      expect_equal(DerivedGather::three_phase,
                   ej_three_phase_loads(tree, n, EjRelaunch::own_block));
      expect_equal(DerivedGather::three_phase_complete,
                   ej_three_phase_loads(tree, n, EjRelaunch::all_blocks));
    }
}

OneDimension complete_graph_of_seven() { return one_of(1, 2); }

TEST(EjCosts, SevenNodesAllNeighbours) {
  const OneDimension one = complete_graph_of_seven();
  EXPECT_EQ(one.level_sizes, (ej_costs::Counts{1, 6}));
  EXPECT_EQ(one.leaves, (ej_costs::Counts{0, 6}));
  for (const Broadcast algorithm : {Broadcast::iterative, Broadcast::improved}) {
    EXPECT_EQ(ej_costs::broadcast_steps(one, 1, algorithm),
              (std::vector<ej_costs::BroadcastStep>{{1, 6, 7, 0}}));
    EXPECT_EQ(ej_costs::broadcast_senders(one, 1, algorithm), 1U);
    EXPECT_EQ(ej_costs::average_receive_step(one, 1, algorithm), (Fraction{1, 1}));
  }
  const AnyCayley network = any_cayley(EisensteinJacobiNetwork(1, 2));
  EXPECT_EQ(ej_two_substep.cost(network), (Cost{2, 2}));
  EXPECT_EQ(ej_three_phase.cost(network), (Cost{3, 3}));
}

TEST(EjCosts, CountsUpTo64Bits) {
  const OneDimension one = complete_graph_of_seven();
  EXPECT_EQ(ej_costs::broadcast_senders(one, 22, Broadcast::improved),
            558545864083284007U);                                                  // 7^21
  EXPECT_NO_THROW((void)ej_costs::broadcast_steps(one, 22, Broadcast::improved));  // 7^22 < 2^62
  for (const Broadcast algorithm : {Broadcast::iterative, Broadcast::improved}) {
    EXPECT_THROW((void)ej_costs::broadcast_steps(one, 23, algorithm), InvalidParameter);
    EXPECT_THROW((void)ej_costs::average_receive_step(one, 23, algorithm), InvalidParameter);
  }
  EXPECT_THROW((void)ej_costs::broadcast_senders(one, 24, Broadcast::improved), InvalidParameter);
  EXPECT_THROW((void)ej_costs::least_total_exchange_steps(one, 23), InvalidParameter);
}

TEST(EjCosts, RefusesNoDimensions) {
  const OneDimension one = complete_graph_of_seven();
  EXPECT_THROW((void)ej_costs::broadcast_steps(one, 0, Broadcast::improved), InvalidParameter);
  EXPECT_THROW((void)ej_costs::broadcast_senders(one, 0, Broadcast::iterative), InvalidParameter);
  EXPECT_THROW((void)ej_costs::average_receive_step(one, 0, Broadcast::improved), InvalidParameter);
  EXPECT_THROW((void)ej_costs::least_all_gather_steps(one, 0), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
