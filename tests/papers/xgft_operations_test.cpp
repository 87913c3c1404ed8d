// SPDX-License-Identifier: Apache-2.0

/// k-ary n-trees and other XGFTs, whose switches are nodes of their own. Total exchange: what a fat
/// tree of as many links can do is done on single links. The other operations: on a spanning tree.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep::test {
namespace {

struct Exchange {
  RunResult result;
  std::uint64_t bound = 0;
  SendTrace trace{};
};

/// Without an algorithm the one of the fewest message times: one block per message.
Exchange exchange_on(const std::string& network, const std::string& algorithm = "") {
  const auto run = prepare({.topology = network,
                            .operation = Operation::total_exchange,
                            .algorithm = algorithm,
                            .costs = {.t_s = 0},
                            .block_bytes = 8,
                            .executor = ExecutorKind::serial});
  Exchange all;
  all.result = run->execute({.trace = &all.trace});
  all.bound = run->forecast().lower_bound->undivided.message_times.rounded_up();
  EXPECT_TRUE(all.result.ok()) << network << ", " << algorithm;
  return all;
}

/// n + 2h - 2 steps, for k = 2, h >= 3 one less: the counting bound, and that of the fat tree of
/// exponential capacities.
TEST(XgftOperations, ByDigitsKAryTreesTakeTheStepsOfTheFatTree) {
  for (const auto& [k, h] : {std::pair{2, 1},
                             {2, 2},
                             {2, 3},
                             {2, 4},
                             {2, 5},
                             {2, 6},
                             {3, 2},
                             {3, 3},
                             {4, 2},
                             {4, 3},
                             {5, 2},
                             {8, 2}}) {
    std::uint64_t leaves = 1;
    for (int i = 0; i < h; ++i) leaves *= static_cast<std::uint64_t>(k);
    const std::string size = std::to_string(k) + "^" + std::to_string(h);
    const std::uint64_t steps = leaves + 2 * static_cast<std::uint64_t>(h) - 2;
    const Exchange exchange = exchange_on("kary-tree:" + size);
    EXPECT_EQ(exchange.result.record.steps, steps - (k == 2 && h >= 3 ? 1 : 0)) << size;
    EXPECT_EQ(exchange.result.record.steps, exchange.bound) << size;
    const Exchange in_one = exchange_on("fat-tree:" + size + ",exponential");
    EXPECT_EQ(exchange.result.record.steps, in_one.result.record.steps) << size;
    EXPECT_EQ(exchange.trace.size(), in_one.trace.size()) << size;
    EXPECT_EQ(exchange_on("kary-tree:" + size, "digitwise").result.record.steps, steps) << size;
  }
}

/// Counted from what was sent, beside the machine's own rule.
TEST(XgftOperations, NoLinkCarriesTwoMessagesInAStep) {
  for (const char* const network : {"kary-tree:2^4", "kary-tree:3^3", "xgft:2;2,3;1,2"}) {
    const AnyTopology topology = make_topology(network);
    std::set<std::tuple<std::uint64_t, NodeId, NodeId>> used;
    for (const SendEvent& event : exchange_on(network).trace) {
      EXPECT_EQ(event.blocks, 1U);
      EXPECT_TRUE(used.emplace(event.step, event.sender, event.receiver).second)
          << network << ": step " << event.step << ", node " << index(event.sender);
    }
    EXPECT_FALSE(used.empty());
  }
}

/// Mixed arities, more parents than children.
TEST(XgftOperations, ByDigitsWholeXgftsReachTheBound) {
  for (const char* const network :
       {"xgft:2;2,3;1,2", "xgft:3;3,2,2;1,3,2", "xgft:3;2,3,2;1,3,4", "xgft:2;4,2;1,4"}) {
    const Exchange exchange = exchange_on(network, "class-sequence");
    EXPECT_EQ(exchange.result.record.steps, exchange.bound) << network;
  }
}

/// By more than one link of a leaf its messages can leave at a time: first fit is preferred.
TEST(XgftOperations, ByDigitsLeavesHaveOneParent) {
  const Exchange exchange = exchange_on("xgft:2;3,2;2,3");
  EXPECT_EQ(exchange.result.forecast.algorithm.name, "first-fit");
  EXPECT_EQ(exchange.result.record.steps, exchange.bound);
  EXPECT_LT(exchange.bound, exchange_on("kary-tree:3^2").bound);
}

/// Tapered: from one link above all subtrees to nearly whole. By first fit over single links, how
/// far above what branches of as many lanes allow; the last two are the worst of 1,800.
TEST(XgftOperations, ByFirstFitTaperedXgftsEndNearTheCutBound) {
  struct Tapered {
    const char* network;
    std::uint64_t above;
  };
  for (const auto& [network, above] : {Tapered{"xgft:3;4,4,4;1,2,2", 0},
                                       {"xgft:3;4,4,4;1,1,2", 0},
                                       {"xgft:4;2,2,2,2;1,1,2,1", 2},
                                       {"xgft:4;2,2,2,2;1,2,1,2", 0},
                                       {"xgft:3;4,3,2;1,2,3", 0},
                                       {"xgft:3;3,3,3;1,2,2", 1},
                                       {"xgft:2;8,8;1,4", 0},
                                       {"xgft:2;8,8;1,3", 0},
                                       {"xgft:4;3,3,3,3;1,2,2,2", 2},
                                       {"xgft:3;4,4,4;2,2,2", 0},
                                       {"xgft:3;4,4,4;1,1,1", 0},
                                       {"kary-tree:4^3", 0},
                                       {"kary-tree:2^4", 1},
                                       {"xgft:3;4,4,2;1,4,2", 7},
                                       {"xgft:4;3,3,3,2;1,1,1,2", 41}}) {
    const Exchange exchange = exchange_on(network, "first-fit");
    EXPECT_EQ(exchange.result.record.steps, exchange.bound + above) << network;
  }
}

TEST(XgftOperations, OnASpanningTreeCostWhatTheyCostInTheFatTree) {
  for (const auto& [network, tree] : {std::pair{"kary-tree:2^4", "fat-tree:2^4"},
                                      {"kary-tree:3^3", "fat-tree:3^3"},
                                      {"xgft:3;4,2,3;1,2,2", "fat-tree:4x2x3"},
                                      {"xgft:2;5,2;3,2", "fat-tree:5x2"}})
    for (const auto& [operation, algorithm] : {std::pair{Operation::broadcast, "flooding"},
                                               {Operation::broadcast, "parent-first"},
                                               {Operation::scatter, "furthest-first"},
                                               {Operation::gather, "reversed"},
                                               {Operation::gather, "greedy"},
                                               {Operation::all_gather, "ascending"},
                                               {Operation::all_gather, "descending"},
                                               {Operation::all_gather, "flooding"},
                                               {Operation::all_gather, "in-turn"},
                                               {Operation::total_exchange, "up-first"}}) {
      SCOPED_TRACE(std::string(network) + " " + algorithm);
      RunRequest request{.operation = operation,
                         .algorithm = algorithm,
                         .block_bytes = 8,
                         .executor = ExecutorKind::serial};
      if (has_root(operation)) request.settings[root_parameter.name] = std::uint64_t{5};
      request.topology = network;
      const RunResult on_xgft = prepare(request)->execute();
      request.topology = tree;
      const RunResult on_tree = prepare(request)->execute();
      EXPECT_TRUE(on_xgft.ok());
      EXPECT_EQ(on_xgft.record.steps, on_tree.record.steps);
      EXPECT_EQ(on_xgft.record.hops, on_tree.record.hops);
      EXPECT_EQ(on_xgft.record.queues, on_tree.record.queues);
    }
}

}  // namespace
}  // namespace lockstep::test
