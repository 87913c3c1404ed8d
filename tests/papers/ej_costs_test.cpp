// SPDX-License-Identifier: Apache-2.0

/// Z. Hussain, one-to-all broadcasting in Eisenstein-Jacobi networks: the closed forms of section 5
/// and those that the paper does not give, against the figures of an independent program. Tables
/// and claims are in ej_paper_test.cpp.

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

#include "lockstep/algorithm/all_gather/ej_gather.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"
#include "papers/ej/costs.hpp"
#include "papers/printed_decimal.hpp"
#include "support/ej_golden.hpp"

namespace lockstep {
namespace {

using ej_costs::AllGather;
using ej_costs::Broadcast;
using ej_costs::BroadcastStep;
using ej_costs::Counts;
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

/// The names of all_gather.csv.
AllGather gather_of(const GoldenRow& row) {
  static const std::map<std::string, AllGather> names{
      {"full-duplex", AllGather::full_duplex},
      {"two-substep", AllGather::two_substep},
      {"rotated-parts", AllGather::rotated_parts},
      {"three-phase", AllGather::three_phase},
      {"three-phase-complete", AllGather::three_phase_complete}};
  return names.at(row.text("algorithm"));
}

std::uint64_t sum(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
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
    const std::vector<std::uint64_t> sizes = row.numbers("sector_sizes");
    for (std::size_t j = 0; j < sizes.size(); ++j)
      EXPECT_EQ(sum(one.sectors.at(j).major) + sum(one.sectors.at(j).minor), sizes[j]);
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
    const std::size_t phase = std::max<std::uint64_t>(1, row.number("phase"));
    const std::size_t link = 6 * (row.number("dimension") - 1) + row.number("port");
    EXPECT_EQ(
        ej_costs::link_loads(one_of(row), row.number("n"), gather_of(row)).at(phase - 1).at(link),
        row.numbers("loads"))
        << ej_topology(row) << " " << row.text("algorithm") << ", phase " << phase << ", dimension "
        << row.text("dimension") << ", port " << row.text("port");
  }
}

TEST(EjCostsOfThePaper, AllGather) {
  for (const GoldenRow& row : golden("ej/all_gather.csv")) {
    SCOPED_TRACE(ej_topology(row) + " " + row.text("algorithm"));
    const OneDimension one = one_of(row);
    const std::size_t n = row.number("n");
    const AllGather algorithm = gather_of(row);
    std::vector<std::uint64_t> phases;
    for (const ej_costs::PhaseLoads& phase : ej_costs::link_loads(one, n, algorithm))
      phases.push_back(phase.front().size());
    const std::uint64_t halves = algorithm == AllGather::two_substep ? 2 : 1;
    EXPECT_EQ(halves * sum(phases), row.number("steps"));
    if (!row.text("steps_per_phase").empty()) {
      EXPECT_EQ(phases, row.numbers("steps_per_phase"));
    }
    if (!row.text("largest_loads").empty()) {
      EXPECT_EQ(ej_costs::largest_loads(one, n, algorithm), row.numbers("largest_loads"));
    }
    const Promise cost = ej_costs::all_gather(one, n, algorithm);
    EXPECT_EQ(cost.message_times, row.number("sum_of_largest_loads"));
    EXPECT_LE(cost.startups, row.number("steps"));
    EXPECT_EQ(ej_costs::messages_received(one, n, algorithm), row.number("received"));
  }
}

/// What the algorithms promise was derived apart: the same for every link, step and alpha.
TEST(EjCostsOfThePaper, LoadsAreThoseThatTheAlgorithmsPromise) {
  const auto expect_equal = [](const OneDimension& one, std::size_t n, AllGather algorithm,
                               const EjLoads& promised) {
    std::size_t before = 0;
    for (const ej_costs::PhaseLoads& loads : ej_costs::link_loads(one, n, algorithm)) {
      const std::size_t steps = loads.front().size();
      ASSERT_LE(before + steps, promised.size());
      for (std::size_t p = 0; p < 6 * n; ++p)
        for (std::size_t s = 0; s < steps; ++s)
          EXPECT_EQ(loads[p][s], promised[before + s][p])
              << "step " << before + s << ", port " << p;
      before += steps;
    }
    EXPECT_EQ(before, promised.size());
  };
  for (const GoldenRow& row : golden("ej/trees.csv"))
    for (std::size_t n = 1; n <= 3; ++n) {
      SCOPED_TRACE(ej_topology(row, std::to_string(n)));
      const EisensteinJacobiTree tree(EisensteinJacobi(row.number("a"), row.number("b")));
      const OneDimension one = ej_costs::one_dimension(tree);
      expect_equal(one, n, AllGather::full_duplex, ej_simultaneous_loads(tree, n));
      expect_equal(one, n, AllGather::rotated_parts, ej_rotated_loads(tree, n));
      expect_equal(one, n, AllGather::three_phase,
                   ej_three_phase_loads(tree, n, EjRelaunch::own_block));
      expect_equal(one, n, AllGather::three_phase_complete,
                   ej_three_phase_loads(tree, n, EjRelaunch::all_blocks));
    }
}

/// The paper's phases, b = a + 1: 3 (((N + 2)/3)^n - 1) messages instead of N^n - 1.
TEST(EjCostsOfThePaper, ThreePhasesReachSoManyOnly) {
  EXPECT_EQ(ej_costs::messages_received(one_of(3, 4), 2, AllGather::three_phase), 504U);
  EXPECT_EQ(ej_costs::messages_received(one_of(3, 4), 3, AllGather::three_phase), 6588U);
  EXPECT_EQ(ej_costs::messages_received(one_of(3, 4), 3, AllGather::three_phase_complete), 50652U);
}

/// Sizes that nobody runs: three dimensions of 3+4rho.
TEST(EjCostsOfThePaper, AllGatherInThreeDimensions) {
  const OneDimension one = one_of(3, 4);
  EXPECT_EQ(ej_costs::all_gather(one, 3, AllGather::three_phase), (Promise{27, 3042}));
  EXPECT_EQ(ej_costs::all_gather(one, 3, AllGather::three_phase_complete), (Promise{27, 12978}));
  EXPECT_EQ(ej_costs::all_gather(one, 3, AllGather::two_substep), (Promise{18, 16428}));
  EXPECT_EQ(ej_costs::all_gather(one, 3, AllGather::rotated_parts), (Promise{9, 3 * 5628 / 2}));
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

}  // namespace
}  // namespace lockstep
