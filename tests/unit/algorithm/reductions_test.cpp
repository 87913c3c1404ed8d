// SPDX-License-Identifier: Apache-2.0
/// Costs of reductions, against their bounds, and refusals. property/reduction_laws_test.cpp checks
/// their results on all networks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/cube_reductions.hpp"
#include "algorithm/torus_rings.hpp"
#include "core/instrumented.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

[[nodiscard]] RunForecast forecast(const std::string& topology, Operation operation,
                                   const std::string& algorithm = {}, std::uint64_t root = 0) {
  RunRequest request{.topology = topology, .operation = operation, .algorithm = algorithm};
  request.block_bytes = 8 * request.topology.node_count();  // whatever parts they travel in
  if (root != 0) request.settings["root"] = root;
  return prepare(request, false)->forecast();
}
[[nodiscard]] Cost cost(const std::string& topology, Operation operation,
                        const std::string& algorithm = {}, std::uint64_t root = 0) {
  return forecast(topology, operation, algorithm, root).predicted.value();
}
[[nodiscard]] LowerBound bound(const std::string& topology, Operation operation,
                               const std::string& algorithm = {}) {
  return forecast(topology, operation, algorithm).lower_bound.value();
}

TEST(CubeReductions, TakeAsManyStartupsAsThereAreDimensions) {
  for (std::uint64_t d = 1; d <= (slowness == 1 ? 10U : 7U); ++d) {
    const std::string cube = "hypercube:" + std::to_string(d);
    const std::uint64_t others = (std::uint64_t{1} << d) - 1;
    const RunForecast all_reduce = forecast(cube, Operation::all_reduce);
    EXPECT_EQ(all_reduce.predicted, (Cost{d, d}));
    EXPECT_EQ(all_reduce.lower_bound->least.startups, d);
    EXPECT_EQ(cost(cube, Operation::scan), (Cost{d, d}));
    const RunForecast reduce_scatter = forecast(cube, Operation::reduce_scatter);
    EXPECT_EQ(reduce_scatter.predicted, (Cost{d, others}));
    EXPECT_EQ(reduce_scatter.predicted, reduce_scatter.lower_bound->least);
    const RunForecast in_parts = forecast(cube, Operation::all_reduce, "halving-doubling");
    EXPECT_EQ(in_parts.predicted, (Cost{2 * d, Fraction(2 * others, others + 1)}));
    EXPECT_EQ(in_parts.predicted->message_times, in_parts.lower_bound->least.message_times);
  }
}

/// Blocks that the parts do not divide are padded: the default is that of any other size, and the
/// cost is the same, in padded blocks.
TEST(ReductionsInParts, PadBlocksThatThePartsDoNotDivide) {
  RunRequest request{.topology = "torus:5x5", .operation = Operation::all_reduce};
  request.costs = {.t_s = 1, .t_m = 1000};
  for (const std::size_t bytes : {25U, 64U, 100U}) {
    request.block_bytes = bytes;
    EXPECT_EQ(prepare(request)->forecast().algorithm.name, "ring-by-ring");
  }
  for (const std::size_t bytes : {25U, 64U, 75U, 100U}) {
    request.block_bytes = bytes;
    const RunResult result = prepare(request)->execute();
    const RunForecast& run = result.forecast;
    EXPECT_EQ(run.algorithm.name, "ring-by-ring");
    EXPECT_EQ(run.parts_per_block(), 25U);
    EXPECT_EQ(run.part_bytes(), bytes == 25 ? 1U : bytes == 100 ? 4U : 3U);
    EXPECT_EQ(result.cost, (Cost{16, Fraction(48, 25)}));
    EXPECT_EQ(result.cost, run.predicted);
    EXPECT_EQ(result.judgement.outcome, Outcome::complete);
  }
  request.block_bytes = 24;
  // A byte in each part, and one part of padding alone, which is charged.
  EXPECT_EQ(prepare(request)->forecast().algorithm.name, "ring-by-ring");
  const RunResult result = prepare(request)->execute();
  EXPECT_EQ(result.cost, (Cost{16, Fraction(48, 25)}));
  EXPECT_EQ(result.judgement.outcome, Outcome::complete);
}

/// A ring is a torus of one dimension.
TEST(RingReductions, AreThoseOfATorus) {
  for (const Operation operation :
       {Operation::all_gather, Operation::all_reduce, Operation::reduce_scatter})
    for (const std::uint64_t n : {3U, 8U, 13U}) {
      const std::string nodes = std::to_string(n);
      EXPECT_EQ(cost("ring:" + nodes, operation, "ring-by-ring"),
                cost("torus:" + nodes, operation, "ring-by-ring"));
    }
  EXPECT_EQ(cost("ring:13", Operation::all_reduce, "ring-by-ring"), (Cost{24, Fraction(24, 13)}));
}

TEST(CubeHalves, AreWhatTwoNeighboursLeaveEachOther) {
  const CubeHalves halves(3);
  EXPECT_EQ(halves.kept(NodeId{5}, 0), (Blocks{Region{0}, 0, 8}));
  EXPECT_EQ(halves.kept(NodeId{1}, 1), (Blocks{Region{0}, 4, 4}));
  for (std::uint64_t u = 0; u < 8; ++u) {
    EXPECT_EQ(halves.kept(NodeId{u}, 3), (Blocks{Region{0}, halves.slot_of(u), 1}));
    EXPECT_EQ(halves.slot_of(halves.slot_of(u)), u);
    for (std::uint64_t t = 0; t < 3; ++t) {
      const Blocks mine = halves.kept(NodeId{u}, t + 1);
      const Blocks other = halves.kept(CubeHalves::neighbor(NodeId{u}, t), t + 1);
      const Blocks whole = halves.kept(NodeId{u}, t);
      EXPECT_EQ(mine.count + other.count, whole.count);
      EXPECT_EQ(std::min(mine.first, other.first), whole.first);
      EXPECT_NE(mine.first, other.first);
    }
  }
}

