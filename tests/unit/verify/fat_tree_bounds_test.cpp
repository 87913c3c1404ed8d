// SPDX-License-Identifier: Apache-2.0
#include "verify/fat_tree_bounds.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {
namespace {

FatTree tree_of(std::vector<std::uint64_t> arities, const std::string& capacities = "constant") {
  return {std::move(arities), {.name = capacities}};
}

template <class Tree>
Cost least(Operation operation, const Tree& tree, const PortModel& model) {
  return lower_bound({operation}, tree, model)->least;
}
template <class Tree>
Cost undivided(Operation operation, const Tree& tree, const PortModel& model) {
  return lower_bound({operation}, tree, model)->undivided;
}

/// The way to the first block and from the last counts for whole blocks alone.
TEST(FatTreeBounds, OfOneSendGoByWhatASwitchSends) {
  const FatTree tree = tree_of({3, 3});
  const PortModel& one = port_models::single_port_send;
  // A lower switch: 2 x 3 x 6 blocks for leaves elsewhere, 3 x 2 that turn; the root 9 x 6.
  EXPECT_EQ(least(Operation::total_exchange, tree, one), (Cost{4, 54}));
  EXPECT_EQ(undivided(Operation::total_exchange, tree, one), (Cost{4, 57}));
  EXPECT_EQ(least(Operation::all_gather, tree, one), (Cost{4, 27}));
  EXPECT_EQ(undivided(Operation::all_gather, tree, one), (Cost{4, 28}));
  EXPECT_EQ(least(Operation::scatter, tree, one), (Cost{4, 8}));
  EXPECT_EQ(undivided(Operation::scatter, tree, one), (Cost{4, 9}));
  EXPECT_EQ(least(Operation::broadcast, tree, one), (Cost{7, 3}));
  EXPECT_EQ(undivided(Operation::broadcast, tree, one), (Cost{7, 7}));
  EXPECT_EQ(lower_bound({Operation::total_exchange}, tree, one)->message_times_by,
            "sends of a switch");
}

TEST(FatTreeBounds, OfASingleSwitch) {
  const FatTree tree = tree_of({5});
  EXPECT_EQ(least(Operation::broadcast, tree, port_models::single_port_send), (Cost{5, 4}));
  EXPECT_EQ(least(Operation::broadcast, tree, port_models::all_port), (Cost{2, 1}));
  EXPECT_EQ(least(Operation::total_exchange, tree, port_models::single_port_send), (Cost{2, 20}));
  EXPECT_EQ(least(Operation::total_exchange, tree, port_models::all_port), (Cost{2, 4}));
}

/// Both ways share a lane.
TEST(FatTreeBounds, OfHalfDuplexCountBothWays) {
  const FatTree tree = tree_of({2, 2, 2});
  const PortModel& half = port_models::all_port_half_duplex;
  EXPECT_EQ(least(Operation::total_exchange, tree, port_models::all_port), (Cost{6, 16}));
  EXPECT_EQ(least(Operation::total_exchange, tree, half), (Cost{6, 32}));
  EXPECT_GE(undivided(Operation::total_exchange, tree, half).message_times, 32U);
  EXPECT_EQ(least(Operation::all_gather, tree, half), (Cost{6, 8}));
  EXPECT_EQ(least(Operation::all_reduce, tree, half), (Cost{6, 2}));
}

/// A leaf sends and receives through all its lanes; what does not fill them does not hold more up.
TEST(FatTreeBounds, OfManyLanesGoByThoseThatAreFilled) {
  const FatTree wide({2, 3}, {.list = {2, 8}});
  EXPECT_EQ(wide.effective_capacity(2), 4U);
  EXPECT_EQ(least(Operation::total_exchange, wide, port_models::all_port),
            (Cost{4, Fraction(5, 2)}));
  EXPECT_EQ(least(Operation::scatter, wide, port_models::all_port), (Cost{4, Fraction(5, 2)}));
  const Xgft many({2, 3}, {1, 4});
  EXPECT_EQ(many.effective_capacity(2), 2U);
  EXPECT_EQ(least(Operation::total_exchange, many, port_models::all_port), (Cost{4, 5}));
}

/// Switches may combine, so that only what a leaf sends and receives counts.
TEST(FatTreeBounds, OfReductionsGoByTheLeaves) {
  const Xgft tree({2, 2}, {2, 1});
  EXPECT_EQ(least(Operation::reduce, tree, port_models::all_port), (Cost{4, Fraction(1, 2)}));
  EXPECT_EQ(least(Operation::reduce, tree, port_models::single_port), (Cost{4, 1}));
  EXPECT_EQ(least(Operation::reduce_scatter, tree, port_models::all_port),
            (Cost{4, Fraction(3, 2)}));
  EXPECT_EQ(undivided(Operation::scan, tree, port_models::all_port), (Cost{4, 4}));
}

TEST(FatTreeBounds, AreNoneOfWormholesAndPatterns) {
  const FatTree tree = tree_of({2, 2});
  EXPECT_FALSE(lower_bound({Operation::scatter}, tree, port_models::all_port_wormhole));
  EXPECT_FALSE(lower_bound({Operation::many_to_all}, tree, port_models::all_port));
}

}  // namespace
}  // namespace lockstep
