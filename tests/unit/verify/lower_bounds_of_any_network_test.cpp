// SPDX-License-Identifier: Apache-2.0

/// Lower bounds of networks whose nodes differ.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/verify/lower_bounds.hpp"

namespace lockstep {
namespace {

constexpr std::array any_network_operations{
    Operation::broadcast,  Operation::scatter,        Operation::gather,
    Operation::all_gather, Operation::total_exchange, Operation::reduce,
    Operation::all_reduce, Operation::reduce_scatter, Operation::scan};

/// If nodes do not differ, only the bound of the cut exceeds that of a symmetric network.
TEST(LowerBoundsOfAnyNetwork, AreThoseOfSymmetricNetworks) {
  const auto expect_equal = [](const auto& network) {
    SCOPED_TRACE(network.name());
    const DistanceFigures figures = distance_figures(network);
    for (const Operation operation : any_network_operations)
      for (const PortModel& model : port_models::all) {
        SCOPED_TRACE(std::string(name_of(operation)) + ", " + std::string(model.name));
        const LowerBound any = lower_bound({operation}, figures, model).value();
        const LowerBound symmetric =
            lower_bound({operation},
                        {.processors = network.node_count(),
                         .degree = network.degree(NodeId{0}),
                         .diameter = eccentricity(network, NodeId{0}),
                         .distance_sum = sum_of_distances(network, NodeId{0})},
                        model)
                .value();
        EXPECT_EQ(any.least.startups, symmetric.least.startups);
        if (any.message_times_by == "cut")
          EXPECT_GT(any.least.message_times, symmetric.least.message_times);
        else
          EXPECT_EQ(any.least.message_times, symmetric.least.message_times);
      }
  };
  expect_equal(StarGraph(4));
  expect_equal(Ring(7));
  expect_equal(Ring(8));
  expect_equal(Hypercube(4));
  expect_equal(EisensteinJacobi(2, 3));
}

/// Dimakopoulos, section 4.2: floor(n^2/4) through all ports, the cut in the middle.
TEST(LowerBoundsOfAnyNetwork, LinearArrays) {
  for (std::uint64_t n = 2; n <= 40; ++n) {
    const DistanceFigures figures = distance_figures(LinearArray(n));
    const auto of = [&](const Collective& collective, const PortModel& model) {
      return lower_bound(collective, figures, model).value();
    };
    const LowerBound exchange = of({Operation::total_exchange}, port_models::all_port);
    EXPECT_EQ(exchange.least.message_times, n * n / 4) << n;
    EXPECT_EQ(exchange.least.startups, n - 1) << n;
    EXPECT_EQ(
        of({Operation::total_exchange}, port_models::all_port_half_duplex).least.message_times,
        2 * (n / 2) * (n - n / 2))
        << n;
    // The ends have one port.
    EXPECT_EQ(of({Operation::all_gather}, port_models::all_port).least.message_times, n - 1) << n;
    EXPECT_EQ(of({Operation::scatter, NodeId{0}}, port_models::all_port).least.message_times,
              n - 1);
    EXPECT_EQ(of({Operation::gather, NodeId{n / 2}}, port_models::all_port).undivided.message_times,
              n / 2);
    EXPECT_EQ(of({Operation::broadcast, NodeId{n / 2}}, port_models::all_port).least.message_times,
              1U);
    EXPECT_EQ(of({Operation::broadcast, NodeId{0}}, port_models::single_port).least.startups,
              n - 1);
  }
}

/// A block in the middle reaches both ends in fewer steps than one from an end.
TEST(LowerBoundsOfAnyNetwork, ManyToAllGoesByTheHomes) {
  const DistanceFigures line = distance_figures(LinearArray(9));
  const auto least = [&](std::vector<NodeId> homes) {
    const Collective collective{Operation::many_to_all, {}, Pattern::many(std::move(homes))};
    return lower_bound(collective, line, port_models::all_port)->least;
  };
  EXPECT_EQ(least({NodeId{4}}), (Cost{4, Fraction(1, 2)}));
  EXPECT_EQ(least({NodeId{4}, NodeId{4}, NodeId{6}}), (Cost{6, Fraction(3, 2)}));
  EXPECT_EQ(least({NodeId{6}, NodeId{4}}), (Cost{6, 1})) << "the farthest home, not the last";
  EXPECT_EQ(least({}), Cost{});
}

/// The ends of an odd number of nodes are at an even distance: no block goes that far. A node of
/// the smaller class sends a block to each of the larger one.
TEST(LowerBoundsOfAnyNetwork, AnOddDistanceExchangeGoesAnOddDistance) {
  for (std::uint64_t n = 2; n <= 12; ++n) {
    const LinearArray line(n);
    const Collective exchange{Operation::odd_distance_exchange, {}, Pattern::odd_distance(line)};
    const auto least = [&](const PortModel& model) {
      return lower_bound(exchange, distance_figures(line), model)->least;
    };
    EXPECT_EQ(least(port_models::all_port).startups, n % 2 == 0 ? n - 1 : n - 2) << n;
    EXPECT_EQ(least(port_models::single_port).message_times, (n + 1) / 2) << n;
  }
}

/// The first only sends, the last only receives.
TEST(LowerBoundsOfAnyNetwork, AScanOfTwoProcessorsIsOneMessage) {
  const DistanceFigures two = distance_figures(LinearArray(2));
  for (const PortModel& model : port_models::all)
    EXPECT_EQ(lower_bound({Operation::scan}, two, model)->undivided, (Cost{1, 1})) << model.name;
  // The middle one of three does both through its two links.
  EXPECT_EQ(lower_bound({Operation::scan}, distance_figures(LinearArray(3)), port_models::all_port)
                ->least,
            (Cost{2, 1}));
}

TEST(LowerBoundsOfAnyNetwork, SaysWhy) {
  const DistanceFigures figures = distance_figures(LinearArray(9));
  EXPECT_EQ(figures.narrowest.links, 1U);
  EXPECT_EQ(figures.nodes.at(0), (NodeDistances{1, 8, 36}));
  EXPECT_EQ(figures.nodes.at(4), (NodeDistances{2, 4, 20}));
  const LowerBound exchange =
      lower_bound({Operation::total_exchange}, figures, port_models::all_port).value();
  EXPECT_EQ(exchange.message_times_by, "cut");
  EXPECT_EQ(exchange.startups_by, "diameter");
  EXPECT_FALSE(lower_bound({Operation::odd_distance_exchange}, figures, port_models::all_port));
}

}  // namespace
}  // namespace lockstep
