// SPDX-License-Identifier: Apache-2.0

/// The form of the rows; that their figures are right is for tests/papers/ej_paper_test.cpp.

#include <gtest/gtest.h>

#include "lockstep/core/errors.hpp"
#include "support/papers.hpp"

namespace lockstep {
namespace {

using papers::Erratum;
using papers::PaperRow;
using test::part;
using test::whole;

TEST(EjPaperRows, OfTablesAndFigures) {
  EXPECT_EQ(part("ej", "Table 1").size(), 9U * 4U + 3U);
  EXPECT_EQ(part("ej", "Table 2").size(), 9U * 4U + 2U);
  for (unsigned number = 15; number <= 18; ++number)
    EXPECT_EQ(part("ej", "Figure", number).size(), 2U * 9U) << number;
  EXPECT_EQ(part("ej", "Figure 22").size(), 2U * (12U + 15U + 18U));
  EXPECT_THROW((void)part("ej", "Table 0"), InvalidParameter);
  EXPECT_THROW((void)part("ej", "Table 4"), InvalidParameter);
  EXPECT_THROW((void)part("ej", "Figure 14"), InvalidParameter);
  EXPECT_THROW((void)part("ej", "Figure 23"), InvalidParameter);
}

TEST(EjPaperRows, AllHoldsEveryPart) {
  std::size_t parts = part("ej", "claims").size() + part("ej", "beyond").size();
  for (unsigned number = 1; number <= 3; ++number) parts += part("ej", "Table", number).size();
  for (unsigned number = 15; number <= 22; ++number) parts += part("ej", "Figure", number).size();
  EXPECT_EQ(whole("ej").size(), parts);
}

TEST(EjPaperRows, FiguresAndOursAloneHaveNothingPrinted) {
  for (unsigned number = 15; number <= 22; ++number)
    for (const PaperRow& row : part("ej", "Figure", number)) {
      EXPECT_TRUE(row.printed.empty());
      EXPECT_NE(row.step, 0U);
      EXPECT_FALSE(row.curve.empty());
    }
  for (const PaperRow& row : part("ej", "beyond")) {
    EXPECT_TRUE(row.printed.empty());
    EXPECT_TRUE(row.agrees());
  }
}

}  // namespace
}  // namespace lockstep
