// SPDX-License-Identifier: Apache-2.0

/// The form of the rows; that their figures are right is for tests/papers/star_costs_test.cpp.

#include "papers/star_paper.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

TEST(StarPaper, HasAllRows) {
  EXPECT_EQ(star_paper::table1().size(), 12U);
  EXPECT_EQ(star_paper::table2().size(), 45U);
  EXPECT_EQ(star_paper::table3().size(), 11U);
  constexpr std::size_t sizes_and_factors = 55;  // n = 3..12, k = 2..n-1
  for (const unsigned number : {2U, 3U, 4U})
    EXPECT_EQ(star_paper::figure(number).size(), sizes_and_factors) << number;
  EXPECT_EQ(star_paper::figure(6).size(), 30U);
  EXPECT_EQ(star_paper::all().size(),
            12U + 45 + 11 + 3 * sizes_and_factors + 30 + star_paper::claims().size());
}

TEST(StarPaper, EveryDifferenceIsExplained) {
  for (const PaperRow& row : star_paper::all()) {
    const std::string which = row.where + " " + row.topology + " " + row.quantity;
    EXPECT_TRUE(row.agrees || row.erratum != 0) << which;
    EXPECT_FALSE(row.where.empty() || row.quantity.empty() || row.ours.empty()) << which;
    EXPECT_TRUE(row.agrees || !row.printed.empty()) << which;
    if (row.erratum == 0) continue;
    EXPECT_EQ(star_paper::erratum(row.erratum).number, row.erratum);
    EXPECT_FALSE(star_paper::erratum(row.erratum).sentence.empty());
  }
}

TEST(StarPaper, EveryErratumIsUsedAndInOrder) {
  std::set<unsigned> used;
  for (const PaperRow& row : star_paper::all()) used.insert(row.erratum);
  used.erase(0);
  std::set<unsigned> listed;
  for (const Erratum& erratum : star_paper::errata()) {
    EXPECT_TRUE(listed.empty() || erratum.number > *listed.rbegin());
    listed.insert(erratum.number);
  }
  EXPECT_EQ(used, listed);
}

TEST(StarPaper, RefusesWhatThePaperHasNot) {
  for (const unsigned number : {0U, 1U, 5U, 7U})
    EXPECT_THROW((void)star_paper::figure(number), InvalidParameter) << number;
  EXPECT_THROW((void)star_paper::erratum(2), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
