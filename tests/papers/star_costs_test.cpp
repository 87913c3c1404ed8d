// SPDX-License-Identifier: Apache-2.0

/// Y.-C. Tseng, W.-L. Chang, J.-P. Sheu, all-to-all broadcast in star graphs: the formulas of
/// sections III.2 and IV.2 against the figures of an independent program. Tables and claims are in
/// star_claims_test.cpp; that the formulas are what a run costs, in star_machine_test.cpp.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "algorithm/all_gather/star_mesh.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "algorithm/star_promises.hpp"
#include "catalog/ranking.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/cost/model.hpp"
#include "lockstep/verify/lower_bounds.hpp"
#include "papers/star/costs.hpp"
#include "support/golden.hpp"
#include "support/star_ratios.hpp"
#include "topology/star_distances.hpp"

namespace lockstep {
namespace {

using test::golden;
using test::GoldenRow;
using test::mesh_improvement;
using test::packing_improvement;
using test::ratio_of;

constexpr double tolerance = 1e-9;
constexpr std::size_t largest_symbols = 12;  // S_12: "a larger n may not be practical"

std::vector<std::size_t> chain_of(const GoldenRow& row) {
  const std::vector<std::uint64_t> numbers = row.numbers("chain");
  return {numbers.begin(), numbers.end()};
}

TEST(StarCostsOfThePaper, MeanDistances) {
  for (const GoldenRow& row : golden("star/mean_distances.csv")) {
    const std::size_t n = row.number("n");
    const std::size_t k = row.number("k");
    EXPECT_EQ(star_costs::mean_distance(n, k),
              Fraction(row.number("numerator"), row.number("denominator")));
    EXPECT_EQ(star_distance_sum(n, k), row.number("distance_sum"));
    EXPECT_EQ(factorial(n) / factorial(k), row.number("substars"));
  }
}

TEST(StarCostsOfThePaper, Packing) {
  for (const GoldenRow& row : golden("star/packing_costs.csv")) {
    const std::vector<std::size_t> chain = chain_of(row);
    const Cost expected{row.number("startups"), row.number("message_times")};
    EXPECT_EQ(star_promises::packing(chain), expected) << row.text("chain");
    if (chain.size() <= 3) {
      EXPECT_EQ(star_costs::packing(chain[0], chain[1]), expected);
    }
  }
}

TEST(StarCostsOfThePaper, PackingInBatches) {
  for (const GoldenRow& row : golden("star/batched_costs.csv")) {
    const std::size_t k = row.number("k");
    EXPECT_EQ(star_promises::packing_in_batches(row.number("n"), k, factorial(k)),
              (Cost{row.number("startups"), row.number("message_times")}))
        << row.text("n") << " " << k;
  }
}

TEST(StarCostsOfThePaper, LeastRatiosForPacking) {
  for (const GoldenRow& row : golden("star/packing_ratios.csv"))
    EXPECT_EQ(star_costs::least_ratio_for_packing(row.number("n"), row.number("k")),
              Fraction(row.number("numerator"), row.number("denominator")));
}

TEST(StarCostsOfThePaper, PackingImprovement) {
  for (const GoldenRow& row : golden("star/packing_improvement.csv"))
    EXPECT_NEAR(packing_improvement(row.number("n"), row.number("k"), row.text("ratio")),
                std::stod(row.text("eti")), tolerance);
}

TEST(StarCostsOfThePaper, BestFactor) {
  for (const GoldenRow& row : golden("star/best_k.csv"))
    EXPECT_EQ(star_costs::best_k(row.number("n"), ratio_of(row.text("ratio"))), row.number("k"))
        << row.text("n") << " " << row.text("ratio");
}

/// The best of the single factors and the chains that `lockstep compare` chooses from.
TEST(StarCostsOfThePaper, BestChain) {
  for (const GoldenRow& row : golden("star/best_chain.csv")) {
    const RunRequest request{.topology = "star:" + row.text("n"), .algorithm = "packing"};
    std::vector<std::vector<std::size_t>> chains;
    std::vector<catalog::Ranked> costs;
    Variants variants = prepare(request, false)->variants();
    variants.cheapest_of.front().insert(variants.cheapest_of.front().begin(), variants.all.begin(),
                                        variants.all.end());
    for (const Settings& settings : variants.cheapest_of.front()) {
      std::vector<std::size_t>& chain = chains.emplace_back(1, row.number("n"));
      for (const std::uint64_t k : settings.numbers("k")) chain.push_back(k);
      if (chain.back() != 1) chain.push_back(1);
      costs.push_back({star_promises::packing(chain)});
    }
    const double ratio = ratio_of(row.text("ratio")).value();
    EXPECT_EQ(chains.at(catalog::first_of(costs, {.t_s = ratio}, 64)), chain_of(row))
        << row.text("n") << " " << row.text("ratio");
  }
}

TEST(StarCostsOfThePaper, AllGather) {
  for (const GoldenRow& row : golden("star/all_gather_costs.csv")) {
    const std::size_t n = row.number("n");
    EXPECT_EQ(star_costs::by_formulas(StarMesh::info, n),
              (Cost{row.number("mesh_startups"), row.number("mesh_message_times")}));
    EXPECT_EQ(star_costs::by_formulas(StarHamiltonianRing::info, n),
              (Cost{row.number("ring_startups"), row.number("ring_message_times")}));
    const auto ratio = star_costs::least_ratio_for_mesh(n);
    ASSERT_EQ(ratio.has_value(), !row.text("numerator").empty()) << n;
    if (ratio.has_value()) {
      EXPECT_EQ(*ratio, Fraction(row.number("numerator"), row.number("denominator")));
    }
  }
}

TEST(StarCostsOfThePaper, AllGatherImprovement) {
  for (const GoldenRow& row : golden("star/all_gather_improvement.csv"))
    EXPECT_NEAR(mesh_improvement(row.number("n"), row.text("ratio")), std::stod(row.text("eti")),
                tolerance);
}

TEST(StarCostsOfThePaper, BoundsAndLevelwise) {
  for (const GoldenRow& row : golden("star/bounds_and_levelwise.csv")) {
    const std::size_t n = row.number("n");
    const BoundInputs star{.processors = factorial(n),
                           .degree = n - 1,
                           .diameter = 3 * (n - 1) / 2,
                           .distance_sum = star_distance_sum(n, 1)};
    EXPECT_EQ(lower_bound({Operation::total_exchange}, star, port_models::single_port)->undivided,
              (Cost{row.number("least_startups"), row.number("least_message_times")}));
    EXPECT_EQ(star_costs::by_formulas(star_total_exchange.info, n),
              (Cost{row.number("exchange_startups"), row.number("exchange_message_times")}));
    EXPECT_EQ(star_costs::by_formulas(star_all_gather.info, n),
              (Cost{row.number("all_gather_startups"), row.number("all_gather_message_times")}));
  }
}

TEST(StarFormulas, LevelwiseExchangeIsWhatItsStepsSend) {
  // In level m every one of m-2 steps moves n!/m blocks, the last one all but n!/m.
  for (std::size_t n = 3; n <= 19; ++n) {
    Cost sum;
    for (std::size_t m = 2; m <= n; ++m) {
      sum.startups += m - 1;
      sum.message_times += (m - 2) * (factorial(n) / m) + factorial(n) - factorial(n) / m;
    }
    EXPECT_EQ(star_costs::by_formulas(star_total_exchange.info, n), sum) << n;
  }
}

TEST(StarFormulas, LevelwiseAllGatherForwardsOneBlockOfNodesAtATime) {
  for (std::size_t n = 3; n <= 20; ++n) {
    Cost sum;
    for (std::size_t m = 2; m <= n; ++m) {
      sum.startups += m - 1;
      sum.message_times += (m - 1) * factorial(m - 1);
    }
    EXPECT_EQ(star_costs::by_formulas(star_all_gather.info, n), sum) << n;
  }
}

TEST(StarFormulas, MeshIsColumnsThenRows) {
  for (std::size_t n = 3; n <= 20; ++n) {
    const std::uint64_t columns = 2 * (n - 1) * 3;
    const std::uint64_t rows = factorial(n - 1) - 1;
    EXPECT_EQ(star_costs::by_formulas(StarMesh::info, n),
              (Cost{columns + rows, columns + rows * n}));
  }
}

TEST(StarFormulas, RefuseOtherSizes) {
  EXPECT_THROW((void)star_costs::by_formulas(StarMesh::info, 2), InvalidParameter);
  EXPECT_THROW((void)star_costs::by_formulas(StarMesh::info, 21), InvalidParameter);
}

/// Printed n! l(n,k) + n! l(n,1): contradicts T(n,1) = n! l(n,1) (t_s + t_m), given next.
TEST(StarCostsOfThePaper, Equation1MisprintsTheSecondCoefficient) {
  const Fraction printed =
      star_promises::packing_level(5, 5, 3).message_times + star_costs::packing(5, 1).message_times;
  EXPECT_EQ(printed, 736U);
  EXPECT_EQ(star_costs::packing(5, 3), (Cost{229, 474}));
  EXPECT_EQ(star_costs::packing(5, 1), (Cost{442, 442}));
}

/// Lemma 1: l(n,1) - l(n,2) = 1/2.
TEST(StarCostsOfThePaper, Lemma1) {
  for (std::size_t n = 2; n <= 19; ++n)
    EXPECT_EQ(2 * (star_distance_sum(n, 1) - 2 * star_distance_sum(n, 2)), factorial(n)) << n;
}

/// Theorem 1: T(n,1) > T(n,2) for n >= 3, at every ratio; sharper: by (n!/2) l(n,2) t_s.
TEST(StarCostsOfThePaper, Theorem1) {
  for (std::size_t n = 3; n <= 19; ++n) {
    EXPECT_EQ(star_costs::least_ratio_for_packing(n, 2), Fraction{}) << n;
    EXPECT_EQ(star_costs::packing(n, 1).startups - star_costs::packing(n, 2).startups,
              star_distance_sum(n, 2));
    EXPECT_EQ(star_costs::packing(n, 1).message_times, star_costs::packing(n, 2).message_times);
  }
}

/// The dividend of eq. (2) is (k-1)(k-2)(n-k)/(k n).
TEST(StarCostsOfThePaper, Equation2Dividend) {
  for (std::size_t n = 3; n <= 12; ++n)
    for (std::size_t k = 2; k < n; ++k)
      EXPECT_EQ(star_costs::packing(n, k).message_times - star_costs::packing(n, 1).message_times,
                factorial(n) / n * (k - 1) * (k - 2) * (n - k) / k)
          << n << " " << k;
}

/// Erratum 30: the paper's own recursion, once more: (n, k, 2) has the message times of T(n, k) and
/// fewer start-ups, by (n!/2) l(k,2).
TEST(StarCostsOfThePaper, AppendingAFactorOf2AlwaysHelps) {
  for (std::size_t n = 4; n <= largest_symbols; ++n)
    for (std::size_t k = 3; k < n; ++k) {
      const Cost longer = star_promises::packing(std::vector<std::size_t>{n, k, 2, 1});
      const Cost paper = star_costs::packing(n, k);
      EXPECT_EQ(longer.message_times, paper.message_times);
      EXPECT_EQ(paper.startups - longer.startups,
                factorial(n) / factorial(k) * star_distance_sum(k, 2));
    }
}

/// Erratum 31: only k = 1 and 2 meet the lower bound on the message times.
TEST(StarCostsOfThePaper, OnlyFactors1And2AreTrafficOptimal) {
  for (std::size_t n = 3; n <= largest_symbols; ++n)
    for (std::size_t k = 1; k < n; ++k)
      EXPECT_EQ(star_costs::packing(n, k).message_times == star_distance_sum(n, 1), k <= 2)
          << n << " " << k;
}

const std::array<Fraction, 6> ratios{Fraction{0, 1}, Fraction{1, 10},  Fraction{5, 18},
                                     Fraction{1, 1}, Fraction{100, 1}, Fraction{1'000'000, 1}};

WideCount cost(const Cost& promise, const Fraction& ratio) {
  return WideCount{promise.startups} * ratio.numerator() +
         WideCount{promise.message_times.rounded_up()} * ratio.denominator();
}

TEST(StarCosts, BestKOfAll) {
  for (std::size_t n = 2; n <= 19; ++n)
    for (const Fraction& ratio : ratios) {
      const std::size_t best = star_costs::best_k(n, ratio);
      for (std::size_t k = 1; k < n; ++k) {
        const auto [ours, other] = std::array{cost(star_costs::packing(n, best), ratio),
                                              cost(star_costs::packing(n, k), ratio)};
        EXPECT_TRUE(ours < other || (ours == other && best <= k)) << n << " " << k;
      }
    }
}

TEST(StarCosts, TiesGoToTheSmallest) {
  // Without start-up costs k = 1 and 2 are equal: both move nothing farther than it is away.
  EXPECT_EQ(star_costs::best_k(6, Fraction{0, 1}), 1U);
  // At the ratio where T(8, 2) and T(8, 3) meet, the smaller factor; a little above, the larger.
  const Fraction meet =
      break_even(star_costs::packing(8, 3), star_costs::packing(8, 2), 64).value();
  EXPECT_EQ(star_costs::best_k(8, meet), 2U);
  EXPECT_EQ(star_costs::best_k(
                8, Fraction{meet.numerator() * 1'000'000 + 1, meet.denominator() * 1'000'000}),
            3U);
}

TEST(StarCosts, MeanDistance) {
  EXPECT_EQ(star_costs::mean_distance(5, 3), Fraction(49, 20));
  EXPECT_EQ(star_costs::mean_distance(3, 1), Fraction(3, 2));
  EXPECT_EQ(star_costs::mean_distance(7, 7), Fraction(0, 1));
}

TEST(StarCosts, TheMeshNeverBeatsTheRingOfThreeOrFourSymbols) {
  EXPECT_FALSE(star_costs::least_ratio_for_mesh(3).has_value());
  EXPECT_FALSE(star_costs::least_ratio_for_mesh(4).has_value());
  for (std::size_t n = 5; n <= 20; ++n)
    EXPECT_EQ(star_costs::least_ratio_for_mesh(n), Fraction(5, factorial(n - 1) - 6)) << n;
}

TEST(StarCosts, WithoutPackingThereIsNothingToGain) {
  EXPECT_FALSE(star_costs::least_ratio_for_packing(5, 1).has_value());
}

TEST(StarCosts, RefuseOtherSizes) {
  EXPECT_THROW((void)star_costs::packing(5, 0), InvalidParameter);
  EXPECT_THROW((void)star_costs::packing(5, 5), InvalidParameter);
  EXPECT_THROW((void)star_costs::packing(20, 2), InvalidParameter);
  EXPECT_THROW((void)star_costs::best_k(1, Fraction{1, 1}), InvalidParameter);
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THROW((void)star_costs::best_k(5, Fraction{huge, 1}), InvalidParameter);
  EXPECT_THROW((void)star_costs::best_k(5, Fraction{1, huge}), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
