// SPDX-License-Identifier: Apache-2.0

/// Y.-C. Tseng, W.-L. Chang, J.-P. Sheu, all-to-all broadcast in star graphs: tables 1, 2 and 3 as
/// printed, and what the text says of them and of figures 2, 3, 4 and 6.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/all_gather/star_mesh.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/permutation.hpp"
#include "papers/formula.hpp"
#include "papers/star/costs.hpp"
#include "support/golden.hpp"
#include "support/papers.hpp"
#include "support/star_ratios.hpp"

namespace lockstep {
namespace {

using papers::PaperRow;
using test::golden;
using test::GoldenRow;
using test::mesh_improvement;
using test::packing_improvement;
using test::ratio_of;

constexpr std::size_t largest_drawn = 12;  // S_12: "a larger n may not be practical"

/// Rows of the library's own copy of a table, held against the one typed for the tests.
void expect_table(const std::vector<PaperRow>& rows, const std::string& file) {
  const std::vector<GoldenRow> typed = golden(file);
  ASSERT_EQ(rows.size(), typed.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].topology, typed[i].text("topology"));
    EXPECT_EQ(std::to_string(rows[i].n), typed[i].text("n"));
    EXPECT_EQ(rows[i].k == 0 ? "" : std::to_string(rows[i].k), typed[i].text("k"));
    EXPECT_EQ(rows[i].quantity, typed[i].text("quantity"));
    EXPECT_EQ(rows[i].printed, typed[i].text("printed"));
    EXPECT_EQ(rows[i].exact, typed[i].text("ours"));
    EXPECT_TRUE(rows[i].agrees()) << rows[i].topology << " " << rows[i].k;
    EXPECT_EQ(rows[i].erratum != 0,
              typed[i].text("where").find("erratum " + std::to_string(rows[i].erratum)) !=
                  std::string::npos);
  }
}

/// How many printed figures are the exact ones rounded, and how many are cut off.
std::pair<std::size_t, std::size_t> rounded_and_cut_off(const std::string& file) {
  std::pair<std::size_t, std::size_t> counts{0, 0};
  for (const GoldenRow& row : golden(file)) {
    const std::vector<std::string> terms = test::split(row.text("ours"), '/');
    const Fraction exact{std::stoull(terms[0]), std::stoull(terms[1])};
    const PrintedDecimal printed = parse_printed(row.text("printed"));
    if (exact.rounded_digits(printed.places) == printed.digits) ++counts.first;
    if (exact.digits(printed.places) == printed.digits) ++counts.second;
  }
  return counts;
}

TEST(StarClaims, Table1AsTyped) {
  const std::vector<PaperRow> rows = test::part("star", "Table 1");
  std::size_t i = 0;
  for (const GoldenRow& row : golden("star/table1.csv")) {
    if (row.text("z") != "3241") continue;
    std::string dimensions = row.text("dimensions").empty() ? "none" : row.text("dimensions");
    std::replace(dimensions.begin(), dimensions.end(), ' ', ',');
    EXPECT_EQ(rows.at(i).printed, dimensions + "; " + row.text("y") + "; " + row.text("Y"));
    EXPECT_EQ(rows.at(i).quantity, "dimensions; y; Y for X = " + row.text("X"));
    EXPECT_TRUE(rows.at(i).agrees()) << row.text("X");
    ++i;
  }
  EXPECT_EQ(i, rows.size());
}

/// Erratum 15: all 45 entries are the exact ones cut off; only 24 are the exact ones rounded.
TEST(StarClaims, Table2IsCutOffNotRounded) {
  expect_table(test::part("star", "Table 2"), "papers/star/table2.csv");
  EXPECT_EQ(rounded_and_cut_off("papers/star/table2.csv"),
            std::pair(std::size_t{24}, std::size_t{45}));
}

/// "These values are all very small (<0.64)."
TEST(StarClaims, Table2IsBelow064) {
  for (std::size_t n = 4; n <= largest_drawn; ++n)
    for (std::size_t k = 3; k < n; ++k)
      EXPECT_LT(star_costs::least_ratio_for_packing(n, k).value(), Fraction(64, 100));
}

