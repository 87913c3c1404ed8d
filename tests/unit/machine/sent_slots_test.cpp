// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/sent_slots.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <set>
#include <vector>

#include "support/cases.hpp"

namespace lockstep::detail {
namespace {

using test::Random;
using test::uniform;

/// Slots of two regions, the highest numbers among them.
Blocks some_blocks(Random& random) {
  const auto region = static_cast<Region>(uniform(random, 0, 1) * 63);
  const auto count = static_cast<std::uint32_t>(uniform(random, 1, 3));
  const std::uint32_t base = uniform(random, 0, 3) == 0 ? max_region_blocks - 12 : 0;
  return {region, base + static_cast<std::uint32_t>(uniform(random, 0, 9)), count};
}

/// Against a set of numbers, for several nodes that share a list; before and after the slots
/// of one of them are marked.
TEST(SentSlots, KnowWhatWasSent) {
  const auto check = [](Random random) {
    ListedRanges list;
    std::vector<SentSlots> nodes(4);
    std::vector<std::set<std::uint32_t>> sent(nodes.size());
    std::deque<std::vector<std::uint32_t>> lists;
    for (std::uint64_t u = 0; u < nodes.size(); ++u)
      for (std::uint64_t i = uniform(random, 0, 5); i > 0; --i) {
        const Blocks blocks = some_blocks(random);
        const SlotRange range = SlotRange::of(blocks);
        if (uniform(random, 0, 1) == 0) {
          nodes[u].add(range, NodeId{u}, list);
          for (std::uint32_t slot = range.first; slot < range.last; ++slot) sent[u].insert(slot);
          continue;
        }
        std::vector<std::uint32_t>& slots = lists.emplace_back();
        for (std::uint32_t slots_left = blocks.count; slots_left > 0; --slots_left)
          slots.push_back(blocks.first + static_cast<std::uint32_t>(uniform(random, 0, 2)));
        nodes[u].add(blocks.region, slots, NodeId{u}, list);
        for (const std::uint32_t slot : slots)
          sent[u].insert(SlotRange::of({blocks.region, slot, 1}).first);
      }
    for (std::uint64_t u = 0; u < nodes.size(); ++u)
      for (int i = 0; i < 20; ++i) {
        if (i == 10) nodes[u].mark(NodeId{u}, list);
        const SlotRange range = SlotRange::of(some_blocks(random));
        const auto first = sent[u].lower_bound(range.first);
        const bool any = first != sent[u].end() && *first < range.last;
        const SlotRange lowest = nodes[u].lowest_in(range, NodeId{u}, list);
        ASSERT_EQ(lowest.last != 0, any);
        if (!any) continue;
        EXPECT_TRUE(nodes[u].hull().meets(range));
        EXPECT_EQ(lowest.first, *first);
      }
  };
  test::for_all(
      200, [](Random& random) { return random; }, check);
}

TEST(SentSlots, NameRegionAndSlot) {
  const SlotRange range = SlotRange::of({Region{63}, max_region_blocks - 1, 1});
  EXPECT_EQ(range.region(), Region{63});
  EXPECT_EQ(range.slot(), max_region_blocks - 1);
  EXPECT_FALSE(SlotRange{}.meets(range));
  EXPECT_FALSE(SlotRange::of({Region{0}, max_region_blocks - 1, 1})
                   .touches(SlotRange::of({Region{1}, 0, 1})));
}

}  // namespace
}  // namespace lockstep::detail
