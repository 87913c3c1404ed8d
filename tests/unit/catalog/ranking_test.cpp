// SPDX-License-Identifier: Apache-2.0

/// The order of rankings, and the trials that say who competes.

#include "catalog/ranking.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "catalog/trial.hpp"
#include "lockstep/catalog/catalog.hpp"

namespace lockstep::catalog {
namespace {

TEST(Ranking, TheFirstOfEqualsCounts) {
  const std::vector<Ranked> ways{{Cost{229, 474}}, {Cost{251, 442}}, {Cost{251, 442}}};
  EXPECT_EQ(first_of(ways, {.t_s = 100}, 64), 0U);
  EXPECT_EQ(first_of(ways, {.t_s = 0.1}, 64), 1U);
  EXPECT_EQ(first_of(ways, {.t_s = 32, .t_m = 22}, 64), 0U);  // a tie
  EXPECT_EQ(ranking_of(ways, {.t_s = 0.1}, 64), (std::vector<std::size_t>{1, 2, 0}));
}

/// 3 t_s and 3/10 t_m: decimals that no double holds.
TEST(Ranking, ATieIsATieWhateverTheUnit) {
  const std::vector<Ranked> ways{{Cost{4, 1}}, {Cost{1, Fraction(13, 10)}}};
  for (const double unit : {1.0, 1e-6, 0.3, 1e9})
    EXPECT_EQ(first_of(ways, {.t_s = 0.1 * unit, .t_m = unit}, 64), 0U) << unit;
}

/// Sums that no 64-bit integer holds.
TEST(Ranking, ComparesLargeCosts) {
  const std::uint64_t large = std::uint64_t{1} << 63U;
  const std::vector<Ranked> ways{{Cost{large, 1}}, {Cost{large - 1, 1}}};
  EXPECT_EQ(first_of(ways, {.t_s = 100}, 64), 1U);
}

TEST(Ranking, OfEqualsThoseThatDeclareThePortModelComeFirst) {
  const std::vector<Ranked> ways{{Cost{4, 4}, false}, {Cost{4, 4}, true}, {Cost{3, 4}, false}};
  EXPECT_EQ(ranking_of(ways, {.t_s = 1}, 64), (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_TRUE(is_never_behind(ways[1], ways[0]));
  EXPECT_FALSE(is_never_behind(ways[0], ways[1]));
  EXPECT_FALSE(is_never_behind(ways[1], ways[2]));
}

TEST(Ranking, ControlWordsTakeTheirTime) {
  const std::vector<Ranked> ways{{Cost{6, 90, 3}}, {Cost{6, 91}}};
  EXPECT_EQ(first_of(ways, {.t_s = 1}, 16), 1U);  // 3 words of half a block each
  EXPECT_EQ(first_of(ways, {.t_s = 1, .t_m = 1, .t_w = 0.1}, 16), 0U);
}

Trial::Outcome outcome_of(const char* network, Operation operation, const char* algorithm,
                          const PortModel& model, std::optional<std::uint64_t> root = {}) {
  RunRequest request{.topology = network,
                     .operation = operation,
                     .algorithm = algorithm,
                     .port_model = model,
                     .block_bytes = 1'000'000'000};  // a trial does not move them
  if (root) request.settings["root"] = *root;
  return trial_of(request, most_trial_seconds).outcome;
}

TEST(Trial, SaysWhetherARunKeepsTheRules) {
  using Outcome = Trial::Outcome;
  EXPECT_EQ(
      outcome_of("torus:6x2", Operation::gather, "balanced-tree", port_models::single_port_send, 7),
      Outcome::lawful);
  EXPECT_EQ(
      outcome_of("torus:6x2", Operation::gather, "balanced-tree", port_models::single_port, 7),
      Outcome::unlawful);
  EXPECT_EQ(outcome_of("complete:8", Operation::reduce_scatter, "tree", port_models::single_port),
            Outcome::unlawful);
}

TEST(Trial, CountsWithPaddingAndGivesUpInTime) {
  RunRequest request{.topology = "hypercube:6",
                     .operation = Operation::all_reduce,
                     .algorithm = "halving-doubling",
                     .block_bytes = 65};
  const Trial trial = trial_of(request, most_trial_seconds);
  ASSERT_TRUE(trial.counted.has_value());
  EXPECT_EQ(trial.counted->charged, (Cost{12, Fraction(126 * 2, 65)}));
  EXPECT_EQ(trial.counted->parts, 64U);
  const Trial too_long = trial_of(request, 0);
  EXPECT_EQ(too_long.outcome, Trial::Outcome::not_tried);
  EXPECT_EQ(too_long.reason, "a trial takes too long");
  request.memory_limit = 1;
  EXPECT_EQ(trial_of(request, most_trial_seconds).reason, "a trial needs too much memory");
}

/// A refusal is no matter of time.
TEST(Trial, SaysWhyTheMachineRefuses) {
  RunRequest request{.topology = "torus:4x5",
                     .operation = Operation::many_to_all,
                     .algorithm = "aggregation",
                     .port_model = port_models::all_port_half_duplex,
                     .block_bytes = 24};
  request.settings["h"] = std::uint64_t{1};
  const Trial trial = trial_of(request, most_trial_seconds);
  EXPECT_EQ(trial.outcome, Trial::Outcome::refused);
  EXPECT_NE(trial.reason.find("full-duplex"), std::string::npos) << trial.reason;
}

}  // namespace
}  // namespace lockstep::catalog
