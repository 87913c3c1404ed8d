// SPDX-License-Identifier: Apache-2.0

/// The form of the rows; that their figures are right is for tests/papers/tables_test.cpp.

#include <gtest/gtest.h>

#include "lockstep/core/errors.hpp"
#include "support/papers.hpp"

namespace lockstep {
namespace {

using papers::Erratum;
using papers::PaperRow;
using test::part;
using test::whole;

TEST(TablesPaperRows, HasAllRows) {
  EXPECT_EQ(part("tables", "Table 1").size(), 3U + 1U);
  EXPECT_EQ(part("tables", "Table 2").size(), 3U + 1U);
  EXPECT_EQ(part("tables", "Table 3").size(), 4U + 1U);
  EXPECT_EQ(part("tables", "Table 4").size(), 4U + 1U);
  EXPECT_EQ(part("tables", "Table 5").size(), 5U + 1U);
  EXPECT_THROW((void)part("tables", "Table 0"), InvalidParameter);
  EXPECT_THROW((void)part("tables", "Table 6"), InvalidParameter);
  EXPECT_EQ(whole("tables").size(),
            24U + part("tables", "claims").size() + part("tables", "beyond").size());
}

TEST(TablesPaperRows, OursAloneHasNothingPrinted) {
  EXPECT_EQ(part("tables", "beyond").size(), 6U);
  for (const PaperRow& row : part("tables", "beyond")) {
    EXPECT_TRUE(row.printed.empty());
    EXPECT_TRUE(row.agrees()) << row.ours;
  }
}

}  // namespace
}  // namespace lockstep
