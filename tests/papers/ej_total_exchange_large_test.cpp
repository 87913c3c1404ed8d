// SPDX-License-Identifier: Apache-2.0

/// As ej_total_exchange_test.cpp, in networks of up to 50 million messages: minutes.

#include <gtest/gtest.h>

#include "support/ej_exchanges.hpp"

namespace lockstep::test {
namespace {

constexpr MessageRange large{2'000'001, 50'000'000};

TEST(EjLargeTotalExchange, SinglePortTakesTheSumOfTheDistances) {
  const auto expect = [](const GoldenRow& row) {
    expect_steps(ej_topology(row), "node-invariant", row.number("single_port_steps"));
  };
  EXPECT_EQ(for_each_ej_row("ej/total_exchange.csv", large, expect), 3U);
}

TEST(EjLargeTotalExchange, EdgeColouringMeetsTheBoundsOfAllPorts) {
  const auto expect = [](const GoldenRow& row) {
    const std::uint64_t bound = row.number("all_port_lower_bound");
    expect_steps(ej_topology(row), "edge-colouring", bound);
    expect_steps(ej_topology(row), "edge-colouring-half-duplex", 2 * bound);
  };
  EXPECT_EQ(for_each_ej_row("ej/total_exchange.csv", large, expect), 3U);
}

}  // namespace
}  // namespace lockstep::test
