// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/delivery_program.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "catalog/programs/programs.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep {
namespace {

struct Message {
  std::uint64_t step;
  std::uint64_t source;
  FatTreeWays::Way way;
};

/// The record of the machine for these messages of a total exchange.
RunRecord record_of(const Xgft& tree, const std::vector<Message>& messages) {
  const FatTreeWays ways(tree, FatTreeColumns::all);
  const auto plan = std::make_shared<InjectionTimes>([&](const InjectionTimes::Inject& inject) {
    for (const Message& one : messages) inject(one.step, one.source, ways.word(one.way));
  });
  const auto program =
      catalog::any_program<SwitchTree>(tree, FatTreeDelivery(tree, FatTreeColumns::all, plan));
  ProvingHost host({.collective = {Operation::total_exchange},
                    .processors = tree.processor_count(),
                    .verify = VerifyKind::exact});
  const Network network = build_network(tree);
  const auto machine = program->machines().machine(ChannelKind::slot, network, host,
                                                   {.model = port_models::all_port});
  return machine->run(*make_executor(ExecutorKind::serial, 1));
}

TEST(FatTreeWays, WordsTellDestinationAndColumn) {
  const Xgft tree({3, 2, 4}, {1, 3, 2});
  const FatTreeWays ways(tree, FatTreeColumns::all);
  std::set<std::uint64_t> words;
  for (std::uint64_t to = 0; to < 24; ++to)
    for (std::uint64_t column = 0; column < 6; ++column) {
      const std::uint64_t word = ways.word({to, column});
      EXPECT_EQ(ways.of(word).destination, to);
      EXPECT_EQ(ways.of(word).column, column);
      words.insert(word);
    }
  EXPECT_EQ(words.size(), 24U * 6);
  EXPECT_LT(*words.rbegin(), std::uint64_t{1} << 32U);
  std::vector<std::uint64_t> parents(20, 2);
  parents.front() = 1;
  const Xgft whole(std::vector<std::uint64_t>(20, 2), parents);
  EXPECT_THROW(FatTreeWays(whole, FatTreeColumns::all), ResourceExhausted);
  EXPECT_NO_THROW(FatTreeWays(whole, FatTreeColumns::first));
}

/// Trees in which as many links lead up as down: a switch and one of its ports down.
TEST(FatTreeWays, ByDigitsALinkDownLeadsToOneDestination) {
  const Xgft tree({3, 2, 4}, {1, 3, 2});
  std::map<std::pair<NodeId, Port>, std::set<std::uint64_t>> below;
  for (std::uint64_t to = 0; to < 24; ++to)
    for (std::size_t level = 1; level <= tree.height(); ++level) {
      const std::uint64_t column = column_of_digits(tree, to) % tree.columns(level);
      const SwitchTree::Place top{level, to / tree.leaves_below(level), column};
      const Port down = tree.branch_port(level, tree.branch_towards(to, 0, top));
      below[{tree.node(top), down}].insert(to);
    }
  for (const auto& [link, destinations] : below) EXPECT_EQ(destinations.size(), 1U);
  EXPECT_EQ(below.size(), 3U * 24);
}

/// Leaves 0 and 1 share a switch, 4, which has ports 0, 1 down and 2, 3 up.
TEST(FatTreeDelivery, TwoMessagesOnALinkBreakARule) {
  const Xgft tree({2, 2}, {1, 2});
  EXPECT_TRUE(record_of(tree, {{0, 0, {2, 0}}, {0, 1, {3, 1}}}).legal());
  EXPECT_TRUE(record_of(tree, {{0, 0, {2, 0}}, {1, 1, {3, 0}}}).legal());
  const RunRecord record = record_of(tree, {{0, 0, {2, 0}}, {0, 1, {3, 0}}});
  ASSERT_FALSE(record.violations.empty());
  const Violation& first = record.violations.front();
  EXPECT_EQ(first.step, 1U);
  EXPECT_EQ(first.node, NodeId{4});
  EXPECT_EQ(first.port, Port{2});
  EXPECT_EQ(first.rule, Rule::arc_capacity);
}

}  // namespace
}  // namespace lockstep
