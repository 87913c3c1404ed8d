// SPDX-License-Identifier: Apache-2.0
#include "study/comparison.hpp"

#include <gtest/gtest.h>

#include <string>

#include "report/fields.hpp"

namespace lockstep::study {
namespace {

Comparison compared(const std::string& placement, const CostParameters& host) {
  RunRequest base{.topology = "torus:6x6", .operation = Operation::many_to_all, .block_bytes = 8};
  base.settings["placement"] = placement;
  RunSeries series(compare_variants(base, host), {});
  return compare(series, host);
}

/// An aggregation sends control words, too.
TEST(Comparison, TimesAtRatiosAreThoseOfTheHostWithThatRatio) {
  const Comparison comparison = compared("perm", {.t_s = 100});
  ASSERT_GT(comparison.rows.size(), 2U);
  for (const report::Fields& row : comparison.rows) {
    EXPECT_EQ(cell_of(value_of(row, "time_ratio_100")), cell_of(value_of(row, "time")));
    EXPECT_NE(cell_of(value_of(row, "time")), "");
  }
}

/// The column, the ratios and the winners charge a word of 8 bytes as 8 bytes.
TEST(Comparison, SaysWhatAWordCosts) {
  const std::string text = text_of(compared("perm", {.t_s = 100}));
  EXPECT_NE(text.find("\nt_w: 1 per control word of 8 bytes\n"), std::string::npos) << text;
  const std::string given = text_of(compared("perm", {.t_s = 100, .t_w = 3}));
  EXPECT_NE(given.find("\nt_w: 3 per control word of 8 bytes; at ratios 8 / bytes\n"),
            std::string::npos)
      << given;
}

/// Aggregation needs wormhole switching, and beats the others by it.
TEST(Comparison, WinnersAreOfOnePortModelEach) {
  const std::string text = text_of(compared("onenode", {.t_s = 1000}));
  EXPECT_NE(text.find("\nleast time, all-port-wormhole, at t_s/t_m = 0.1: aggregation"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nleast time, all-port, at t_s/t_m = 0.1: edst, packet 1, trees: table; 1: "
                      "edst, packet 1, trees: table; 10: ring2d; 100: ring2d; 1000: ring2d\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace lockstep::study
