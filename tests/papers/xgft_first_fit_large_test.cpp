// SPDX-License-Identifier: Apache-2.0

/// Total exchange by first fit on all small XGFTs: how far from the cut bound it ends.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep::test {
namespace {

using Numbers = std::vector<std::uint64_t>;

/// All of that length, every number from `least` to `most`.
std::vector<Numbers> all_lists(std::size_t length, std::uint64_t least, std::uint64_t most) {
  std::vector<Numbers> all{{}};
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<Numbers> longer;
    for (const Numbers& list : all)
      for (std::uint64_t number = least; number <= most; ++number) {
        longer.push_back(list);
        longer.back().push_back(number);
      }
    all = std::move(longer);
  }
  return all;
}

/// XGFTs of up to 81 processors, 2 to 4 levels, leaves with one or two parents.
std::vector<std::string> small_xgfts() {
  std::vector<std::string> names;
  for (std::size_t height = 2; height <= 4; ++height)
    for (const Numbers& children : all_lists(height, 2, height < 4 ? 4 : 3)) {
      std::uint64_t leaves = 1;
      for (const std::uint64_t m : children) leaves *= m;
      if (leaves > 81) continue;
      for (const Numbers& parents : all_lists(height, 1, height < 4 ? 4 : 3))
        if (parents.front() <= 2)
          names.push_back(fmt::format("xgft:{};{};{}", height, fmt::join(children, ","),
                                      fmt::join(parents, ",")));
    }
  return names;
}

TEST(XgftFirstFitLarge, EndsAtTheCutBoundOrNearIt) {
  const std::vector<std::string> names = small_xgfts();
  std::map<std::uint64_t, std::size_t> above;  // the bound, by so many steps
  for (const std::string& name : names) {
    const RunResult result = prepare({.topology = name,
                                      .operation = Operation::total_exchange,
                                      .algorithm = "first-fit",
                                      .block_bytes = 8,
                                      .workers = 2})
                                 ->execute();
    const std::uint64_t bound = result.forecast.lower_bound->undivided.message_times.rounded_up();
    ASSERT_TRUE(result.ok()) << name;
    ASSERT_GE(result.record.steps, bound) << name;
    EXPECT_LE(5 * result.record.steps, 6 * bound) << name;
    ++above[result.record.steps - bound];
  }
  EXPECT_EQ(names.size(), 1800U);
  EXPECT_EQ(above[0], 1020U);
  EXPECT_EQ(above[1], 479U);
}

}  // namespace
}  // namespace lockstep::test
