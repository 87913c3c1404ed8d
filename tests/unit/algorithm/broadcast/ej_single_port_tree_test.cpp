// SPDX-License-Identifier: Apache-2.0
#include "algorithm/broadcast/ej_single_port_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithm/broadcast/ej_tree_broadcasts.hpp"
#include "lockstep/topology/build_network.hpp"
#include "support/fewest_single_port_steps.hpp"
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

TEST(EjSinglePortTree, NoOrderOfTheChildrenIsFasterOnThisTree) {
  for (const EisensteinJacobiNetwork& network : std::vector<EisensteinJacobiNetwork>{
           {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {2, 2, 1}, {0, 4, 1}, {2, 4, 1}, {5, 6, 1}}) {
    EXPECT_EQ(EjSinglePortTree(network, {}).promise()->startups,
              test::fewest_single_port_steps(tree_of(network), 0))
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
