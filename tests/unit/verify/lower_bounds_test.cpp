// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/lower_bounds.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/fewest_broadcast_steps.hpp"
#include "topology/star_distances.hpp"

namespace lockstep {
namespace {

constexpr std::array bounded_operations{Operation::broadcast, Operation::scatter, Operation::gather,
                                        Operation::all_gather, Operation::total_exchange};

/// Facts that the bounds need, found by search.
template <Topology T>
BoundInputs figures_of(const T& network) {
  return {.processors = network.node_count(),
          .degree = network.degree(NodeId{0}),
          .diameter = eccentricity(network, NodeId{0}),
          .distance_sum = sum_of_distances(network, NodeId{0})};
}

LowerBound bound(Operation operation, const BoundInputs& figures, const PortModel& model) {
  return lower_bound({operation}, figures, model).value();
}

/// Bounds of algorithms that keep blocks whole.
Cost undivided(Operation operation, const BoundInputs& figures, const PortModel& model) {
  return bound(operation, figures, model).undivided;
}

/// The same with one port.
Cost single_port(Operation operation, const BoundInputs& figures) {
  return undivided(operation, figures, port_models::single_port);
}

template <Topology T>
void expect_attained(const T& network) {
  for (const PortModel& model : port_models::all) {
    if (model.switching == Switching::wormhole) continue;  // the search goes link by link
    const std::uint64_t fewest = test::FewestSteps<T>(network, model.sends).from(0);
    const LowerBound least = bound(Operation::broadcast, figures_of(network), model);
    EXPECT_EQ(least.least.startups, fewest) << network.name() << " " << model.name;
    EXPECT_EQ(least.undivided, (Cost{fewest, fewest}));
    EXPECT_LE(least.least.message_times, 1U);
  }
}

TEST(LowerBounds, BroadcastStepsAgainstEveryWayToSend) {
  expect_attained(CompleteGraph{2});
  expect_attained(CompleteGraph{6});
  expect_attained(Hypercube{3});
  expect_attained(Ring{5});
  expect_attained(Ring{8});
  expect_attained(StarGraph{3});
  expect_attained(EisensteinJacobi(1, 2));
}

/// Who was informed by one neighbour informs the others, no more.
TEST(LowerBounds, BroadcastMultipliesNoLongerThanThereAreLinksLeft) {
  const auto steps = [](std::uint64_t processors, std::uint64_t degree, std::uint64_t sends) {
    const PortModel model{"", sends == 1 ? 1U : port_models::any_number, 1, Duplex::full};
    return bound(Operation::broadcast, {.processors = processors, .degree = degree}, model)
        .least.startups;
  };
  // 1, 2, 4, 8, 14, 24: the root has 3 links, the others 2 left.
  EXPECT_EQ(steps(8, 3, 1), 3U);
  EXPECT_EQ(steps(9, 3, 1), 4U);
  EXPECT_EQ(steps(14, 3, 1), 4U);
  EXPECT_EQ(steps(15, 3, 1), 5U);
  EXPECT_EQ(steps(24, 3, 1), 5U);
  EXPECT_EQ(steps(25, 3, 1), 6U);
  // Through all ports at once, 1, 4, 10, 22: Moore's bound.
  EXPECT_EQ(steps(22, 3, 3), 3U);
  EXPECT_EQ(steps(23, 3, 3), 4U);
  // A network of 2^62 processors is no reason to count long.
  EXPECT_EQ(steps(std::uint64_t{1} << 62U, 64, 1), 62U);
}

TEST(LowerBounds, StarGraphSinglePort) {
  for (std::size_t n = 2; n <= 8; ++n) {
    const BoundInputs figures = figures_of(StarGraph{n});
    std::uint64_t logarithm = 0;
    while (std::uint64_t{1} << logarithm < factorial(n)) ++logarithm;
    EXPECT_EQ(single_port(Operation::total_exchange, figures),
              (Cost{logarithm, star_distance_sum(n, 1)}))
        << n;
    EXPECT_EQ(single_port(Operation::all_gather, figures), (Cost{logarithm, factorial(n) - 1}))
        << n;
  }
}

/// Recursive doubling and the standard exchange attain both bounds at once.
TEST(LowerBounds, HypercubeSinglePortIsAttained) {
  for (std::size_t d = 1; d <= 8; ++d) {
    const BoundInputs cube = figures_of(Hypercube{d});
    const std::uint64_t nodes = std::uint64_t{1} << d;
    EXPECT_EQ(single_port(Operation::broadcast, cube), (Cost{d, d})) << d;
    EXPECT_EQ(single_port(Operation::scatter, cube), (Cost{d, nodes - 1})) << d;
    EXPECT_EQ(single_port(Operation::gather, cube), (Cost{d, nodes - 1})) << d;
    EXPECT_EQ(single_port(Operation::all_gather, cube), (Cost{d, nodes - 1})) << d;
    EXPECT_EQ(single_port(Operation::total_exchange, cube), (Cost{d, d * nodes / 2})) << d;
  }
}

/// Direct exchange attains the message times; in the all-port model one step does everything.
TEST(LowerBounds, CompleteGraph) {
  const BoundInputs complete = figures_of(CompleteGraph{7});
  EXPECT_EQ(single_port(Operation::total_exchange, complete), (Cost{3, 6}));
  for (const Operation operation : bounded_operations) {
    EXPECT_EQ(undivided(operation, complete, port_models::all_port), (Cost{1, 1}));
    const bool both_ways =
        operation == Operation::all_gather || operation == Operation::total_exchange;
    EXPECT_EQ(undivided(operation, complete, port_models::all_port_half_duplex),
              (Cost{1, both_ways ? 2U : 1U}));
  }
}

TEST(LowerBounds, RootsPortsLimitScatterAndGather) {
  const BoundInputs star = figures_of(StarGraph{5});
  const PortModel& one_send = port_models::single_port_send;
  EXPECT_EQ(undivided(Operation::scatter, star, one_send).message_times, 119U);
  EXPECT_EQ(undivided(Operation::gather, star, one_send).message_times, 30U);
  EXPECT_EQ(bound(Operation::scatter, star, one_send).least.startups, 7U);
  EXPECT_EQ(bound(Operation::gather, star, one_send).least.startups,
            6U);  // the diameter: 5^3 > 119
  EXPECT_EQ(undivided(Operation::scatter, star, port_models::all_port), (Cost{6, 30}));
}

TEST(LowerBounds, EveryLinkSharesInAnAllPortExchange) {
  const BoundInputs star = figures_of(StarGraph{5});
  EXPECT_EQ(bound(Operation::total_exchange, star, port_models::all_port).least.message_times,
            Fraction(442, 4));
  EXPECT_EQ(undivided(Operation::total_exchange, star, port_models::all_port).message_times, 111U);
  EXPECT_EQ(
      bound(Operation::total_exchange, star, port_models::all_port_half_duplex).least.message_times,
      221U);
}

/// ceil(n! l(n,1) / k!) for packets of k! blocks.
TEST(LowerBounds, MessagesOfLimitedSize) {
  struct Row {
    std::size_t n;
    std::uint64_t logarithm;
    std::array<std::uint64_t, 3> startups;  // k = 2, 3, 4
  };
  for (const Row& row :
       {Row{5, 7, {221, 74, 19}}, Row{6, 10, {1'722, 574, 144}}, Row{7, 13, {14'814, 4'938, 1'235}},
        Row{8, 16, {140'472, 46'824, 11'706}}, Row{9, 19, {1'460'808, 486'936, 121'734}}}) {
    const BoundInputs star{.processors = factorial(row.n),
                           .degree = row.n - 1,
                           .diameter = StarGraph{row.n}.diameter(),
                           .distance_sum = star_distance_sum(row.n, 1)};
    const LowerBound any = bound(Operation::total_exchange, star, port_models::single_port);
    EXPECT_EQ(any.least.startups, row.logarithm);
    for (std::size_t k = 2; k <= 4; ++k)
      EXPECT_EQ(with_messages_up_to(any, factorial(k)).least,
                (Cost{row.startups[k - 2], any.least.message_times}));
    EXPECT_EQ(with_messages_up_to(any, 1).least.startups, any.least.message_times);
    EXPECT_EQ(any.startups_by, "doubling");
    EXPECT_EQ(any.message_times_by, "distances");
    EXPECT_EQ(with_messages_up_to(any, 1).startups_by, "largest message");
    EXPECT_EQ(with_messages_up_to(any, any.least.message_times.rounded_up()), any);
  }
}

/// EJ_(1+2rho)^(5): rounded up of whole blocks alone.
TEST(LowerBounds, PartsOfBlocksShareTheLinksEvenly) {
  const BoundInputs figures{.processors = 16'807, .degree = 30, .diameter = 5};
  const auto times = [&](const PortModel& model) {
    return bound(Operation::all_gather, figures, model).least.message_times;
  };
  EXPECT_EQ(undivided(Operation::all_gather, figures, port_models::all_port).message_times, 561U);
  EXPECT_EQ(
      undivided(Operation::all_gather, figures, port_models::all_port_half_duplex).message_times,
      1'121U);
  EXPECT_EQ(times(port_models::all_port), Fraction(2'801, 5));  // 16806/30
  EXPECT_EQ(times(port_models::all_port_half_duplex), Fraction(5'602, 5));
  EXPECT_EQ(times(port_models::single_port), 16'806U);
  EXPECT_EQ(bound(Operation::gather, figures, port_models::single_port).least.message_times,
            16'806U);
  EXPECT_EQ(bound(Operation::all_gather, figures, port_models::all_port).least.startups, 5U);
}

TEST(LowerBounds, OneProcessorHasNothingToDo) {
  for (const Operation operation : bounded_operations)
    EXPECT_EQ(bound(operation, {.processors = 1}, port_models::single_port), LowerBound{});
}

TEST(LowerBounds, NoLinksNoBound) {
  for (const Operation operation : bounded_operations)
    EXPECT_FALSE(lower_bound({operation}, {.processors = 2}, port_models::all_port).has_value());
}

TEST(LowerBounds, WithoutDistancesTheyAreWeakerButTrue) {
  const BoundInputs known = figures_of(StarGraph{6});
  const BoundInputs unknown{.processors = known.processors, .degree = known.degree};
  for (const Operation operation : bounded_operations)
    for (const PortModel& model : port_models::all) {
      const LowerBound less = bound(operation, unknown, model);
      const LowerBound more = bound(operation, known, model);
      EXPECT_LE(less.least.startups, more.least.startups);
      EXPECT_LE(less.least.message_times, more.least.message_times);
      EXPECT_LE(less.undivided.message_times, more.undivided.message_times);
      EXPECT_GE(less.least.startups, 1U);
    }
}

/// A run that is legal under a model is legal under one that admits it, so the bound cannot rise.
TEST(LowerBounds, AStrongerModelHasNoHigherBound) {
  for (const BoundInputs& figures :
       {figures_of(StarGraph{5}), figures_of(Hypercube{4}), figures_of(Ring{9})})
    for (const Operation operation : bounded_operations)
      for (const PortModel& strong : port_models::all)
        for (const PortModel& weak : port_models::all) {
          if (!strong.admits(weak)) continue;
          EXPECT_LE(bound(operation, figures, strong).least.startups,
                    bound(operation, figures, weak).least.startups);
          EXPECT_LE(bound(operation, figures, strong).least.message_times,
                    bound(operation, figures, weak).least.message_times);
          EXPECT_LE(undivided(operation, figures, strong).message_times,
                    undivided(operation, figures, weak).message_times);
        }
}

/// Whoever may receive more than it sends collects faster than it tells.
TEST(LowerBounds, AReduceIsABroadcastBackwards) {
  const BoundInputs complete = figures_of(CompleteGraph{5});
  const auto startups = [&](Operation operation, const PortModel& model) {
    return bound(operation, complete, model).least.startups;
  };
  EXPECT_EQ(startups(Operation::reduce, port_models::single_port_send), 1U);
  EXPECT_EQ(startups(Operation::broadcast, port_models::single_port_send), 3U);
  for (const PortModel& model : {port_models::single_port, port_models::all_port_half_duplex})
    EXPECT_EQ(bound(Operation::reduce, complete, model),
              bound(Operation::broadcast, complete, model));
}

/// s blocks: a node that makes none receives all of them over four ports; those who know of a block
/// grow fivefold in a step, whatever the distance, or spread link by link.
TEST(LowerBounds, OfManyToAllInATorus) {
  const BoundInputs torus = figures_of(Torus({25, 25}));
  const auto least = [&](std::uint64_t makers, const PortModel& model) {
    std::vector<NodeId> homes;
    for (std::uint64_t j = 0; j < makers; ++j) homes.push_back(NodeId{j % 625});
    return lower_bound({Operation::many_to_all, {}, Pattern::many(homes)}, torus, model)->undivided;
  };
  EXPECT_EQ(least(156, port_models::all_port_wormhole), (Cost{4, 39}));
  EXPECT_EQ(least(625, port_models::all_port_wormhole), (Cost{4, 156}));
  EXPECT_EQ(least(1, port_models::all_port_wormhole), (Cost{4, 4}));
  EXPECT_EQ(least(0, port_models::all_port_wormhole), Cost{});
  EXPECT_EQ(least(625, port_models::single_port_wormhole), (Cost{10, 624}));
  EXPECT_EQ(least(625, port_models::all_port), (Cost{24, 156}));
}

TEST(LowerBounds, OfReductions) {
  const BoundInputs cube = figures_of(Hypercube{3});
  EXPECT_EQ(single_port(Operation::scan, cube), (Cost{3, 3}));
  EXPECT_EQ(single_port(Operation::all_reduce, cube), (Cost{3, 3}));
  EXPECT_EQ(single_port(Operation::reduce_scatter, cube), (Cost{3, 7}));
  const auto all_reduce = [&](const PortModel& model) {
    return bound(Operation::all_reduce, cube, model).least.message_times;
  };
  // 14 messages for each part of a block; 8 nodes, 24 arcs, 12 links carry one in a step each.
  EXPECT_EQ(all_reduce(port_models::single_port), Fraction(14, 8));
  EXPECT_EQ(all_reduce(port_models::all_port), Fraction(14, 24));
  EXPECT_EQ(all_reduce(port_models::all_port_half_duplex), Fraction(14, 12));
}

/// A network of odd degrees and nodes has no such number of links: half of what is left over is not
/// one.
TEST(LowerBounds, HalvesOfLinksCarryNothing) {
  const BoundInputs three{.processors = 3, .degree = 3};  // 4 links at most
  const LowerBound least = bound(Operation::all_reduce, three, port_models::all_port_half_duplex);
  EXPECT_EQ(least.least.message_times, 1U);
  EXPECT_EQ(least.message_times_by, "blocks per port");
}

/// In parts, start-ups cost next to no message times: a broadcast in x parts along a line of nine
/// takes 7 + x steps of a part each.
TEST(LowerBounds, StartupsTakeMessageTimesOfWholeBlocksAlone) {
  for (std::uint64_t x = 1; x <= 64; x *= 2) {
    const LowerBound least =
        bound(Operation::broadcast,
              {.processors = 9, .degree = 2, .diameter = 8, .least_degree = 1, .root_degree = 1},
              port_models::all_port_half_duplex);
    EXPECT_EQ(least.least, (Cost{8, 1}));
    EXPECT_LE(least.least.message_times, Fraction(7 + x, x));
    EXPECT_EQ(least.undivided, (Cost{8, 8}));
    EXPECT_EQ(least.undivided_by, "start-ups");
  }
}

/// The root's links carry what it sends, the fewest links of any node what that receives.
TEST(LowerBounds, DegreesOfTheRootAndOfTheLeastNodeCount) {
  const BoundInputs mesh{
      .processors = 25, .degree = 4, .diameter = 4, .least_degree = 2, .root_degree = 3};
  const auto times = [&](Operation operation, const PortModel& model) {
    return bound(operation, mesh, model).least.message_times;
  };
  EXPECT_EQ(times(Operation::broadcast, port_models::all_port), Fraction(1, 2));
  EXPECT_EQ(times(Operation::broadcast, port_models::single_port_send), 1U);
  EXPECT_EQ(times(Operation::reduce, port_models::single_port_send), 1U);
  EXPECT_EQ(times(Operation::scatter, port_models::all_port), 8U);
  EXPECT_EQ(times(Operation::scatter, port_models::single_port_send), 24U);
  EXPECT_EQ(times(Operation::gather, port_models::single_port_send), 8U);
  EXPECT_EQ(times(Operation::all_gather, port_models::all_port), 12U);
  EXPECT_EQ(times(Operation::all_gather, port_models::all_port_half_duplex), Fraction(25, 2));
  EXPECT_EQ(times(Operation::reduce_scatter, port_models::all_port_half_duplex), Fraction(25, 2));
  EXPECT_EQ(times(Operation::all_reduce, port_models::all_port), Fraction(1, 2));
  EXPECT_EQ(times(Operation::scan, port_models::all_port), Fraction(1, 2));
}

/// The numbers of the largest networks do not run over.
TEST(LowerBounds, OfHugeNetworksDoNotRunOver) {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  const BoundInputs huge{
      .processors = most, .degree = 64, .diameter = 64, .distance_sum = most, .cut = {most / 2, 1}};
  for (const Operation operation : bounded_operations)
    for (const PortModel& model : port_models::all)
      EXPECT_LE(bound(operation, huge, model).least.message_times, most) << name_of(operation);
  EXPECT_GT(bound(Operation::total_exchange, huge, port_models::single_port).least.message_times,
            most / 2);
}

}  // namespace
}  // namespace lockstep
