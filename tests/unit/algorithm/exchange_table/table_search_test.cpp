// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/table_search.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "algorithm/exchange_table/exchange_table.hpp"
#include "algorithm/exchange_table/table_check.hpp"
#include "lockstep/core/errors.hpp"
#include "support/slow_table_check.hpp"

namespace lockstep {
namespace {

constexpr double long_enough = 60;

/// Found, valid by the independent check too, and optimal when completed.
void expect_found(std::size_t n, TableKind kind, const TableSearchOptions& options) {
  const TableSearchResult result = search_base_block(n, kind, options);
  ASSERT_TRUE(result.base) << n << " " << name(kind);
  EXPECT_EQ(result.base->symbols, n);
  EXPECT_EQ(result.base->kind, base_of(kind));
  EXPECT_EQ(result.base->columns, result.columns);
  EXPECT_EQ(word_count(*result.base), result.words);
  EXPECT_TRUE(test::is_valid_table(*result.base));
  EXPECT_TRUE(check_optimality(*result.base).empty());
  EXPECT_GE(result.restarts, 1U);
  EXPECT_EQ(result.full_columns, result.columns);
  EXPECT_EQ(assemble_exchange_table(*result.base).columns, lower_bound_columns(n, kind));
}

TEST(TableSearch, FindsTheSmallOnesWithAnySeed) {
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (std::size_t n = 3; n <= 6; ++n)
      for (const TableKind kind : {TableKind::total, TableKind::odd})
        expect_found(n, kind, {.seed = seed, .seconds = long_enough});
}

TEST(TableSearch, FindsEightTotal) {
  for (const std::uint64_t seed : {1U, 3U})
    expect_found(8, TableKind::total, {.seed = seed, .workers = 2, .seconds = long_enough});
}

TEST(TableSearch, FindsSevenTotal) {
  for (const std::uint64_t seed : {3U, 5U})
    expect_found(7, TableKind::total, {.seed = seed, .workers = 2, .seconds = long_enough});
}

TEST(TableSearch, FindsEightOddWithoutSearching) {
  const TableSearchResult result = search_base_block(8, TableKind::odd, {.seconds = long_enough});
  ASSERT_TRUE(result.base);
  EXPECT_EQ(result.columns, 0U);
  EXPECT_EQ(assemble_exchange_table(*result.base).columns, 20'016U);
}

/// With other fillers, single words among them, and with blanks to spend.
TEST(TableSearch, OtherFillers) {
  for (const std::size_t n : {3U, 4U, 5U, 6U}) {
    expect_found(n, TableKind::total, {.seconds = long_enough, .fillers = {1, 2, 3}});
    expect_found(n, TableKind::odd, {.seconds = long_enough, .fillers = {3, 1}});
  }
  expect_found(3, TableKind::total, {.seconds = long_enough, .fillers = {1}});
}

/// The blocks that are built in came from these seeds.
TEST(TableSearch, OneWorkerAndTheSeedDecideTheResult) {
  for (const std::size_t n : {7U, 8U}) {
    const TableSearchOptions options{.seed = 1, .workers = 1, .seconds = long_enough};
    const TableSearchResult one = search_base_block(n, TableKind::total, options);
    const TableSearchResult two = search_base_block(n, TableKind::total, options);
    ASSERT_TRUE(one.base && two.base);
    EXPECT_EQ(*one.base, *two.base);
    EXPECT_EQ(one.restarts, two.restarts);
    EXPECT_EQ(*one.base, optimal_exchange_table(n, TableKind::base_total));
  }
  const TableSearchResult other =
      search_base_block(8, TableKind::total, {.seed = 2, .seconds = long_enough});
  ASSERT_TRUE(other.base);
  EXPECT_NE(*other.base, optimal_exchange_table(8, TableKind::base_total));
}

/// A block of single letters beside the exceptional words of n = 9 does not come in that time.
TEST(TableSearch, EndsWhenTimeIsUpOrWhenAsked) {
  TableSearchProgress progress;
  const TableSearchResult late = search_base_block(
      9, TableKind::total, {.workers = 2, .seconds = 0.05, .progress = &progress});
  EXPECT_FALSE(late.base);
  EXPECT_EQ(late.columns, 453U);
  EXPECT_LT(late.full_columns, late.columns);
  EXPECT_EQ(progress.restarts.load(), late.restarts);
  EXPECT_EQ(progress.full_columns.load(), late.full_columns);

  std::stop_source stop;
  const std::jthread asker([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  EXPECT_FALSE(search_base_block(9, TableKind::odd, {.workers = 2, .stop = stop.get_token()}).base);
}

TEST(TableSearch, RefusesWhatItCannotSearch) {
  const auto refused = [](std::size_t n, TableKind kind, const TableSearchOptions& options) {
    EXPECT_THROW((void)search_base_block(n, kind, options), InvalidParameter) << n;
  };
  for (const std::size_t n : {0U, 2U, 13U}) refused(n, TableKind::total, {});
  refused(5, TableKind::base_total, {});
  refused(5, TableKind::base_odd, {});
  refused(5, TableKind::total, {.workers = 0});
  refused(5, TableKind::total, {.workers = 1025});
  refused(5, TableKind::total, {.seconds = 0});
  refused(5, TableKind::total, {.seconds = -1});
  refused(5, TableKind::total, {.seconds = std::nan("")});
  refused(5, TableKind::total, {.fillers = {0}});
  refused(5, TableKind::total, {.fillers = {7}});
  refused(5, TableKind::total, {.fillers = {1, 1}});
  refused(5, TableKind::odd, {.fillers = {2}});
  refused(12, TableKind::total, {.fillers = {9}});  // millions of nodes
}

}  // namespace
}  // namespace lockstep
