// SPDX-License-Identifier: Apache-2.0
// What holds of every all-gather of Eisenstein-Jacobi networks, for awkward alphas too: delivered,
// no link used both ways in a step where links are half-duplex, what it promised, one record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lockstep/algorithm/all_gather/ej_greedy.hpp"
#include "lockstep/algorithm/all_gather/ej_rotated.hpp"
#include "lockstep/algorithm/all_gather/ej_simultaneous.hpp"
#include "lockstep/algorithm/all_gather/ej_three_phase.hpp"
#include "lockstep/algorithm/all_gather/ej_three_phase_complete.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/verify/legality.hpp"
#include "study/stress.hpp"
#include "support/ej_gathers.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {
namespace {

using testing::IsEmpty;

/// check(topology, network): up to 1000 processors.
template <class Check>
void for_every_network(Check check) {
  constexpr std::uint64_t most = 1000;
  for (const auto& alpha : ej_alphas)
    for (const std::size_t n : {1U, 2U, 3U}) {
      const EisensteinJacobiNetwork network(alpha.first, alpha.second, n);
      if (network.node_count() > most) continue;
      SCOPED_TRACE(network.name());
      check(network.name(), network);
    }
}

void expect_legal(const EjRun& run) {
  EXPECT_TRUE(run.result.record.legal());
  const Recount recount = recount_trace(run.trace, run.result.forecast.model);
  EXPECT_THAT(recount.violations, IsEmpty());
  EXPECT_THAT(disagreements(recount, run.result.record), IsEmpty());
  if (run.result.forecast.model.duplex == Duplex::half) {
    EXPECT_THAT(used_both_ways(run.trace), IsEmpty());
  }
}

TEST(EjAllGather, DeliversEveryBlockOnceForWhatItPromised) {
  for_every_network([](const std::string& topology, const EisensteinJacobiNetwork& network) {
    for (const auto& algorithms : {ej_complete_half_duplex, ej_full_duplex})
      for (const std::string& algorithm : algorithms) {
        SCOPED_TRACE(algorithm);
        const EjRun run = ej_run(topology, algorithm);
        EXPECT_TRUE(run.result.ok());
        EXPECT_TRUE(run.result.judgement.promises.kept());
        EXPECT_EQ(run.result.judgement.deliveries.tally.verified,
                  network.node_count() * (network.node_count() - 1));
        expect_legal(run);
      }
  });
}

/// As printed: complete for n = 1, legal and as promised for all.
TEST(EjAllGather, InThreePhasesIsWhatItSaysItIs) {
  for_every_network([](const std::string& topology, const EisensteinJacobiNetwork& network) {
    const EjRun run = ej_run(topology, "three-phase");
    EXPECT_TRUE(run.result.judgement.promises.kept());
    EXPECT_EQ(run.result.ok(), network.dimensions() == 1);
    EXPECT_EQ(run.result.judgement.outcome, network.dimensions() > 1
                                                ? lockstep::Outcome::incomplete_as_known
                                                : lockstep::Outcome::complete);
    expect_legal(run);
  });
}

/// The trace is that of the real machine: broadcasts from all at once do use links both ways.
TEST(EjAllGather, FullDuplexAlgorithmsUseLinksBothWays) {
  for (const std::string& algorithm : ej_full_duplex)
    EXPECT_FALSE(used_both_ways(ej_run("ej:2+2^2", algorithm).trace).empty()) << algorithm;
}

/// Closed forms and plans are written apart.
TEST(EjAllGather, SendsThroughEveryPortWhatTheClosedFormsSay) {
  for_every_network([](const std::string& topology, const EisensteinJacobiNetwork& network) {
    const EisensteinJacobiTree tree(network.alpha());
    const std::size_t n = network.dimensions();
    EXPECT_EQ(ej_run(topology, "simultaneous").loads(), ej_simultaneous_loads(tree, n));
    EXPECT_EQ(ej_run(topology, "two-substep").loads(),
              ej_in_substeps(ej_simultaneous_loads(tree, n)));
    EXPECT_EQ(ej_run(topology, "simultaneous-rotated").loads(), ej_rotated_loads(tree, n));
    EXPECT_EQ(ej_run(topology, "rotated").loads(), ej_in_substeps(ej_rotated_loads(tree, n)));
    EXPECT_EQ(ej_run(topology, "three-phase").loads(),
              ej_three_phase_loads(tree, n, EjRelaunch::own_block));
    EXPECT_EQ(ej_run(topology, "three-phase-complete").loads(),
              ej_three_phase_loads(tree, n, EjRelaunch::all_blocks));
  });
}

/// For b = a + 1 no all-gather takes less than blocks in n parts.
TEST(EjAllGather, InPartsTakesTheFewestMessageTimesThereCanBe) {
  for (const auto& [topology, parts] :
       {std::pair{"ej:1+2^2", 2U}, std::pair{"ej:1+2^3", 3U}, std::pair{"ej:2+3^2", 2U}})
    for (const char* const algorithm : {"rotated", "simultaneous-rotated"}) {
      const RunResult result = ej_run(topology, algorithm).result;
      EXPECT_EQ(result.forecast.parts_per_block(), parts);
      EXPECT_EQ(result.cost.message_times, result.forecast.lower_bound->least.message_times)
          << topology << " " << algorithm;
    }
}

/// Blocks that cannot be cut evenly, and of fewer bytes than parts.
TEST(EjAllGather, InPartsMovesBlocksOfAnySize) {
  for (const auto& [topology, parts] : {std::pair{"ej:1+3^2", 2U}, std::pair{"ej:1+2^3", 3U}})
    for (const std::size_t bytes : {1U, 2U, 3U, 7U, 8U, 65U}) {
      RunRequest request = ej_request(topology, "rotated");
      request.block_bytes = bytes;
      const RunResult result = ej_run(request).result;
      EXPECT_TRUE(result.ok() && result.judgement.promises.kept()) << topology << " " << bytes;
      EXPECT_EQ(result.record.block_bytes, (bytes + parts - 1) / parts);
      EXPECT_EQ(result.record.blocks_moved,
                parts * result.record.nodes * (result.record.nodes - 1));
    }
}

/// A fault that is known to do harm, or none; whether it was judged.
bool expect_as_predicted(const RunRequest& request) {
  const auto run = prepare(request);
  const study::StressCase made{.request = request, .expected = study::predict(request, *run)};
  if (request.fault.kind != FaultKind::none && !made.expected.harmful()) return false;
  EXPECT_EQ(failure_of(made, run->execute()), "") << describe(made);
  return true;
}

/// Parts, too, fault by fault: the reference machine, without channels and threads, knows before
/// which blocks they harm.
TEST(EjAllGather, ComesToWhatTheReferenceMachineSays) {
  std::size_t judged = 0;
  for (const auto& algorithms : {ej_complete_half_duplex, ej_full_duplex, {"three-phase"}})
    for (const std::string& algorithm : algorithms)
      for (const int kind : {0, 1, 2, 3, 4})
        for (const std::size_t bytes : {1U, 9U}) {
          RunRequest request = ej_request("ej:1+2^2", algorithm);
          request.block_bytes = bytes;
          request.verify = VerifyKind::exact;
          request.stop_at_violation = false;
          request.fault = {.kind = static_cast<FaultKind>(kind),
                           .step = 1,
                           .sender = NodeId{5},
                           .wrong_port = Port{7}};
          judged += static_cast<std::size_t>(expect_as_predicted(request));
        }
  EXPECT_GE(judged, 70U);  // of 80
}

template <class A>
void expect_one_record(const EisensteinJacobiNetwork& network) {
  SCOPED_TRACE(A::info.name);
  const A algorithm(network);
  expect_reference_outcome(build_network(network), algorithm.program(),
                           {.model = A::info.model, .collective = {Operation::all_gather}},
                           {ChannelKind::slot, ChannelKind::spsc});
}

TEST(EjAllGather, HasOneRecordWhateverRunsIt) {
  const EisensteinJacobiNetwork network(2, 2, 2);
  expect_one_record<EjTwoSubstep>(network);
  expect_one_record<EjSimultaneous>(network);
  expect_one_record<EjThreePhase>(network);
  expect_one_record<EjThreePhaseComplete>(network);
  expect_one_record<EjGreedy<Duplex::half>>(network);
}

}  // namespace
}  // namespace lockstep::test
