// SPDX-License-Identifier: Apache-2.0

/// Leaves with several lanes, which the thesis leaves open (section 6.3.4, chapter 7): what can
/// reach a leaf bounds scatter, gather and all-gather, and is attained.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep::test {
namespace {

/// k, h, and c_i = c_1, or c_1 k^(i-1).
struct Lanes {
  std::uint64_t k;
  std::uint64_t h;
  std::uint64_t first;
  bool grow;
};

std::vector<Lanes> all_lanes() {
  std::vector<Lanes> all;
  for (const auto& [k, h] :
       {std::pair{2, 3}, {2, 4}, {2, 6}, {3, 2}, {3, 3}, {4, 2}, {4, 3}, {5, 2}})
    for (const std::uint64_t first : {2U, 3U, 4U})
      for (const bool grow : {false, true})
        all.push_back({static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(h), first, grow});
  return all;
}

std::string name_of(const Lanes& tree) {
  std::string name = fmt::format("fat-tree:{}^{}", tree.k, tree.h);
  std::uint64_t capacity = tree.first;
  for (std::uint64_t i = 0; i < tree.h; ++i) {
    name += fmt::format("{}{}", i == 0 ? "," : ".", capacity);
    if (tree.grow) capacity *= tree.k;
  }
  return name;
}

RunResult result_of(const Lanes& tree, Operation operation, const std::string& algorithm) {
  const RunResult result = prepare({.topology = name_of(tree),
                                    .operation = operation,
                                    .algorithm = algorithm,
                                    .block_bytes = 8,
                                    .executor = ExecutorKind::serial})
                               ->execute();
  EXPECT_TRUE(result.ok()) << name_of(tree) << ", " << algorithm;
  return result;
}

/// max over i of ceil((n - k^(i-1)) / c_1) + 2i - 1.
std::uint64_t steps_with_lanes(const Lanes& tree) {
  std::uint64_t leaves = 1;
  for (std::uint64_t i = 0; i < tree.h; ++i) leaves *= tree.k;
  std::uint64_t steps = 0;
  std::uint64_t below = 1;
  for (std::uint64_t i = 1; i <= tree.h; ++i, below *= tree.k)
    steps = std::max(steps, (leaves - below + tree.first - 1) / tree.first + 2 * i - 1);
  return steps;
}

TEST(FatTreeLanes, LeavesThatReceiveByAllLanesReachTheBound) {
  ASSERT_EQ(all_lanes().size(), 48U);
  for (const Lanes& tree : all_lanes())
    for (const auto& [operation, algorithm] :
         {std::pair{Operation::scatter, "furthest-first-all-port"},
          {Operation::gather, "greedy-all-port"},
          {Operation::all_gather, "flooding"}}) {
      const RunResult result = result_of(tree, operation, algorithm);
      SCOPED_TRACE(name_of(tree) + ", " + algorithm);
      EXPECT_EQ(result.record.steps, steps_with_lanes(tree));
      EXPECT_EQ(result.forecast.lower_bound->undivided.message_times,
                Fraction(std::max(steps_with_lanes(tree), 2 * tree.h)));
    }
}

/// Broadcast stays 2h; total exchange by first fit at the bound where capacities are constant, at
/// most two steps above where they grow.
TEST(FatTreeLanes, OfTotalExchangeTheCountingBoundHolds) {
  for (const Lanes& tree : all_lanes()) {
    if (tree.k == 2 && tree.h == 6) continue;  // a plan of many steps
    EXPECT_EQ(result_of(tree, Operation::broadcast, "flooding").record.steps, 2 * tree.h);
    const RunResult result = result_of(tree, Operation::total_exchange, "first-fit");
    const std::uint64_t bound = result.forecast.lower_bound->undivided.message_times.rounded_up();
    EXPECT_GE(result.record.steps, bound) << name_of(tree);
    EXPECT_LE(result.record.steps, bound + (tree.grow ? 2 : 0)) << name_of(tree);
  }
}

}  // namespace
}  // namespace lockstep::test
