// SPDX-License-Identifier: Apache-2.0

/// The form of the rows; that their figures are right is for tests/papers/tables_test.cpp.

#include "papers/tables_paper.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

TEST(TablesPaperRows, HasAllRows) {
  EXPECT_EQ(tables_paper::table(1).size(), 3U + 1U);
  EXPECT_EQ(tables_paper::table(2).size(), 3U + 1U);
  EXPECT_EQ(tables_paper::table(3).size(), 4U + 1U);
  EXPECT_EQ(tables_paper::table(4).size(), 4U + 1U);
  EXPECT_EQ(tables_paper::table(5).size(), 5U + 1U);
  EXPECT_THROW((void)tables_paper::table(0), InvalidParameter);
  EXPECT_THROW((void)tables_paper::table(6), InvalidParameter);
  EXPECT_EQ(tables_paper::all().size(),
            24U + tables_paper::claims().size() + tables_paper::beyond().size());
}

TEST(TablesPaperRows, OursAloneHasNothingPrinted) {
  EXPECT_EQ(tables_paper::beyond().size(), 6U);
  for (const PaperRow& row : tables_paper::beyond()) {
    EXPECT_TRUE(row.printed.empty());
    EXPECT_TRUE(row.agrees) << row.ours;
  }
}

TEST(TablesPaperRows, ErrataAreThoseThatRowsReferTo) {
  std::set<unsigned> referred;
  for (const PaperRow& row : tables_paper::all())
    if (row.erratum != 0) referred.insert(row.erratum);
  std::set<unsigned> listed;
  unsigned last = 0;
  for (const Erratum& erratum : tables_paper::errata()) {
    EXPECT_GT(erratum.number, last);
    last = erratum.number;
    listed.insert(erratum.number);
    EXPECT_FALSE(erratum.sentence.empty());
  }
  EXPECT_EQ(referred, listed);
}

}  // namespace
}  // namespace lockstep