TEST(CubeReductions, RefuseMoreBlocksThanARegionHolds) {
  for (const auto& [operation, algorithm] :
       {std::pair{Operation::reduce_scatter, "recursive-halving"},
        std::pair{Operation::all_reduce, "halving-doubling"}})
    EXPECT_THAT(([op = operation, name = algorithm] { (void)cost("hypercube:20", op, name); }),
                ThrowsMessage<InvalidParameter>(HasSubstr("20 dimensions; allowed: up to 19")));
}

TEST(StarReductions, GoFromSubstarToSubstar) {
  for (std::uint64_t n = 2; n <= 7; ++n) {
    const std::string star = "star:" + std::to_string(n);
    EXPECT_EQ(cost(star, Operation::all_reduce), (Cost{n * (n - 1) / 2, n * (n - 1) / 2}));
    EXPECT_EQ(cost(star, Operation::reduce_scatter, "levelwise"),
              (Cost{n * (n - 1) / 2, factorial(n) - 1}));
  }
  EXPECT_EQ(bound("star:7", Operation::all_reduce).least.startups, 13U);
  EXPECT_EQ(bound("star:7", Operation::reduce_scatter).undivided.message_times, 5'039U);
}

TEST(TorusReductions, GoRoundTheRings) {
  const std::vector<std::pair<std::string, std::uint64_t>> tori{
      {"torus:2", 1}, {"torus:5", 4}, {"torus:3x4", 5}, {"torus:2x2x3", 4}, {"torus:32x32", 62}};
  for (const auto& [torus, steps] : tori) {
    const std::uint64_t nodes = AnyTopology(torus).node_count();
    EXPECT_EQ(cost(torus, Operation::all_gather, "ring-by-ring"), (Cost{steps, nodes - 1}));
    EXPECT_EQ(cost(torus, Operation::reduce_scatter, "ring-by-ring"), (Cost{steps, nodes - 1}));
    EXPECT_EQ(cost(torus, Operation::all_reduce, "ring-by-ring"),
              (Cost{2 * steps, Fraction(2 * (nodes - 1), nodes)}));
    EXPECT_EQ(cost(torus, Operation::all_reduce, "ring-by-ring").message_times,
              bound(torus, Operation::all_reduce).least.message_times);
  }
}

TEST(TorusRings, AreADimensionEach) {
  const std::vector<TorusRing> rings = rings_of(Torus({3, 2, 5}));
  ASSERT_EQ(rings.size(), 3U);
  EXPECT_EQ(rings[0].side, 3U);
  EXPECT_EQ(rings[0].stride, 10U);
  EXPECT_EQ(rings[1].side, 2U);
  EXPECT_EQ(rings[1].up, rings[1].down);
  EXPECT_EQ(rings[2].stride, 1U);
  EXPECT_EQ(rings[0].place(NodeId{27}), 2U);
  EXPECT_EQ(rings[1].place(NodeId{27}), 1U);
  EXPECT_EQ(rings[2].place(NodeId{27}), 2U);
}

/// Nobody walks round a ring to learn its length.
TEST(TorusRings, AreKnownAtOnce) {
  const std::vector<TorusRing> rings = rings_of(Torus({1'000'000'000, 5}));
  ASSERT_EQ(rings.size(), 2U);
  EXPECT_EQ(rings[0].side, 1'000'000'000U);
  EXPECT_EQ(rings[1].side, 5U);
}

/// From any root, as the broadcast of that name; an all-reduce twice that of node 0.
TEST(PlannedReductions, CostWhatTheirBroadcastsDo) {
  for (const std::string network : {"mesh:3x5", "star:4", "linear:9", "ej:1+2", "complete:1"})
    for (const std::string algorithm : {"tree", "matching", "single-port-tree"}) {
      const std::uint64_t root = AnyTopology(network).node_count() / 2;
      // Eisenstein-Jacobi networks have a tree of their own by the third name.
      if (network.front() == 'e' && algorithm == "single-port-tree") continue;
      EXPECT_EQ(cost(network, Operation::reduce, algorithm, root),
                cost(network, Operation::broadcast, algorithm, root))
          << network << algorithm;
      const Cost once = cost(network, Operation::broadcast, algorithm);
      EXPECT_EQ(cost(network, Operation::all_reduce, algorithm), once + once);
    }
  EXPECT_EQ(cost("mesh:3x5", Operation::reduce, "tree", 7).startups, 3U);
  EXPECT_EQ(bound("mesh:3x5", Operation::reduce, "tree").least.startups, 6U);
  EXPECT_THAT(
      [] { (void)cost("mesh:3x5", Operation::reduce, "tree", 15); },
      ThrowsMessage<InvalidParameter>(HasSubstr("a node of mesh:3x5: a number from 0 to 14")));
}

/// A path of four whose root is the second node, with subtrees of 1 and 2, then of 1: up go the
/// blocks for all but those below, down what is for these.
TEST(TreeReductions, CostLevelByLevel) {
  EXPECT_EQ(cost("linear:4", Operation::reduce_scatter, "tree"), (Cost{4, (3 + 3) + (2 + 1)}));
  EXPECT_EQ(cost("linear:4", Operation::scan, "tree"), (Cost{4, 2 * (2 + 1)}));
  // Four leaves at the root.
  EXPECT_EQ(cost("complete:5", Operation::reduce_scatter, "tree"), (Cost{2, 4 + 1}));
  EXPECT_EQ(cost("complete:5", Operation::scan, "tree"), (Cost{2, 2}));
}

}  // namespace
}  // namespace lockstep
