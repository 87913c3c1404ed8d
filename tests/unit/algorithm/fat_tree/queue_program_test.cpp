// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/queue_program.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "lockstep/machine/detail/machine_memory.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {
namespace {

/// Every switch has as many slots as it needs: where they begin takes memory, too.
TEST(FatTreeQueues, PlacesOfTheirSlotsAreForeseen) {
  constexpr MachineSize size{.nodes = 9, .degree = 3, .arcs = 27};
  ProgramFacts facts = facts_of<FatTreeQueues>();
  const std::uint64_t bytes = machine_bytes({}, facts, size, {});
  facts.uneven = false;
  EXPECT_EQ(bytes, machine_bytes({}, facts, size, {}) + 10 * sizeof(std::uint64_t));
}

/// n - N_(i-1) messages pass a switch above the root, all that are made below any other.
TEST(FatTreeQueues, GatherHasASlotForEveryMessageThatPasses) {
  const FatTree tree({2, 3, 4}, {.name = "constant"});
  const FatTreeQueues program(tree, FatTreeDiscipline::greedy, Operation::gather, 9);
  const auto slots = [&](std::size_t level, std::uint64_t number) {
    return program.blocks_of(tree.node({level, number}), Region{0});
  };
  EXPECT_EQ(slots(1, 4), 24U - 1);
  EXPECT_EQ(slots(1, 0), 2U);
  EXPECT_EQ(slots(2, 1), 24U - 2);
  EXPECT_EQ(slots(2, 3), 6U);
  EXPECT_EQ(slots(3, 0), 24U - 6);
  EXPECT_EQ(program.regions().front(), 23U);
}

TEST(FatTreeQueues, SlotsOfAllAreThoseOfEveryNode) {
  const FatTree tree({2, 3, 4}, {.name = "constant"});
  const Xgft with_columns({2, 3, 4}, {1, 3, 2});
  for (const SwitchTree& network : std::vector<SwitchTree>{tree, with_columns})
    for (const Operation operation : {Operation::broadcast, Operation::gather,
                                      Operation::all_gather, Operation::total_exchange})
      for (std::uint64_t root = 0; root < network.processor_count(); ++root) {
        const FatTreeQueues program(network, FatTreeDiscipline::greedy, operation, root);
        std::uint64_t all = 0;
        for (std::uint64_t u = 0; u < network.node_count(); ++u)
          all += program.blocks_of(NodeId{u}, Region{0});
        EXPECT_EQ(program.blocks_of_all(), all) << name_of(operation) << " " << root;
      }
}

}  // namespace
}  // namespace lockstep
