// SPDX-License-Identifier: Apache-2.0

/// K. Coolsaet, V. Fack, optimal data exchange algorithms on star graphs: what exchanges by table
/// cost, counted by the machine while it moves and verifies every byte, for n = 3 to 7. Figures of
/// an independent reference program (golden/tables).

#include <gtest/gtest.h>

#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "support/golden.hpp"
#include "support/star_runs.hpp"

namespace lockstep::test {
namespace {

RunResult run_table(const GoldenRow& row, const std::string& algorithm) {
  RunRequest request{.topology = "star:" + row.text("n"),
                     .operation = row.text("kind") == "odd" ? Operation::odd_distance_exchange
                                                            : Operation::total_exchange,
                     .algorithm = algorithm,
                     .block_bytes = 8,
                     .executor = ExecutorKind::serial};
  return prepare(request)->execute();
}

void expect_counts(const GoldenRow& row, const std::string& algorithm, std::uint64_t steps) {
  SCOPED_TRACE("n = " + row.text("n") + ", " + row.text("kind") + ", " + algorithm);
  const RunResult result = run_table(row, algorithm);
  EXPECT_EQ(result.judgement.outcome, Outcome::complete);
  EXPECT_EQ(result.record.steps, steps);
  EXPECT_EQ(result.record.startups, steps);
  EXPECT_EQ(result.record.message_times, steps);
  EXPECT_EQ(result.record.largest_message_blocks, 1U);
  EXPECT_EQ(result.record.hops, row.number("hops"));
  EXPECT_EQ(result.record.deliveries.verified, row.number("deliveries"));
  EXPECT_EQ(result.judgement.deliveries.expected, row.number("deliveries"));
}

class TablesMachine : public testing::Test {
 protected:
  /// The sizes that take no more than a second.
  template <class Expect>
  static std::size_t for_each_row(std::size_t largest, Expect expect) {
    std::size_t rows = 0;
    for (const GoldenRow& row : golden("tables/columns.csv"))
      if (row.number("n") <= largest) {
        expect(row);
        ++rows;
      }
    return rows;
  }
};

/// Theorem 2 and the times of sections 2.1 and 2.2: a step per column, nothing waits.
TEST_F(TablesMachine, OneStepPerColumnAndNothingWaits) {
  const auto expect = [](const GoldenRow& row) {
    expect_counts(row, "table", row.number("columns"));
    EXPECT_EQ(row.number("columns"), row.number("bound"));
    const RunResult result = run_table(row, "table");
    EXPECT_EQ(result.record.waits, WaitRecord{.watched = true});
    EXPECT_EQ(result.forecast.lower_bound->undivided.message_times, row.number("bound"));
  };
  EXPECT_EQ(for_each_row(7, expect), 10U);
}

/// Not in the paper: one port per step takes D steps, half-duplex links twice as many.
TEST_F(TablesMachine, OtherPortModels) {
  const auto expect = [](const GoldenRow& row) {
    expect_counts(row, "table-single-port", row.number("letters"));
    expect_counts(row, "table-half-duplex", 2 * row.number("columns"));
    expect_counts(row, "table-single-port-half-duplex", 2 * row.number("letters"));
  };
  EXPECT_EQ(for_each_row(6, expect), 8U);
}

/// The machine judges, not the algorithm: a table breaks the rules of a weaker model.
TEST_F(TablesMachine, ATableBreaksTheRulesOfWeakerModels) {
  for (const PortModel& model : {port_models::single_port, port_models::single_port_send,
                                 port_models::all_port_half_duplex}) {
    RunRequest request{.topology = "star:4",
                       .algorithm = "table",
                       .port_model = model,
                       .executor = ExecutorKind::serial};
    const RunResult result = prepare(request)->execute();
    EXPECT_EQ(result.judgement.outcome, Outcome::rule_broken) << model.name;
    EXPECT_EQ(result.record.violations.front().step, 0U) << model.name;
  }
}

}  // namespace
}  // namespace lockstep::test
