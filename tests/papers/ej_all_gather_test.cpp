// SPDX-License-Identifier: Apache-2.0
/// The all-gathers of Eisenstein-Jacobi networks against the figures of an independent program, and
/// what the paper says of them: Z. Hussain, "An improved one-to-all broadcasting in higher
/// dimensional Eisenstein-Jacobi networks", section 4.2. Everything is counted by the machine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "algorithm/all_gather/ej_gather_loads.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/report/run_report.hpp"
#include "study/stress.hpp"
#include "support/ej_gathers.hpp"
#include "support/ej_golden.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The catalogue's names for those of the figures.
std::string algorithm_of(const GoldenRow& row) {
  static const std::map<std::string, std::string> names{{"full-duplex", "simultaneous"},
                                                        {"rotated-parts", "simultaneous-rotated"}};
  const auto found = names.find(row.text("algorithm"));
  return found == names.end() ? row.text("algorithm") : found->second;
}

TEST(EjAllGatherFigures, AreWhatTheMachineCounts) {
  for (const GoldenRow& row : golden("ej/all_gather.csv")) {
    SCOPED_TRACE(ej_topology(row) + " " + row.text("algorithm"));
    const EjRun run = ej_run(ej_topology(row), algorithm_of(row));
    const RunRecord& record = run.result.record;
    EXPECT_TRUE(record.legal());
    EXPECT_TRUE(run.result.judgement.promises.kept());
    EXPECT_EQ(record.steps, row.number("steps"));
    EXPECT_EQ(run.result.judgement.deliveries.tally.verified,
              record.nodes * row.number("received"));
    EXPECT_EQ(run.result.judgement.deliveries.missing, record.nodes * row.number("missing"));
    EXPECT_EQ(run.result.judgement.outcome,
              row.number("missing") == 0 ? Outcome::complete : Outcome::incomplete_as_known);
    if (!row.text("largest_loads").empty()) {
      EXPECT_EQ(run.largest_messages(), row.numbers("largest_loads"));
    }
    EXPECT_EQ(record.message_times, row.number("sum_of_largest_loads"));
  }
}

/// On half-duplex links in parts: each step and load twice.
TEST(EjAllGatherFigures, OfPartsAreTwiceThatOnHalfDuplexLinks) {
  for (const GoldenRow& row : golden("ej/all_gather.csv")) {
    if (row.text("algorithm") != "rotated-parts") continue;
    SCOPED_TRACE(ej_topology(row));
    const EjRun run = ej_run(ej_topology(row), "rotated");
    EXPECT_TRUE(run.result.ok() && run.result.judgement.promises.kept());
    EXPECT_EQ(run.result.record.steps, 2 * row.number("steps"));
    EXPECT_EQ(run.result.record.message_times, 2 * row.number("sum_of_largest_loads"));
    EXPECT_EQ(run.result.forecast.parts_per_block(), row.number("n"));
  }
}

/// The steps of a phase; phase 0: of all phases.
TEST(EjAllGatherFigures, HoldForEveryLink) {
  std::map<std::string, EjLoads> counted;
  for (const GoldenRow& row : golden("ej/all_gather_loads.csv")) {
    const std::string name = ej_topology(row) + " " + algorithm_of(row);
    SCOPED_TRACE(name + " phase " + row.text("phase") + " dimension " + row.text("dimension") +
                 " port " + row.text("port"));
    if (counted.count(name) == 0)
      counted[name] = ej_run(ej_topology(row), algorithm_of(row)).loads();
    std::size_t begin = 0;
    if (row.number("phase") != 0) {
      const auto phases = ej_rows("all_gather.csv", ej_topology(row), row.text("algorithm"));
      const auto steps = phases.front().numbers("steps_per_phase");
      for (std::size_t phase = 1; phase < row.number("phase"); ++phase) begin += steps[phase - 1];
    }
    const std::size_t port = 6 * (row.number("dimension") - 1) + row.number("port");
    const std::vector<std::uint64_t> expected = row.numbers("loads");
    for (std::size_t step = 0; step < expected.size(); ++step)
      EXPECT_EQ(counted[name].at(begin + step).at(port), expected[step]) << "step " << step;
  }
}

/// Links without figures send nothing.
TEST(EjAllGatherFigures, LeaveNoLinkOut) {
  std::map<std::string, std::uint64_t> blocks;
  for (const GoldenRow& row : golden("ej/all_gather_loads.csv"))
    blocks[ej_topology(row) + " " + algorithm_of(row)] += sum_of(row.numbers("loads"));
  for (const auto& [name, expected] : blocks) {
    const std::size_t blank = name.find(' ');
    std::uint64_t sent = 0;
    for (const auto& step : ej_run(name.substr(0, blank), name.substr(blank + 1)).loads())
      sent += sum_of(step);
    EXPECT_EQ(sent, expected) << name;
  }
}

