// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "algorithm/fat_tree/delivered_exchanges.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {
namespace {

/// 4 bytes for each of the 64 messages between the halves, whose 3 lanes do not divide 8 leaves;
/// those of lower levels are cut evenly.
TEST(FatTreePhasePlan, KeepsAWindowForEveryMessageThatWasFitted) {
  const FatTree tree({2, 2, 2, 2}, {.list = {1, 1, 2, 3}});
  const FatTreePhasePlan plan(tree, true);
  EXPECT_EQ(plan.phase(4).width, 3U);
  EXPECT_EQ(plan.phase(4).fitted.size(), 64U);
  EXPECT_EQ(plan.bytes(), 64U * sizeof(std::uint32_t));
  EXPECT_EQ(FatTreePhasePlan(FatTree({2, 2}, {.name = "constant"}), true).bytes(), 0U);
}

TEST(FatTreePhasePlan, RefusesBeforeItFills) {
  const FatTree tree(std::vector<std::uint64_t>(16, 2), {.name = "linear"});
  EXPECT_THROW(FatTreePhasePlan(tree, true), ResourceExhausted);
}

/// Windows that are full are forgotten: none takes more than fits.
TEST(FatTreePhasePlan, FitsNoMoreIntoAWindowThanItsLanes) {
  const FatTree tree({2, 3, 2, 2}, {.list = {1, 2, 4, 5}});
  const FatTreePhasePlan plan(tree, true);
  for (std::size_t level = 1; level <= tree.height(); ++level) {
    const FatTreePhasePlan::Phase& phase = plan.phase(level);
    std::vector<std::uint64_t> carried(phase.windows);
    for (const std::uint32_t window : phase.fitted)
      EXPECT_LE(++carried.at(window), phase.width) << level;
  }
}

}  // namespace
}  // namespace lockstep
