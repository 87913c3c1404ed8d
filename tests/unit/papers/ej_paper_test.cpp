// SPDX-License-Identifier: Apache-2.0

/// The form of the rows; that their figures are right is for tests/papers/ej_paper_test.cpp.

#include "papers/ej_paper.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

TEST(EjPaperRows, OfTablesAndFigures) {
  EXPECT_EQ(ej_paper::table(1).size(), 9U * 4U + 3U);
  EXPECT_EQ(ej_paper::table(2).size(), 9U * 4U + 2U);
  for (unsigned number = 15; number <= 18; ++number)
    EXPECT_EQ(ej_paper::figure(number).size(), 2U * 9U) << number;
  EXPECT_EQ(ej_paper::figure(22).size(), 2U * (12U + 15U + 18U));
  EXPECT_THROW((void)ej_paper::table(0), InvalidParameter);
  EXPECT_THROW((void)ej_paper::table(4), InvalidParameter);
  EXPECT_THROW((void)ej_paper::figure(14), InvalidParameter);
  EXPECT_THROW((void)ej_paper::figure(23), InvalidParameter);
}

TEST(EjPaperRows, AllHoldsEveryPart) {
  std::size_t parts = ej_paper::claims().size() + ej_paper::beyond().size();
  for (unsigned number = 1; number <= 3; ++number) parts += ej_paper::table(number).size();
  for (unsigned number = 15; number <= 22; ++number) parts += ej_paper::figure(number).size();
  EXPECT_EQ(ej_paper::all().size(), parts);
}

TEST(EjPaperRows, FiguresAndOursAloneHaveNothingPrinted) {
  for (unsigned number = 15; number <= 22; ++number)
    for (const PaperRow& row : ej_paper::figure(number)) {
      EXPECT_TRUE(row.printed.empty());
      EXPECT_NE(row.step, 0U);
      EXPECT_FALSE(row.curve.empty());
    }
  for (const PaperRow& row : ej_paper::beyond()) {
    EXPECT_TRUE(row.printed.empty());
    EXPECT_TRUE(row.agrees);
  }
}

TEST(EjPaperRows, ErrataAreThoseThatRowsReferTo) {
  std::set<unsigned> referred;
  for (const PaperRow& row : ej_paper::all())
    if (row.erratum != 0) referred.insert(row.erratum);
  std::set<unsigned> listed;
  unsigned last = 0;
  for (const Erratum& erratum : ej_paper::errata()) {
    EXPECT_GT(erratum.number, last);
    last = erratum.number;
    listed.insert(erratum.number);
    EXPECT_FALSE(erratum.sentence.empty());
  }
  EXPECT_EQ(referred, listed);
}

}  // namespace
}  // namespace lockstep