TEST(EjAllGatherBounds, AreAttainedByGreedyWithOneBlockPerMessage) {
  for (const GoldenRow& row : golden("ej/all_gather_bounds.csv")) {
    SCOPED_TRACE(ej_topology(row));
    for (const auto& [algorithm, column] :
         {std::pair{"greedy", "full_duplex"}, std::pair{"greedy-half-duplex", "half_duplex"}}) {
      const RunResult result = ej_run(ej_topology(row), algorithm).result;
      EXPECT_TRUE(result.ok() && result.judgement.promises.kept()) << algorithm;
      EXPECT_EQ(result.record.steps, row.number(column)) << algorithm;
      EXPECT_EQ(result.record.message_times, row.number(column)) << algorithm;
      EXPECT_EQ(result.record.largest_message_blocks, 1U) << algorithm;
      EXPECT_EQ(result.forecast.lower_bound->undivided.message_times, row.number(column))
          << algorithm;
    }
  }
}

/// EJ_(3+4rho)^(n): steps, message times; in three dimensions by closed form.
TEST(EjAllGatherSummary, IsTheTableOfAllAlgorithms) {
  const auto claimed = [](const std::string& topology, const std::string& algorithm) {
    const RunForecast run = prepare(ej_request(topology, algorithm), false)->forecast();
    return std::pair{run.footprint.steps, run.predicted->message_times};
  };
  const auto row = [&](const std::string& algorithm) {
    return std::vector{claimed("ej:3+4", algorithm), claimed("ej:3+4^2", algorithm),
                       claimed("ej:3+4^3", algorithm)};
  };
  const auto cell = [](std::uint64_t steps, std::uint64_t times) {
    return std::pair{steps, Fraction(times, 1)};
  };
  EXPECT_THAT(row("three-phase"), ElementsAre(cell(9, 18), cell(18, 234), cell(27, 3042)));
  EXPECT_THAT(row("three-phase-complete"),
              ElementsAre(cell(9, 18), cell(18, 450), cell(27, 12978)));
  EXPECT_THAT(row("two-substep"), ElementsAre(cell(6, 12), cell(12, 444), cell(18, 16428)));
  EXPECT_THAT(row("rotated"), ElementsAre(cell(6, 12), cell(12, 228), cell(18, 5628)));
}

TEST(EjAllGatherSection4, ThreePhasesLeaveOutWhatChangesPhase) {
  for (const auto& [topology, received, of] :
       {std::tuple{"ej:1+2^2", 24U, 48U}, std::tuple{"ej:2+3^2", 144U, 360U},
        std::tuple{"ej:1+2^3", 78U, 342U}, std::tuple{"ej:3+4^2", 504U, 1368U}}) {
    SCOPED_TRACE(topology);
    const RunResult result = ej_run(topology, "three-phase").result;
    EXPECT_EQ(result.judgement.outcome, Outcome::incomplete_as_known);
    EXPECT_EQ(result.judgement.deliveries.received, (Received{received, received, of}));
    EXPECT_EQ(result.judgement.deliveries.tally.duplicated, 0U);
    ASSERT_TRUE(result.judgement.deliveries.first_missing.has_value());
    const std::string text = to_text({.result = result});
    EXPECT_THAT(text, HasSubstr("first missing: from node "));
    EXPECT_THAT(text, HasSubstr("each processor received " + std::to_string(received) + " of "));
    EXPECT_THAT(text, HasSubstr("NOT DELIVERED: incomplete, as the erratum predicts"));
  }
}

/// The claim "by the end of phase 3 every node has received N^n - 1 distinct messages": the message
/// of (0, 0) does not come to (+1, -1), for +1 is in a sector of phase 1 and -1 in one of phase 2.
TEST(EjAllGatherSection4, TheCounterexampleIsNotDelivered) {
  const AnyTopology network = make_topology("ej:1+2^2");
  const MissingPair pair{*network.find("(0, 0)"), *network.find("(1, -1)")};
  const RunRequest request = ej_request("ej:1+2^2", "three-phase");
  const study::FaultPrediction outcome = study::predict(request, *prepare(request));
  EXPECT_THAT(outcome.missing, testing::Contains(pair));
  EXPECT_EQ(outcome.missing.size(), 49U * 24U);
}

/// A block comes where all coordinates of the displacement are in sectors of one phase.
TEST(EjAllGatherSection4, TheMissingPairsAreThoseOfTwoPhases) {
  const EisensteinJacobiNetwork network(2, 3, 2);
  const EisensteinJacobiTree tree(network.alpha());
  const Transfers plan = ej_three_phase.plan({.network = any_cayley(network)});
  std::vector<bool> reached(network.node_count());
  for (const Transfer& transfer : plan.list) reached[transfer.to] = true;
  for (std::uint64_t v = 1; v < network.node_count(); ++v) {
    const NodeId low = network.coordinate(NodeId{v}, 0);
    const NodeId high = network.coordinate(NodeId{v}, 1);
    const bool one_phase = low == NodeId{0} || high == NodeId{0} ||
                           ej_phase_of(tree.sector(low)) == ej_phase_of(tree.sector(high));
    EXPECT_EQ(reached[v], one_phase) << network.label(NodeId{v});
  }
}

