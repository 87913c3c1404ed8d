// SPDX-License-Identifier: Apache-2.0

/// Total exchange in Eisenstein-Jacobi networks, which the paper does not treat: single-port in as
/// many steps as the distances add up to, all-port and half-duplex by edge colouring. Counted by
/// the machine while it moves and verifies every byte; figures of an independent reference program
/// (golden/ej).

#include <gtest/gtest.h>

#include <string>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/verify/legality.hpp"
#include "support/ej_exchanges.hpp"

namespace lockstep::test {
namespace {

/// Moved in a second.
constexpr std::uint64_t most_messages = 2'000'000;

TEST(EjTotalExchange, SinglePortTakesTheSumOfTheDistances) {
  const auto expect = [](const GoldenRow& row) {
    const RunResult result =
        expect_steps(ej_topology(row), "node-invariant", row.number("single_port_steps"));
    EXPECT_EQ(bound_of(result), row.number("sum_of_distances"));
    EXPECT_EQ(result.record.hops, row.number("sum_of_distances") * result.forecast.nodes);
  };
  EXPECT_EQ(for_each_ej_row("ej/total_exchange.csv", {1, most_messages}, expect), 16U);
}

TEST(EjTotalExchange, EdgeColouringMeetsTheBoundsOfAllPorts) {
  const auto expect = [](const GoldenRow& row) {
    const RunResult full =
        expect_steps(ej_topology(row), "edge-colouring", row.number("full_duplex"));
    EXPECT_EQ(bound_of(full), full.record.steps);
    const RunResult half =
        expect_steps(ej_topology(row), "edge-colouring-half-duplex", row.number("half_duplex"));
    EXPECT_EQ(bound_of(half), half.record.steps);
  };
  EXPECT_EQ(for_each_ej_row("ej/total_exchange_all_port.csv", {1, most_messages}, expect), 8U);
}

/// N^(n-1) D (D + 1) (2 D + 1) / 6 steps for b = a + 1 = D + 1, whatever is in the table.
TEST(EjTotalExchange, ClosedFormForConsecutiveAlphas) {
  for (const auto& [diameter, dimensions] : {std::pair{5U, 1U}, {8U, 1U}, {2U, 2U}}) {
    const std::uint64_t d = diameter;
    std::uint64_t steps = d * (d + 1) * (2 * d + 1) / 6;
    for (std::uint64_t n = 1; n < dimensions; ++n) steps *= 3 * d * d + 3 * d + 1;
    const std::string topology =
        "ej:" + std::to_string(d) + "+" + std::to_string(d + 1) + "^" + std::to_string(dimensions);
    expect_steps(topology, "edge-colouring", steps);
    expect_steps(topology, "edge-colouring-half-duplex", 2 * steps);
  }
}

/// Nodes between sectors have two or three shortest routes, one of which is chosen.
TEST(EjTotalExchange, OtherAlphas) {
  struct Row {
    std::string topology;
    std::uint64_t full;
    std::uint64_t full_bound;
    std::uint64_t half;
    std::uint64_t half_bound;
  };
  const Row rows[] = {{"ej:2+2", 3, 3, 6, 6},         {"ej:0+4", 5, 4, 8, 8},
                      {"ej:2+4", 10, 10, 19, 19},     {"ej:0+3", 2, 2, 4, 4},
                      {"ej:1+5", 11, 11, 22, 22},     {"ej:1+3", 3, 3, 6, 6},
                      {"ej:1+3^2", 39, 39, 78, 78},   {"ej:2+2^2", 32, 32, 64, 64},
                      {"ej:0+4^2", 64, 64, 128, 128}, {"ej:0+3^3", 135, 135, 270, 270},
                      {"ej:4+7", 58, 57, 115, 114},   {"ej:2+4^2", 267, 266, 532, 532}};
  for (const Row& row : rows) {
    EXPECT_EQ(bound_of(expect_steps(row.topology, "edge-colouring", row.full)), row.full_bound);
    EXPECT_EQ(bound_of(expect_steps(row.topology, "edge-colouring-half-duplex", row.half)),
              row.half_bound);
  }
}

TEST(EjTotalExchange, LowerBoundsOfAllPorts) {
  const auto expect = [](const GoldenRow& row) {
    const RunResult result = prepared(ej_topology(row), "edge-colouring")->execute();
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(bound_of(result),
              std::max(row.number("all_port_lower_bound"), result.forecast.diameter.value()));
    EXPECT_LE(result.record.steps, bound_of(result) + 1);
  };
  EXPECT_EQ(for_each_ej_row("ej/total_exchange.csv", {1, most_messages}, expect), 16U);
}

/// Recounted from the trace of the machine's sends.
TEST(EjTotalExchange, HalfDuplexLinksCarryOneDirectionAtATime) {
  for (const std::string topology : {"ej:2+3", "ej:0+3", "ej:2+2^2", "ej:1+2^2"}) {
    SCOPED_TRACE(topology);
    SendTrace trace;
    const RunResult result =
        prepared(topology, "edge-colouring-half-duplex")->execute({.trace = &trace});
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(trace.size(), result.record.messages_sent);
    EXPECT_TRUE(impossible_sends(trace, make_topology(topology)).empty());
    EXPECT_TRUE(recount_trace(trace, port_models::all_port_half_duplex).violations.empty());
  }
}

}  // namespace
}  // namespace lockstep::test
