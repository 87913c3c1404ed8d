// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/broadcast/ej_single_port_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lockstep/algorithm/broadcast/ej_improved.hpp"
#include "lockstep/topology/build_network.hpp"
#include "support/jobs.hpp"

namespace lockstep {
namespace {

/// The tree of the improved algorithm as children by node, from what the reference machine sends.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> tree_of(
    const EisensteinJacobiNetwork& network) {
  SendTrace trace;
  (void)test::run_reference(build_network(network), EjImproved(network, {}).program(),
                            {.model = EjImproved::info.model, .collective = {Operation::broadcast}},
                            ChannelKind::slot, &trace);
  std::vector<std::vector<std::uint64_t>> children(network.node_count());
  for (const SendEvent& event : trace)
    children[index(event.sender)].push_back(index(event.receiver));
  return children;
}

/// The fewest steps below a node, by trying every order of its children. Up to 8 children.
[[nodiscard]] std::uint64_t fewest_steps(const std::vector<std::vector<std::uint64_t>>& children,
                                         std::uint64_t node) {
  std::vector<std::uint64_t> below;
  for (const std::uint64_t child : children[node]) below.push_back(fewest_steps(children, child));
  std::sort(below.begin(), below.end());
  std::uint64_t fewest = below.empty() ? 0 : ~std::uint64_t{0};
  if (below.empty()) return 0;
  do {
    std::uint64_t steps = 0;
    for (std::size_t i = 0; i < below.size(); ++i) steps = std::max(steps, i + 1 + below[i]);
    fewest = std::min(fewest, steps);
  } while (std::next_permutation(below.begin(), below.end()));
  return fewest;
}

TEST(EjSinglePortTree, NoOrderOfTheChildrenIsFasterOnThisTree) {
  for (const EisensteinJacobiNetwork& network : std::vector<EisensteinJacobiNetwork>{
           {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {2, 2, 1}, {0, 4, 1}, {2, 4, 1}, {5, 6, 1}}) {
    EXPECT_EQ(EjSinglePortTree(network, {}).promise()->startups, fewest_steps(tree_of(network), 0))
        << network.name();
  }
}

/// n times the value of one dimension in every case computed (beyond the paper).
TEST(EjSinglePortTree, TakesNTimesTheStepsOfOneDimension) {
  for (std::uint64_t b = 2; b <= 6; ++b)
    for (std::uint64_t a = 0; a <= b; ++a) {
      if (a * a + a * b + b * b < 7) continue;
      const auto steps = [&](std::size_t n) {
        return EjSinglePortTree(EisensteinJacobiNetwork(a, b, n), {}).promise()->startups;
      };
      for (const std::size_t n : {2U, 3U, 4U}) EXPECT_EQ(steps(n), n * steps(1)) << a << "+" << b;
    }
}

TEST(EjSinglePortTree, RefusesMoreListsThanItKeeps) {
  EXPECT_THROW(EjSinglePortTree(EisensteinJacobiNetwork(600, 601, 1), {}), InvalidParameter);
  EXPECT_NO_THROW(EjSinglePortTree(EisensteinJacobiNetwork(3, 4, 12), {}));
}

}  // namespace
}  // namespace lockstep