/// Erratum 27: all 11 values are the exact ones cut off after two digits; rounded four would
/// differ.
TEST(StarClaims, Table3IsCutOffNotRounded) {
  expect_table(test::part("star", "Table 3"), "papers/star/table3.csv");
  EXPECT_EQ(rounded_and_cut_off("papers/star/table3.csv"),
            std::pair(std::size_t{7}, std::size_t{11}));
}

/// Figures 2-4 (erratum 16, right): "the best values of k all range between 2 to 4 for all n <=
/// 12".
TEST(StarClaims, BestFactorsLieBetween2And4) {
  for (std::size_t n = 3; n <= largest_drawn; ++n) {
    EXPECT_EQ(star_costs::best_k(n, ratio_of("0.1")), 2U) << n;
    EXPECT_EQ(star_costs::best_k(n, ratio_of("1")), n <= 5 ? 2U : 3U) << n;
    EXPECT_EQ(star_costs::best_k(n, ratio_of("100")), n <= 4 ? 2U : n <= 10 ? 3U : 4U) << n;
  }
}

/// Erratum 18, against "a small (<20) number of messages": the best k at ratio 100 is 4 for n =
/// 11, 12.
TEST(StarClaims, SomePacketsHold24Messages) {
  EXPECT_EQ(factorial(star_costs::best_k(10, ratio_of("100"))), 6U);
  EXPECT_EQ(factorial(star_costs::best_k(11, ratio_of("100"))), 24U);
  EXPECT_EQ(factorial(star_costs::best_k(12, ratio_of("100"))), 24U);
}

/// Erratum 19: at ratio 0.1 every k >= 4 is a loss for n <= 12, and k = 3 for n <= 7.
TEST(StarClaims, LossesAtSmallStartUps) {
  for (std::size_t n = 4; n <= largest_drawn; ++n)
    for (std::size_t k = 3; k < n; ++k)
      EXPECT_EQ(packing_improvement(n, k, "0.1") < 0, k >= 4 || n <= 7) << n << " " << k;
}

/// Figure 6 (erratum 28): "approximately 0.8, 0.4, and 0.1"; towards (1 - 1/n) r/(1 + r).
TEST(StarClaims, AllGatherImprovementByRatio) {
  const std::map<std::string, std::map<std::size_t, double>> computed{
      {"100", {{5, 0.597}, {6, 0.785}, {8, 0.865}, {10, 0.891}, {12, 0.908}}},
      {"1", {{5, 0.218}, {6, 0.379}, {8, 0.437}, {10, 0.450}, {12, 0.458}}},
      {"0.1", {{5, -0.098}, {6, 0.041}, {8, 0.079}, {10, 0.082}, {12, 0.083}}}};
  for (const auto& [ratio, by_size] : computed) {
    for (const auto& [n, eti] : by_size) EXPECT_NEAR(mesh_improvement(n, ratio), eti, 6e-4);
    const double r = ratio_of(ratio).value();
    EXPECT_NEAR(mesh_improvement(12, ratio), (1 - 1.0 / 12) * r / (1 + r), 1e-4) << ratio;
  }
}

/// Erratum 29, to "only when n is very small": n = 3 and 4 at every ratio, n = 5 up to 5/18.
TEST(StarClaims, NoAllGatherImprovementForSmallNetworks) {
  for (const char* ratio : {"0.1", "1", "100"}) {
    EXPECT_LT(mesh_improvement(3, ratio), 0) << ratio;
    EXPECT_LT(mesh_improvement(4, ratio), 0) << ratio;
    for (std::size_t n = 6; n <= largest_drawn; ++n) EXPECT_GT(mesh_improvement(n, ratio), 0);
  }
  EXPECT_EQ(star_costs::by_formulas(StarMesh::info, 4).startups,
            star_costs::by_formulas(StarHamiltonianRing::info, 4).startups);
  EXPECT_EQ(star_costs::least_ratio_for_mesh(5), Fraction(5, 18));
  EXPECT_LT(mesh_improvement(5, "0.1"), 0);
  EXPECT_GT(mesh_improvement(5, "1"), 0);
}

}  // namespace
}  // namespace lockstep
