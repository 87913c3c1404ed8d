// SPDX-License-Identifier: Apache-2.0

/// `reproduce textbook`: published costs beside those of verified runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/papers.hpp"

namespace lockstep::test {
namespace {

using papers::PaperRow;
using papers::PaperRows;

/// A cost, not the sentence of a run that failed: "6 + 192", "14 + 7/4".
[[nodiscard]] bool is_cost(const std::string& text) {
  const std::size_t plus = text.find(" + ");
  return plus != std::string::npos && text.find_first_not_of("0123456789/ +") == std::string::npos;
}

TEST(TextbookPaper, EveryOperationHasRowsUnderBothPortModels) {
  const PaperRows rows = whole("textbook");
  EXPECT_GE(rows.size(), 60U);
  std::map<std::string, std::set<std::string>> models;
  for (const PaperRow& row : rows) {
    EXPECT_TRUE(is_cost(row.ours)) << row.quantity << ": " << row.ours;
    for (const char* const model : {"single-port", "all-port"})
      if (row.quantity.find(model) != std::string::npos) models[model].insert(row.topology);
  }
  EXPECT_GT(models["single-port"].size(), 10U);
  EXPECT_GT(models["all-port"].size(), 5U);
  for (const char* const operation : {"broadcast", "reduce", "scatter", "gather", "all-gather",
                                      "total-exchange", "reduce-scatter", "all-reduce", "scan"})
    EXPECT_TRUE(std::ranges::any_of(rows, [&](const PaperRow& row) {
      return row.quantity.starts_with(std::string(operation) + ", ");
    })) << operation;
}

/// How many rows each erratum explains.
TEST(TextbookPaper, PublishedCostsThatDoNotHold) {
  std::map<unsigned, std::size_t> differing;
  for (const PaperRow& row : whole("textbook"))
    if (!row.agrees()) ++differing[row.erratum];
  EXPECT_EQ(
      differing,
      (std::map<unsigned, std::size_t>{
          {1, 1}, {3, 2}, {4, 1}, {6, 3}, {7, 1}, {8, 1}, {9, 1}, {10, 1}, {11, 1}, {12, 1}}));
}

}  // namespace
}  // namespace lockstep::test
