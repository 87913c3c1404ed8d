// SPDX-License-Identifier: Apache-2.0

/// How the nodes of a network are divided among processes, and what these exchange.

#include "lockstep/machine/processes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "lockstep/machine/detail/wire.hpp"
#include "support/thread_processes.hpp"

namespace lockstep::test {
namespace {

TEST(Processes, OwnEveryNodeOnce) {
  for (std::uint64_t nodes = 1; nodes < 40; ++nodes)
    for (std::size_t count = 1; count <= nodes; ++count) {
      std::uint64_t next = 0;
      for (std::size_t rank = 0; rank < count; ++rank) {
        const NodeRange own = nodes_of(rank, count, nodes);
        EXPECT_EQ(own.first, next);
        EXPECT_GE(own.last - own.first, nodes / count);
        EXPECT_LE(own.last - own.first, nodes / count + 1);
        for (; next < own.last; ++next) EXPECT_EQ(process_of(NodeId{next}, count, nodes), rank);
      }
      EXPECT_EQ(next, nodes);
    }
}

TEST(Processes, OwnNodesOfTheLargestNetworks) {
  constexpr std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  constexpr std::size_t count = 1000;
  EXPECT_EQ(nodes_of(0, count, nodes).first, 0U);
  EXPECT_EQ(nodes_of(count - 1, count, nodes).last, nodes);
  for (std::size_t rank = 0; rank < count; ++rank) {
    const NodeRange own = nodes_of(rank, count, nodes);
    EXPECT_EQ(process_of(NodeId{own.first}, count, nodes), rank);
    EXPECT_EQ(process_of(NodeId{own.last - 1}, count, nodes), rank);
    EXPECT_TRUE(own.holds(NodeId{own.first}));
    EXPECT_FALSE(own.holds(NodeId{own.last}));
  }
}

TEST(Processes, GatherInTheirOrder) {
  constexpr std::size_t count = 4;
  ThreadProcesses(count).run([](Processes& processes) {
    const auto rank = static_cast<std::uint32_t>(processes.rank());
    std::vector<std::uint32_t> expected(count);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(detail::gathered(processes, rank), expected);

    const std::vector<std::uint32_t> own(rank, rank);  // process 0 has none
    EXPECT_EQ(detail::gathered(processes, std::span<const std::uint32_t>(own)),
              (std::vector<std::uint32_t>{1, 2, 2, 3, 3, 3}));
  });
}

}  // namespace
}  // namespace lockstep::test
