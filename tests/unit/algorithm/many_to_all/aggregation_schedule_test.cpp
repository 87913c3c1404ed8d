// SPDX-License-Identifier: Apache-2.0

/// The schedule of an aggregation, without anything to send.

#include "algorithm/many_to_all/aggregation_schedule.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "algorithm/many_to_all/aggregation_load.hpp"
#include "algorithm/many_to_all/aggregation_program.hpp"
#include "lockstep/core/errors.hpp"
#include "support/torus_links.hpp"

namespace lockstep {
namespace {

using test::moves_and_conflicts;
using test::TorusMoves;

std::uint64_t log_up(std::uint64_t base, std::uint64_t n) {
  std::uint64_t steps = 0;
  for (std::uint64_t reached = 1; reached < n; reached *= base) ++steps;
  return steps;
}

/// Theorem 1 of the paper, errata 8 and 14.
std::uint64_t steps_of(std::uint64_t n, std::uint64_t h, bool confined) {
  const std::uint64_t row = log_up(3, confined ? 2 * h - 1 : h);
  return 3 * log_up(5, h) + 6 * log_up(5, n / h) + 4 * log_up(5, n) + row + h - 1;
}

/// The steps of `halves`, whose moves along a diagonal take a step.
std::uint64_t steps_of_halves(std::uint64_t n, std::uint64_t h) {
  return log_up(5, h) + 2 * log_up(3, h) + 4 * log_up(5, n / h) + 2 * log_up(3, n) +
         log_up(3, n / h) + h / 2;
}

constexpr AggregationVariant halves = AggregationVariant::halves;

void expect_clean(const AggregationShape& shape) {
  const TorusMoves moves = moves_and_conflicts(AggregationSchedule(shape));
  EXPECT_EQ(moves.conflicts, std::vector<std::string>{});
  EXPECT_GE(moves.links, moves.messages);
  EXPECT_GT(moves.messages, 0U);
}

TEST(GapLevels, InformEveryPointOnceFromAnInformedOne) {
  for (const std::uint32_t ways : {3U, 5U})
    for (std::uint32_t gap = 1; gap <= 60; ++gap) {
      std::set<std::uint32_t> informed{0, gap};
      const auto levels = gap_levels(gap, ways);
      EXPECT_EQ(levels.size(), log_up(ways, gap)) << gap;
      for (const auto& level : levels) {
        const std::set<std::uint32_t> before = informed;
        for (const GapService& service : level) {
          EXPECT_EQ(before.count(service.server), 1U);
          EXPECT_TRUE(informed.insert(service.served).second) << gap << ": " << service.served;
        }
      }
      EXPECT_EQ(informed.size(), gap + 1);
    }
}

TEST(GapLevels, OfTwentyFiveAreThoseOfThePaper) {
  const auto levels = gap_levels(25, 5);
  ASSERT_EQ(levels.size(), 2U);
  std::set<std::string> first;
  for (const auto& [server, served, far] : levels[0])
    first.insert(fmt::format("{}->{} {}", server, served, far ? "far" : "near"));
  EXPECT_EQ(first, (std::set<std::string>{"0->5 near", "0->10 far", "25->20 near", "25->15 far"}));
  EXPECT_EQ(levels[1].size(), 20U);
}

TEST(AggregationSchedule, TakesTheStepsOfTheTheoremAndNoLinkTwice) {
  for (std::uint32_t n = 3; n <= 40; ++n)
    for (std::uint32_t h = 1; h <= n; ++h)
      for (const bool confined : {false, true}) {
        if (n % h != 0) continue;
        EXPECT_EQ(AggregationSchedule({n, n, h, confined}).steps().size(), steps_of(n, h, confined))
            << n << ", " << h;
        expect_clean({n, n, h, confined});
      }
}

TEST(AggregationSchedule, OfHalvesTakesItsStepsAndNoLinkTwice) {
  for (std::uint32_t n = 3; n <= 40; ++n)
    for (std::uint32_t h = 1; h <= n; ++h) {
      if (n % h != 0) continue;
      EXPECT_EQ(AggregationSchedule({n, n, h, false, halves}).steps().size(), steps_of_halves(n, h))
          << n << ", " << h;
      expect_clean({n, n, h, false, halves});
    }
}

/// Scattering, bisection, near tuning.
TEST(AggregationSchedule, WithAllOptionsTakesNoLinkTwice) {
  for (std::uint32_t rows = 3; rows <= 40; ++rows)
    for (const std::uint32_t columns : {rows, 2 * rows, rows + 2})
      for (std::uint32_t h = 1; h <= rows; ++h)
        if (rows % h == 0 && columns % h == 0)
          expect_clean({rows, columns, h, false, halves, true, h == rows && rows == columns, true});
}

TEST(GapLevels, BisectionServesEveryPointFromBothSides) {
  for (std::uint32_t gap = 1; gap <= 60; ++gap) {
    std::map<std::uint32_t, std::uint32_t> informed{{0, 2}, {gap, 2}};
    const auto levels = bisection_levels(gap);
    EXPECT_EQ(levels.size(), log_up(2, gap)) << gap;
    for (const auto& level : levels) {
      const auto before = informed;
      for (const GapService& service : level) {
        EXPECT_EQ(before.count(service.server), 1U);
        ++informed[service.served];
      }
    }
    EXPECT_EQ(informed.size(), gap + 1);
    for (const auto& [point, times] : informed) EXPECT_EQ(times, 2U) << gap << ": " << point;
  }
}

TEST(AggregationSchedule, OfRectanglesTakesNoLinkTwice) {
  for (std::uint32_t rows = 3; rows <= 18; ++rows)
    for (std::uint32_t columns = 3; columns <= 18; ++columns)
      for (std::uint32_t h = 1; h <= rows; ++h)
        for (const AggregationVariant variant : {AggregationVariant::repaired, halves})
          if (rows % h == 0 && columns % h == 0 && rows != columns)
            expect_clean({rows, columns, h, false, variant});
}

void expect_stages_to_add_up(const AggregationSchedule& schedule) {
  const std::uint32_t h = schedule.shape().h;
  for (std::uint32_t rank = 0; rank < h; ++rank)
    for (std::uint32_t k = 0; k < h; ++k) {
      const std::int32_t offset = schedule.tuning_offset(rank, h, k);
      EXPECT_EQ((static_cast<std::int32_t>(k) + offset + static_cast<std::int32_t>(h)) %
                    static_cast<std::int32_t>(h),
                static_cast<std::int32_t>(rank));
      std::int32_t moved = 0;
      for (std::uint32_t stage = 0; stage < schedule.stages(); ++stage)
        moved += schedule.tuning_move(offset, stage);
      EXPECT_EQ(moved, offset) << h;
    }
}

TEST(AggregationSchedule, StagesOfTuningAddUpToTheOffset) {
  for (std::uint32_t h = 1; h <= 60; ++h)
    for (const AggregationVariant variant : {AggregationVariant::repaired, halves})
      expect_stages_to_add_up(AggregationSchedule({3 * h, 3 * h, h, false, variant}));
}

/// Not one for every number of links that there may be: they would take sides squared.
TEST(AggregationPlan, HasRoutesForTheMovesThatThereAre) {
  for (const AggregationVariant variant : {AggregationVariant::repaired, halves}) {
    const AggregationPlan plan(AggregationSchedule({3, 4'000, 1, false, variant}),
                               Pattern::many({}));
    EXPECT_LT(plan.routes.size(), 100U);
    for (std::uint32_t route = 0; route < plan.routes.size(); ++route)
      EXPECT_LE(plan.routes.ports(Route{route}).size(), 4'000U);
  }
}

TEST(AggregationSchedule, RefusesWhatDoesNotFitTogether) {
  const auto refusal = [](const AggregationShape& shape) -> std::string {
    try {
      const AggregationSchedule schedule(shape);
      return "accepted";
    } catch (const InvalidParameter& problem) {
      return problem.what();
    }
  };
  EXPECT_EQ(refusal({2, 4, 1}),
            "aggregation: a torus of 2 x 4 nodes; allowed: sides of at least 3");
  EXPECT_EQ(refusal({6, 9, 2}), "h: 2 is not valid; expected a divisor of both sides, 6 and 9");
  EXPECT_EQ(refusal({6, 9, 0}), "h: 0 is not valid; expected a divisor of both sides, 6 and 9");
  EXPECT_EQ(refusal({6, 9, 3}), "accepted");
  EXPECT_EQ(refusal({6, 6, 3, false, halves, false, true}),
            "tuning: near is not possible for 6 x 6 nodes and h = 3; all three must be equal");
}

}  // namespace
}  // namespace lockstep
