// SPDX-License-Identifier: Apache-2.0

/// Costs from the formulas of an algorithm, and what is said where a formula is wrong.

#include "program/cost_formulas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

[[nodiscard]] AlgorithmInfo with_formulas(std::string_view startups,
                                          std::string_view message_times) {
  return {.name = "mine",
          .operation = Operation::all_gather,
          .model = port_models::single_port,
          .source = "the user",
          .startups = startups,
          .message_times = message_times,
          .summary = "a test"};
}

TEST(CostFormulas, GiveTheCostOnANetwork) {
  const AnyTopology network{std::string("complete:13")};
  EXPECT_EQ(cost_by_formula(with_formulas("log(2, N)", "N - 1"), network), (Cost{4, 12}));
  EXPECT_EQ(cost_by_formula(with_formulas("P + 1", "(P + 1)/P"), network, 4),
            (Cost{5, Fraction(5, 4)}));
  EXPECT_FALSE(cost_by_formula(with_formulas("log(2, N)", ""), network));
}

TEST(CostFormulas, NameTheAlgorithmWhereTheyAreWrong) {
  const AnyTopology network{std::string("complete:13")};
  for (const char* const wrong : {"N +", "unknown", "log(2, N", "n"}) {
    try {
      (void)cost_by_formula(with_formulas("N", wrong), network);
      ADD_FAILURE() << wrong;
    } catch (const InvalidParameter& problem) {
      EXPECT_THAT(problem.what(), testing::StartsWith("mine on complete:13: formula: "));
    }
  }
}

}  // namespace
}  // namespace lockstep
