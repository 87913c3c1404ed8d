// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/bipartition.hpp"

#include <gtest/gtest.h>

#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {
namespace {

TEST(Bipartition, IsTheParityOfTheDistance) {
  const StarGraph star(5);
  const Bipartition classes(star);
  for (std::uint64_t u = 0; u < star.node_count(); ++u)
    EXPECT_EQ(classes.is_odd(NodeId{u}), star.distance(NodeId{0}, NodeId{u}) % 2 == 1) << u;
}

TEST(Bipartition, OfSmallNetworks) {
  EXPECT_FALSE(Bipartition(LinearArray(1)).is_odd(NodeId{0}));
  EXPECT_TRUE(Bipartition(LinearArray(2)).is_odd(NodeId{1}));
  EXPECT_TRUE(Bipartition(Ring(66)).is_odd(NodeId{65}));
  EXPECT_FALSE(Bipartition(Hypercube(7)).is_odd(NodeId{0b1100101}));
}

TEST(Bipartition, RefusesCyclesOfOddLength) {
  EXPECT_THROW(Bipartition(Ring(7)), InvalidParameter);
  EXPECT_THROW(Bipartition(CompleteGraph(3)), InvalidParameter);
}

TEST(Bipartition, SaysWhatItTakes) {
  EXPECT_EQ(Bipartition::bytes(64), 8U);
  EXPECT_EQ(Bipartition::bytes(65), 16U);
}

}  // namespace
}  // namespace lockstep
