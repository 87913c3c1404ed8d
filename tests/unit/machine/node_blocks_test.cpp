// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/node_blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep::detail {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

[[nodiscard]] Ranges blocks_of(const NodeBlocks& blocks, std::uint64_t first, std::uint64_t last,
                               std::uint64_t ports, std::uint64_t least = 1) {
  Ranges all;
  blocks.for_each(first, last, ports, least,
                  [&](std::uint64_t from, std::uint64_t to) { all.emplace_back(from, to); });
  return all;
}

TEST(CrossingPorts, OfTheCubeAreThoseOfTheDimensionsThatLeaveABlock) {
  EXPECT_THAT(crossing_ports(Hypercube(3)), ElementsAre(0, 7, 6, 7, 4, 7, 6, 7));
}

TEST(CrossingPorts, OfTheRingAreBoth) {
  EXPECT_THAT(crossing_ports(Ring(4)), ElementsAre(0, 3, 3, 3));
}

/// By the definition, link by link.
TEST(CrossingPorts, AreThoseOfALinkOverThePlace) {
  const StarGraph star(4);
  const std::vector<std::uint64_t> crossing = crossing_ports(star);
  for (std::uint64_t place = 0; place < star.node_count(); ++place) {
    std::uint64_t ports = 0;
    for (std::uint64_t u = 0; u < place; ++u)
      for (std::size_t p = 0; p < star.max_degree(); ++p)
        if (index(star.neighbor(NodeId{u}, port(p))) >= place) ports |= std::uint64_t{1} << p;
    EXPECT_EQ(crossing[place], ports) << place;
  }
  EXPECT_EQ(crossing[6], 4U);  // whoever exchanges the last symbol leaves his substar
}

TEST(NodeBlocks, AreWholeGroupsThatNoMessageLeaves) {
  NodeBlocks blocks(crossing_ports(Hypercube(4)), 8, 4);
  EXPECT_EQ(blocks_of(blocks, 0, 16, 3), (Ranges{{0, 4}, {4, 8}, {8, 12}, {12, 16}}));
  EXPECT_EQ(blocks_of(blocks, 0, 16, 7), (Ranges{{0, 8}, {8, 16}}));
  EXPECT_EQ(blocks_of(blocks, 8, 16, 4), (Ranges{{8, 16}}));
  EXPECT_EQ(blocks_of(blocks, 0, 16, 0, 5), (Ranges{{0, 8}, {8, 16}}));
  EXPECT_EQ(blocks_of(blocks, 0, 16, 0, 100), (Ranges{{0, 16}}));
  EXPECT_EQ(blocks.largest(3), 4U);
  EXPECT_EQ(blocks.largest(7), 8U);
  EXPECT_GT(blocks.largest(8), 16U);  // from task to task
}

TEST(NodeBlocks, GroupsEndWhereFewPortsCross) {
  const NodeBlocks blocks(crossing_ports(StarGraph(5)), 60, 40);
  const std::uint64_t* const ends = blocks.group_ends(0);
  EXPECT_EQ(std::vector(ends, ends + 4), (std::vector<std::uint64_t>{24, 60, 96, 120}));
  EXPECT_EQ(*blocks.group_ends(60), 96U);
}

TEST(NodeBlocks, ATaskIsALittleLargerIfThenFewerPortsLeadOutOfIt) {
  const std::vector<std::uint64_t> star = crossing_ports(StarGraph(7));
  EXPECT_EQ(NodeBlocks::better_task_size(star, 2520), 2520U);
  EXPECT_EQ(NodeBlocks::better_task_size(star, 1260), 1320U);  // 11 substars of 120 nodes
  EXPECT_EQ(NodeBlocks::better_task_size(crossing_ports(Ring(100)), 34), 34U);
}

}  // namespace
}  // namespace lockstep::detail
