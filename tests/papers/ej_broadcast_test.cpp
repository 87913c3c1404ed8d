// SPDX-License-Identifier: Apache-2.0

/// Z. Hussain, one-to-all broadcast in EJ_alpha^(n), the previous (iterative) and the improved
/// algorithm: what the paper's tables and formulas say, counted by the machine while it moves and
/// verifies every byte. Figures of an independent reference program (golden/ej) for 28 networks,
/// among them those with b other than a + 1 (beyond the paper).

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/broadcast/ej_tree_broadcasts.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/metrics.hpp"
#include "support/ej_golden.hpp"
#include "support/golden.hpp"
#include "support/jobs.hpp"

namespace lockstep::test {
namespace {

constexpr std::uint64_t most_counted = 2'000'000;      // nodes
constexpr std::uint64_t most_in_every_way = 2'500;     // nodes: all channels and workers
constexpr std::uint64_t most_with_two_roots = 50'000;  // nodes

[[nodiscard]] RunRequest broadcast_request(const std::string& topology,
                                           const std::string& algorithm, NodeId root) {
  RunRequest request{.topology = topology,
                     .operation = Operation::broadcast,
                     .algorithm = algorithm,
                     .block_bytes = 1,
                     .workers = 2,
                     .keep_series = true};
  request.settings["root"] = index(root);
  return request;
}

void expect_series(const std::vector<StepRecord>& series, std::uint64_t nodes,
                   const EjSteps& known) {
  ASSERT_EQ(series.size(), known.senders.size());
  for (std::size_t t = 0; t < series.size(); ++t) {
    SCOPED_TRACE("step " + std::to_string(t + 1));
    EXPECT_EQ(series[t].senders, known.senders[t]);
    EXPECT_EQ(series[t].receivers, known.receivers[t]);
    EXPECT_EQ(series[t].active, known.active[t]);
    EXPECT_EQ(nodes - series[t].active, known.free[t]);
    EXPECT_EQ(series[t].messages, known.receivers[t]);
  }
}

/// The mean over all but the root, as an exact fraction.
void expect_average_receive_step(const std::vector<StepRecord>& series, std::uint64_t receivers,
                                 std::uint64_t numerator, std::uint64_t denominator) {
  std::uint64_t sum = 0;
  for (std::size_t t = 0; t < series.size(); ++t) sum += (t + 1) * series[t].receivers;
  EXPECT_EQ(sum * denominator, receivers * numerator);
}

void expect_known(const RunResult& result, const GoldenRow& row, const std::string& algorithm) {
  const RunRecord& record = result.record;
  EXPECT_EQ(result.judgement.outcome, lockstep::Outcome::complete);
  for (const BrokenPromise& broken : result.judgement.promises.broken)
    ADD_FAILURE() << broken.sentence();
  EXPECT_EQ(result.forecast.degree, row.number("degree"));
  EXPECT_EQ(record.processors, row.number("nodes"));
  EXPECT_EQ(record.steps, row.number("steps"));
  EXPECT_EQ(record.startups, row.number("steps"));
  EXPECT_EQ(record.message_times, row.number("steps"));
  EXPECT_EQ(record.messages_sent, row.number("messages"));
  EXPECT_EQ(record.deliveries.verified, row.number("messages"));
  EXPECT_EQ(record.receivers, row.number("messages"));
  EXPECT_EQ(record.senders, row.number(algorithm + "_senders"));
  const auto steps = ej_rows("one_to_all_steps.csv", ej_topology(row), algorithm);
  ASSERT_NO_FATAL_FAILURE(expect_series(record.series, record.nodes, ej_steps(steps.front())));
  expect_average_receive_step(record.series, row.number("messages"),
                              row.number(algorithm + "_average_numerator"),
                              row.number(algorithm + "_average_denominator"));
}

class EjBroadcast : public testing::TestWithParam<std::string> {
 protected:
  /// check(row, topology) for the networks of so many nodes.
  template <class Check>
  static void for_networks_up_to(std::uint64_t nodes, Check check) {
    std::size_t checked = 0;
    for (const GoldenRow& row : golden("ej/one_to_all.csv")) {
      if (row.number("nodes") > nodes) continue;
      SCOPED_TRACE(ej_topology(row) + " " + GetParam());
      check(row, ej_topology(row));
      ++checked;
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_GE(checked, 15U);
  }
};

INSTANTIATE_TEST_SUITE_P(Papers, EjBroadcast, testing::Values("iterative", "improved"),
                         [](const auto& suite) { return suite.param; });

/// Tables 1, 2, 3; equations (5) to (10); figures 15 to 18.
TEST_P(EjBroadcast, SendersAndReceiversOfEveryStepAreTheKnownOnes) {
  for_networks_up_to(most_counted, [](const GoldenRow& row, const std::string& topology) {
    const RunResult result = prepare(broadcast_request(topology, GetParam(), NodeId{0}))->execute();
    expect_known(result, row, GetParam());
  });
}

/// The graph looks the same from every node.
TEST_P(EjBroadcast, TheSourceMakesNoDifference) {
  for_networks_up_to(most_with_two_roots, [](const GoldenRow& row, const std::string& topology) {
    for (const std::uint64_t root : {row.number("nodes") * 2 / 3, row.number("nodes") - 1}) {
      SCOPED_TRACE("root " + std::to_string(root));
      const RunResult result =
          prepare(broadcast_request(topology, GetParam(), NodeId{root}))->execute();
      expect_known(result, row, GetParam());
    }
  });
}

TEST_P(EjBroadcast, NeitherChannelsNorWorkersMakeADifference) {
  for_networks_up_to(most_in_every_way, [](const GoldenRow& row, const std::string& topology) {
    RunRequest request = broadcast_request(topology, GetParam(), NodeId{row.number("nodes") / 2});
    for (const ChannelKind channel : channels_for(request))
      for (const std::size_t workers : {1U, 2U, 8U}) {
        SCOPED_TRACE("workers " + std::to_string(workers));
        request.channel = channel;
        request.workers = workers;
        request.processors_per_task = 64;
        request.block_bytes = 9;
        expect_known(prepare(request)->execute(), row, GetParam());
      }
  });
}

/// The cost of a run of any size is known at once.
TEST_P(EjBroadcast, PromisesAreTheKnownFiguresWhateverTheSize) {
  for (const GoldenRow& row : golden("ej/one_to_all.csv")) {
    SCOPED_TRACE(ej_topology(row));
    const auto run = prepare(broadcast_request(ej_topology(row), GetParam(), NodeId{0}), false);
    EXPECT_EQ(run->forecast().predicted->startups, row.number("steps"));
    EXPECT_EQ(run->forecast().predicted->message_times, row.number("steps"));
    EXPECT_EQ(run->forecast().footprint.steps, row.number("steps"));
    EXPECT_EQ(run->forecast().footprint.hops, row.number("messages"));
    EXPECT_EQ(run->forecast().expected_messages(), row.number("messages"));
    EXPECT_EQ(run->forecast().lower_bound->least.startups, row.number("steps"));
  }
}

/// Beyond the paper: any 0 <= a <= b. Receivers of a step are the nodes at that distance
/// (improved); senders are the tree's inner nodes, in every copy (improved), in every copy of every
/// round (iterative).
TEST(EjBroadcastOfAnyAlpha, CountsAreThoseOfDistancesAndInnerNodes) {
  struct Case {
    std::uint64_t a, b;
    std::size_t most_dimensions;
    std::uint64_t inner_nodes;  ///< 0: asked of the tree
  };
  for (const Case& c : {Case{1, 4, 3, 0}, Case{2, 5, 2, 0}, Case{3, 3, 3, 0}, Case{0, 5, 2, 0},
                        Case{0, 3, 3, 3}, Case{2, 2, 2, 4}, Case{1, 3, 3, 4}, Case{2, 4, 2, 13},
                        Case{0, 4, 2, 7}, Case{3, 6, 2, 0}, Case{4, 4, 2, 0}, Case{1, 5, 2, 16}})
    for (std::size_t n = 1; n <= c.most_dimensions; ++n) {
      const EisensteinJacobiNetwork network(c.a, c.b, n);
      SCOPED_TRACE(network.name());
      const std::uint64_t nodes = network.node_count();
      const std::uint64_t size = network.alpha().node_count();
      const EisensteinJacobiTree tree(network.alpha());
      std::uint64_t inner = 0;
      for (std::uint64_t u = 0; u < size; ++u) inner += tree.is_leaf(NodeId{u}) ? 0U : 1U;
      EXPECT_TRUE(c.inner_nodes == 0 || inner == c.inner_nodes) << inner;
      for (const NodeId root : {NodeId{0}, NodeId{nodes / 2}}) {
        const RunResult improved =
            prepare(broadcast_request(network.name(), "improved", root))->execute();
        const RunResult iterative =
            prepare(broadcast_request(network.name(), "iterative", root))->execute();
        EXPECT_EQ(improved.judgement.outcome, lockstep::Outcome::complete);
        EXPECT_EQ(iterative.judgement.outcome, lockstep::Outcome::complete);
        EXPECT_EQ(improved.record.senders, inner * nodes / size);
        EXPECT_EQ(iterative.record.senders, inner * ((nodes - 1) / (size - 1)));
        const std::vector<std::uint64_t> levels = level_sizes(network, root);
        ASSERT_EQ(improved.record.series.size(), levels.size() - 1);
        for (std::size_t t = 1; t < levels.size(); ++t)
          EXPECT_EQ(improved.record.series[t - 1].receivers, levels[t]) << t;
      }
    }
}

/// Who receives when, and from whom, on all networks of the paper and beyond of that size.
template <class A, class Check>
void for_every_receipt(std::uint64_t most_nodes, Check check) {
  for (const GoldenRow& row : golden("ej/one_to_all.csv")) {
    if (row.number("nodes") > most_nodes) continue;
    const EisensteinJacobiNetwork network(row.number("a"), row.number("b"), row.number("n"));
    SCOPED_TRACE(network.name());
    const NodeId root{network.node_count() / 3};
    const A algorithm(network, {{"root", index(root)}});
    SendTrace trace;
    const RunOutcome outcome =
        run_reference(build_network(network), algorithm.program(),
                      {.model = A::info.model, .collective = {Operation::broadcast, root}},
                      ChannelKind::slot, &trace);
    ASSERT_TRUE(outcome.verdict.complete());
    for (const SendEvent& event : trace) check(network, root, event);
    if (testing::Test::HasFailure()) return;
  }
}

/// Section 5: "a lower average number of steps to receive": nobody can receive earlier.
TEST(EjBroadcastSteps, InTheImprovedAlgorithmEverybodyReceivesInTheStepOfItsDistance) {
  for_every_receipt<EjImproved>(
      2'500, [](const EisensteinJacobiNetwork& network, NodeId root, const SendEvent& event) {
        EXPECT_EQ(event.step + 1, network.distance(root, event.receiver));
      });
}

/// Section 3: round r works in dimension n - r + 1, D steps long.
TEST(EjBroadcastSteps, InTheIterativeAlgorithmARoundIsADimension) {
  for_every_receipt<EjIterative>(
      2'500, [](const EisensteinJacobiNetwork& network, NodeId, const SendEvent& event) {
        const std::uint64_t round = event.step / network.alpha().diameter();
        EXPECT_EQ(index(event.port) / 6, network.dimensions() - 1 - round);
      });
}

/// Erratum 27: both move as many messages, and the same nodes ever send; only how often differs.
TEST(EjBroadcastSteps, TheSameNodesEverSendInBoth) {
  std::set<std::pair<std::string, NodeId>> improved;
  std::set<std::pair<std::string, NodeId>> iterative;
  for_every_receipt<EjImproved>(1'000, [&](const auto& network, NodeId, const SendEvent& event) {
    improved.emplace(network.name(), event.sender);
  });
  for_every_receipt<EjIterative>(1'000, [&](const auto& network, NodeId, const SendEvent& event) {
    iterative.emplace(network.name(), event.sender);
  });
  EXPECT_EQ(improved, iterative);
}

/// Equation (6), as the erratum 18 corrects it: senders follow the receivers of the step before
/// only within a round. Table 1: step 4 of EJ_(3+4rho)^(2) has 37 senders after 18 receivers.
TEST(EjBroadcastSteps, AtARoundsStartAllHoldersSend) {
  const RunResult result =
      prepare(broadcast_request("ej:3+4^2", "iterative", NodeId{0}))->execute();
  ASSERT_EQ(result.record.series.size(), 6U);
  EXPECT_EQ(result.record.series[2].receivers, 18U);
  EXPECT_EQ(result.record.series[3].senders, 37U);
}

}  // namespace
}  // namespace lockstep::test
