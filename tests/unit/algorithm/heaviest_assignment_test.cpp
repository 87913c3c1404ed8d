// SPDX-License-Identifier: Apache-2.0

/// Assignments of the largest weight, against all assignments of small random graphs.

#include "algorithm/heaviest_assignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "support/cases.hpp"

namespace lockstep {
namespace {

using test::Random;
using test::uniform;

[[nodiscard]] std::uint64_t weight_of(std::span<const WeightedArc> arcs,
                                      const std::vector<std::uint32_t>& chosen) {
  std::uint64_t sum = 0;
  for (const std::uint32_t number : chosen) sum += arcs[number].weight;
  return sum;
}

/// The heaviest assignment of the arcs from `first` on, where these senders and receivers are
/// taken.
[[nodiscard]] std::uint64_t heaviest_of_all(std::span<const WeightedArc> arcs, std::size_t first,
                                            std::uint32_t senders, std::uint32_t receivers) {
  if (first == arcs.size()) return 0;
  const WeightedArc& arc = arcs[first];
  const std::uint64_t without = heaviest_of_all(arcs, first + 1, senders, receivers);
  const std::uint32_t sender = 1U << arc.from;
  const std::uint32_t receiver = 1U << arc.to;
  if ((senders & sender) != 0 || (receivers & receiver) != 0) return without;
  return std::max(without, arc.weight + heaviest_of_all(arcs, first + 1, senders | sender,
                                                        receivers | receiver));
}

struct WeightedGraph {
  std::uint64_t nodes;
  std::vector<WeightedArc> arcs;
};

[[nodiscard]] WeightedGraph random_graph(Random& random) {
  WeightedGraph graph{uniform(random, 1, 5), std::vector<WeightedArc>(uniform(random, 0, 12))};
  const auto node = [&] { return static_cast<std::uint32_t>(uniform(random, 0, graph.nodes - 1)); };
  for (WeightedArc& arc : graph.arcs) {
    const std::uint32_t from = node();
    arc = {from, node(), uniform(random, 0, 9)};
  }
  return graph;
}

TEST(HeaviestAssignment, IsTheHeaviestOfAll) {
  test::for_all(test::cases_here(300), random_graph, [](const WeightedGraph& graph) {
    const std::vector<std::uint32_t> chosen = heaviest_assignment(graph.nodes, graph.arcs);
    std::set<std::uint32_t> senders;
    std::set<std::uint32_t> receivers;
    for (const std::uint32_t number : chosen) {
      EXPECT_TRUE(senders.insert(graph.arcs[number].from).second);
      EXPECT_TRUE(receivers.insert(graph.arcs[number].to).second);
      EXPECT_NE(graph.arcs[number].weight, 0U);
    }
    EXPECT_EQ(weight_of(graph.arcs, chosen), heaviest_of_all(graph.arcs, 0, 0, 0));
  });
}

}  // namespace
}  // namespace lockstep