/// Algorithm 4 as printed: every packet of a phase's last step starts the next phase where it is,
/// with the message it carries.
TEST(EjAllGatherSection4, TheLiteralRelaunchFloods) {
  const auto flood = [](std::uint64_t a, std::uint64_t b, std::size_t n) {
    const EisensteinJacobiNetwork network(a, b, n);
    const Transfers plan = ej_three_phase.plan({.network = any_cayley(network)});
    const std::uint64_t steps = plan.steps / 3;
    std::vector<bool> holds(network.node_count());
    std::vector<NodeId> launches{NodeId{0}};
    std::uint64_t packets = 0;
    std::uint64_t duplicates = 0;
    for (std::uint64_t phase = 0; phase < 3; ++phase) {
      std::vector<NodeId> relaunches;
      for (const NodeId from : launches)
        for (const Transfer& hop : plan.list) {
          if (hop.step / steps != phase) continue;
          const NodeId to = network.product(from, NodeId{hop.to});
          ++packets;
          duplicates += static_cast<std::uint64_t>(holds[index(to)]);
          holds[index(to)] = true;
          if (hop.step % steps == steps - 1) relaunches.push_back(to);
        }
      launches = relaunches;
    }
    EXPECT_EQ(std::count(holds.begin(), holds.end(), false), 0);
    return std::pair{packets, duplicates};
  };
  EXPECT_EQ(flood(3, 4, 1), std::pair(std::uint64_t{516}, std::uint64_t{479}));
  EXPECT_EQ(flood(2, 3, 2), std::pair(std::uint64_t{13'104}, std::uint64_t{12'743}));
}

/// "All nodes cannot perform the one-to-all broadcast simultaneously" on half-duplex links: so it
/// is, and the machine says where.
TEST(EjAllGatherSection4, BroadcastsFromAllAtOnceNeedFullDuplexLinks) {
  for (const std::string& algorithm : ej_full_duplex) {
    SCOPED_TRACE(algorithm);
    RunRequest request = ej_request("ej:2+3^2", algorithm);
    request.port_model = port_models::all_port_half_duplex;
    const RunResult result = ej_run(request).result;
    EXPECT_EQ(result.judgement.outcome, Outcome::rule_broken);
    ASSERT_FALSE(result.record.violations.empty());
    const Violation& first = result.record.violations.front();
    EXPECT_EQ(first.rule, Rule::half_duplex);
    EXPECT_EQ(first.step, 0U);
    EXPECT_EQ(first.other_end, make_topology("ej:2+3^2").neighbor(first.node, first.port));
    EXPECT_THAT(to_text({.result = result}),
                HasSubstr("step 0, node 0 (0, 0), port 0, link to node 1 (0, 1): "
                          "link used in both directions in one step (rule half-duplex)"));
  }
}

/// .. but it does not follow that three phases are needed: two halves of every step are enough, and
/// take a third less of both, for n = 1.
TEST(EjAllGatherSection4, TwoHalvesBeatThreePhases) {
  for (std::uint64_t d = 1; d <= 5; ++d) {
    const std::string topology = ej_name({d, d + 1}, 1);
    const RunRecord three = ej_run(topology, "three-phase").result.record;
    const RunRecord two = ej_run(topology, "two-substep").result.record;
    EXPECT_EQ(three.steps, 3 * d);
    EXPECT_EQ(three.message_times, 3 * d * (d + 1) / 2);
    EXPECT_EQ(two.steps, 2 * d);
    EXPECT_EQ(two.message_times, d * (d + 1));
  }
}

/// The steps of three phases take messages combined: D on one link. The three ports of a phase are
/// loaded unlike, all six alike over the phases.
TEST(EjAllGatherSection4, PortsOfAPhaseAreLoadedUnlike) {
  constexpr std::uint64_t d = 4;
  const EjRun run = ej_run(ej_name({d, d + 1}, 1), "three-phase");
  EXPECT_EQ(run.result.record.largest_message_blocks, d);
  const EjLoads loads = run.loads();
  std::vector<std::uint64_t> of_port(6);
  for (std::size_t phase = 0; phase < 3; ++phase) {
    std::vector<std::uint64_t> in_phase(6);
    for (std::size_t step = phase * d; step < (phase + 1) * d; ++step)
      for (std::size_t port = 0; port < 6; ++port) in_phase[port] += loads[step][port];
    const std::size_t low = (2 * phase + 5) % 6;
    EXPECT_EQ(in_phase[low], d * (d - 1) / 2);
    EXPECT_EQ(in_phase[(low + 1) % 6], d * (d + 1) / 2);
    EXPECT_EQ(in_phase[(low + 2) % 6], d);
    for (std::size_t port = 0; port < 6; ++port) of_port[port] += in_phase[port];
  }
  EXPECT_THAT(of_port, testing::Each(d * (d + 1) / 2));
}

}  // namespace
}  // namespace lockstep::test
