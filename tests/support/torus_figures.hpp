// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The costs of aggregations by an independent simulation (tests/golden/torus/aggregation.csv and
/// aggregation_plus.csv), compared with the counts of the machine.
///
///     for (const SimulatedBroadcast& simulated : simulated_broadcasts())
///       expect_as_simulated(simulated);

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/aggregation_schedule.hpp"
#include "support/golden.hpp"
#include "support/torus_broadcasts.hpp"

namespace lockstep::test {

struct SimulatedBroadcast {
  TorusBroadcast broadcast;
  GoldenRow row;
};

/// The broadcasts of both variants.
inline std::vector<SimulatedBroadcast> simulated_broadcasts() {
  std::vector<SimulatedBroadcast> all;
  for (const std::string algorithm : {"aggregation", "aggregation-plus"})
    for (const GoldenRow& row : golden(algorithm == "aggregation" ? "torus/aggregation.csv"
                                                                  : "torus/aggregation_plus.csv"))
      all.push_back({{.rows = row.number("rows"),
                      .columns = row.number("columns"),
                      .messages = row.number("s"),
                      .h = row.number("h"),
                      .placement = row.text("placement"),
                      .algorithm = algorithm},
                     row});
  return all;
}

/// By phase, the way the golden files list them; D3 has names of its own in each variant.
inline void expect_phases(const RunRecord& record, const GoldenRow& row) {
  constexpr std::size_t listed = index(AggregationPhase::half_broadcast);
  std::map<std::string, PhaseRecord> by_name;
  for (const PhaseRecord& phase : record.phases) {
    std::string name = phase.name;
    for (const auto& [own, other] :
         {std::pair(AggregationPhase::half_broadcast, AggregationPhase::row_broadcast),
          std::pair(AggregationPhase::half_rings, AggregationPhase::column_ring)})
      if (name == name_of(own)) name = name_of(other);
    by_name[name] = phase;
  }
  const std::vector<std::uint64_t> steps = row.numbers("steps_by_phase");
  const std::vector<std::uint64_t> largest = row.numbers("largest_by_phase");
  ASSERT_EQ(steps.size(), listed);
  for (std::size_t p = 0; p < steps.size(); ++p) {
    const std::string name(name_of(static_cast<AggregationPhase>(p)));
    EXPECT_EQ(by_name[name].steps, steps[p]) << name;
    EXPECT_EQ(by_name[name].message_times + by_name[name].control_words, largest[p]) << name;
    EXPECT_TRUE(by_name[name].message_times == 0 || by_name[name].control_words == 0) << name;
  }
}

/// Not within a second.
inline bool is_long(const TorusBroadcast& broadcast) {
  constexpr std::uint64_t deliveries = 2'000'000;
  return broadcast.messages * broadcast.rows * broadcast.columns > deliveries;
}

inline void expect_as_simulated(const SimulatedBroadcast& simulated) {
  const auto& [broadcast, row] = simulated;
  SCOPED_TRACE(described(broadcast));
  const RunResult result = many_to_all(broadcast);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.record.steps, row.number("steps"));
  EXPECT_EQ(result.cost.message_times, Fraction(row.number("message_times")));
  EXPECT_EQ(result.cost.control_words, row.number("control_words"));
  EXPECT_EQ(result.record.blocks_moved, row.number("volume"));
  expect_phases(result.record, row);
}

}  // namespace lockstep::test
