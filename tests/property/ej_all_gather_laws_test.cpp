// SPDX-License-Identifier: Apache-2.0
// What holds of every all-gather of Eisenstein-Jacobi networks, for awkward alphas too: delivered,
// no link used both ways in a step where links are half-duplex, what it promised, one record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "algorithm/all_gather/ej_gather_loads.hpp"
#include "core/instrumented.hpp"
#include "lockstep/verify/legality.hpp"
#include "study/stress.hpp"
#include "support/ej_gathers.hpp"

namespace lockstep::test {
namespace {

using testing::IsEmpty;

/// check(topology, network): up to 1000 processors, fewer under a sanitizer.
template <class Check>
void for_every_network(Check check) {
  constexpr std::uint64_t most = slowness == 1 ? 1000 : 200;
  for (const auto& alpha : ej_alphas)
    for (const std::size_t n : {1U, 2U, 3U}) {
      const EisensteinJacobiNetwork network(alpha.first, alpha.second, n);
      if (network.node_count() > most) continue;
      SCOPED_TRACE(network.name());
      check(network.name(), network);
    }
}

/// Of what a node sends in every step through every port; closed forms and plans are written apart.
/// Nothing where the plan is searched for.
std::optional<EjLoads> closed_form(const std::string& algorithm,
                                   const EisensteinJacobiNetwork& network) {
  const EisensteinJacobiTree tree(network.alpha());
  const std::size_t n = network.dimensions();
  if (algorithm == "simultaneous") return ej_simultaneous_loads(tree, n);
  if (algorithm == "two-substep") return ej_in_substeps(ej_simultaneous_loads(tree, n));
  if (algorithm == "simultaneous-rotated") return ej_rotated_loads(tree, n);
  if (algorithm == "rotated") return ej_in_substeps(ej_rotated_loads(tree, n));
  if (algorithm == "three-phase") return ej_three_phase_loads(tree, n, EjRelaunch::own_block);
  if (algorithm == "three-phase-complete")
    return ej_three_phase_loads(tree, n, EjRelaunch::all_blocks);
  EXPECT_THAT(algorithm, testing::StartsWith("greedy"));
  return std::nullopt;
}

void expect_closed_form(const EjRun& run, const EisensteinJacobiNetwork& network) {
  if (const auto loads = closed_form(std::string(run.result.forecast.algorithm.name), network)) {
    EXPECT_EQ(run.loads(), *loads);
  }
}

void expect_legal(const EjRun& run) {
  EXPECT_TRUE(run.result.record.legal());
  const Recount recount = recount_trace(run.trace, run.result.forecast.model);
  EXPECT_THAT(recount.violations, IsEmpty());
  EXPECT_THAT(disagreements(recount, run.result.record), IsEmpty());
  if (run.result.forecast.model.duplex == Duplex::half) {
    EXPECT_EQ(run.used_both_ways(), 0U);
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
        expect_closed_form(run, network);
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
    expect_closed_form(run, network);
  });
}

/// The trace is that of the real machine: broadcasts from all at once do use links both ways.
TEST(EjAllGather, FullDuplexAlgorithmsUseLinksBothWays) {
  for (const std::string& algorithm : ej_full_duplex)
    EXPECT_NE(ej_run("ej:2+2^2", algorithm).used_both_ways(), 0U) << algorithm;
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

}  // namespace
}  // namespace lockstep::test
