// SPDX-License-Identifier: Apache-2.0

/// The form of the rows; that their figures are right is for tests/papers/star_costs_test.cpp.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "lockstep/core/errors.hpp"
#include "support/papers.hpp"

namespace lockstep {
namespace {

using papers::Erratum;
using papers::PaperRow;
using test::part;
using test::whole;

TEST(StarPaper, HasAllRows) {
  EXPECT_EQ(part("star", "Table 1").size(), 12U);
  EXPECT_EQ(part("star", "Table 2").size(), 45U);
  EXPECT_EQ(part("star", "Table 3").size(), 11U);
  constexpr std::size_t sizes_and_factors = 55;  // n = 3..12, k = 2..n-1
  for (const unsigned number : {2U, 3U, 4U})
    EXPECT_EQ(part("star", "Figure", number).size(), sizes_and_factors) << number;
  EXPECT_EQ(part("star", "Figure 6").size(), 30U);
  EXPECT_EQ(whole("star").size(),
            12U + 45 + 11 + 3 * sizes_and_factors + 30 + part("star", "claims").size());
}

TEST(StarPaper, EveryDifferenceIsExplained) {
  for (const PaperRow& row : whole("star")) {
    const std::string which = row.where + " " + row.topology + " " + row.quantity;
    EXPECT_TRUE(row.agrees() || row.erratum != 0) << which;
    EXPECT_FALSE(row.where.empty() || row.quantity.empty() || row.ours.empty()) << which;
    EXPECT_TRUE(row.agrees() || !row.printed.empty()) << which;
    if (row.erratum == 0) continue;
    EXPECT_EQ(test::erratum("star", row.erratum).number, row.erratum);
    EXPECT_FALSE(test::erratum("star", row.erratum).sentence.empty());
  }
}

TEST(StarPaper, RefusesWhatThePaperHasNot) {
  for (const unsigned number : {0U, 1U, 5U, 7U})
    EXPECT_THROW((void)part("star", "Figure", number), InvalidParameter) << number;
}

}  // namespace
}  // namespace lockstep
