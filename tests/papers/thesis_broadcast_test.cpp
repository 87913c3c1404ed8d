// SPDX-License-Identifier: Apache-2.0

/// V. V. Dimakopoulos, "Collective communication problems in multiprocessors", chapter 3: broadcast
/// through all ports (section 3.1) and through one (section 3.2), counted by the machine.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/verify/lower_bounds.hpp"
#include "support/golden.hpp"

namespace lockstep {
namespace {

using test::golden;
using test::GoldenRow;

/// The tables write ';' for the comma of a name.
[[nodiscard]] AnyTopology topology_of(const GoldenRow& row) {
  std::string name = row.text("topology");
  std::replace(name.begin(), name.end(), ';', ',');
  return make_topology(name);
}

[[nodiscard]] RunResult run_from(const GoldenRow& row, const std::string& algorithm) {
  RunRequest request{.topology = topology_of(row),
                     .operation = Operation::broadcast,
                     .algorithm = algorithm,
                     .block_bytes = 8,
                     .executor = ExecutorKind::serial};
  request.settings["root"] = row.number("root");
  RunResult result = prepare(request)->execute();
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.record.hops, request.topology.node_count() - 1);
  EXPECT_EQ(result.record.startups, result.forecast.predicted->startups);
  return result;
}

/// For every d those at distance d or more: told two links per node, the bound has nothing else to
/// go by that could be sharper.
TEST(ThesisBroadcast, Theorem33) {
  std::size_t compared = 0;
  for (const GoldenRow& row : golden("thesis/single_port_broadcast.csv")) {
    const AnyTopology topology = topology_of(row);
    const NodeId root{row.number("root")};
    const std::vector<std::uint64_t> levels = level_sizes(topology, root);
    for (const PortModel& model : {port_models::single_port, port_models::single_port_send}) {
      const auto bound = lower_bound({Operation::broadcast, root},
                                     {.processors = topology.node_count(),
                                      .degree = 2,
                                      .diameter = levels.size() - 1,
                                      .levels = levels},
                                     model);
      EXPECT_EQ(bound.value().least.startups, row.number("theorem_3_3")) << topology.name();
    }
    ++compared;
  }
  EXPECT_GE(compared, 90U);
}

/// Section 3.1: as many steps as the farthest node is away.
TEST(ThesisBroadcast, ATreeTakesTheEccentricityThroughAllPorts) {
  for (const GoldenRow& row : golden("thesis/single_port_broadcast.csv")) {
    SCOPED_TRACE(row.text("topology") + " from " + row.text("root"));
    const RunResult result = run_from(row, "tree");
    EXPECT_EQ(result.record.startups, eccentricity(topology_of(row), NodeId{row.number("root")}));
    EXPECT_EQ(result.record.startups, result.forecast.lower_bound->least.startups);
  }
}

/// What cannot be beaten is never more than what takes the fewest steps, and that never more than
/// what we have.
TEST(ThesisBroadcast, OnePortLiesBetweenTheBoundAndTheTree) {
  std::size_t attained = 0;
  std::size_t searched = 0;
  for (const GoldenRow& row : golden("thesis/single_port_broadcast.csv")) {
    SCOPED_TRACE(row.text("topology") + " from " + row.text("root"));
    const RunResult matching = run_from(row, "matching");
    const std::uint64_t bound = matching.forecast.lower_bound->least.startups;
    EXPECT_GE(bound, row.number("theorem_3_3"));
    EXPECT_LE(bound, matching.record.startups);
    EXPECT_LE(bound, run_from(row, "single-port-tree").record.startups);
    if (row.text("exact").empty()) continue;
    ++searched;
    EXPECT_LE(bound, row.number("exact"));
    EXPECT_GE(matching.record.startups, row.number("exact"));
    attained += matching.record.startups == row.number("exact") ? 1U : 0U;
  }
  EXPECT_GE(searched, 70U);
  EXPECT_GE(attained + 4, searched);  // but for 4 no broadcast takes fewer steps
}

}  // namespace
}  // namespace lockstep
