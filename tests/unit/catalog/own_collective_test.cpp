// SPDX-License-Identifier: Apache-2.0
/// Collectives of one's own, and bytes of one's own, through run(): proved as the built-in ones
/// are.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "consumer/mesh_routing.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/catalog/run.hpp"
#include "lockstep/core/errors.hpp"
#include "reference/affected_pairs.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/run_options.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Mesh mesh4x5({4, 5});

std::vector<BlockPair> permutation(unsigned seed) {
  std::vector<std::uint64_t> targets(mesh4x5.node_count());
  for (std::uint64_t u = 0; u < targets.size(); ++u) targets[u] = u;
  std::shuffle(targets.begin(), targets.end(), std::mt19937(seed));
  std::vector<BlockPair> pairs;
  for (std::uint64_t u = 0; u < targets.size(); ++u)
    pairs.push_back({Origin{u}, NodeId{targets[u]}});
  return pairs;
}

/// Everybody's two next.
std::vector<BlockPair> partial() {
  const Pattern near = Pattern::where(mesh4x5.node_count(), [](Origin origin, NodeId destination) {
    const std::uint64_t ahead = (index(destination) + 20 - index(origin)) % 20;
    return ahead == 1 || ahead == 2;
  });
  return near.pairs()->all();
}

/// The same block to the others of a row.
std::vector<BlockPair> in_rows() {
  std::vector<BlockPair> pairs;
  for (const std::uint64_t origin : {0U, 7U, 8U})
    for (std::uint64_t d = origin / 5 * 5; d < origin / 5 * 5 + 5; ++d)
      pairs.push_back({Origin{origin}, NodeId{d}});
  return pairs;
}

TEST(OwnCollective, IsProvedByEitherLedger) {
  struct Case {
    Operation operation;
    std::vector<BlockPair> pairs;
    std::uint64_t messages;
  };
  for (const Case& one : {Case{Operation::partial_exchange, partial(), 40},
                          Case{Operation::multicast, in_rows(), 12}})
    for (const VerifyKind verify : {VerifyKind::exact, VerifyKind::digest}) {
      RunOptions options = all_port();
      options.verify = verify;
      const RunReport report = run(mesh4x5, MeshRouting{mesh4x5, one.pairs},
                                   {one.operation, {}, Pattern::pairs(one.pairs)}, options);
      EXPECT_TRUE(report.result.ok()) << to_text(report);
      EXPECT_EQ(report.result.judgement.deliveries.expected, one.messages);
      EXPECT_THAT(to_text(report), HasSubstr(std::string("algorithm    ") +
                                             std::string(name_of(one.operation)) + " by own"));
    }
}

TEST(OwnCollective, RoutesPermutations) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::vector<BlockPair> pairs = permutation(seed);
    const RunReport report =
        run(mesh4x5, MeshRouting{mesh4x5, pairs},
            {Operation::partial_exchange, {}, Pattern::pairs(pairs)}, all_port());
    EXPECT_TRUE(report.result.ok()) << "seed " << seed << '\n' << to_text(report);
  }
}

TEST(OwnCollective, NamesWhatIsMissing) {
  const std::vector<BlockPair> pairs = partial();
  const std::vector<BlockPair> carried(pairs.begin() + 1, pairs.end());
  const RunReport report =
      run(mesh4x5, MeshRouting{mesh4x5, carried},
          {Operation::partial_exchange, {}, Pattern::pairs(pairs)}, all_port());
  EXPECT_EQ(report.result.judgement.deliveries.missing, 1U);
  EXPECT_EQ(report.result.judgement.deliveries.first_missing, pairs.front());
  const RunReport more =
      run(mesh4x5, MeshRouting{mesh4x5, pairs},
          {Operation::partial_exchange, {}, Pattern::pairs(carried)}, all_port());
  EXPECT_EQ(more.result.judgement.deliveries.tally.corrupted, 1U) << "nobody expected it";
}

/// The effect of a fault is known beforehand, and every machine shows it.
TEST(OwnCollective, IsHarmedAsPredicted) {
  const Network network = build_network(mesh4x5);
  const std::vector<BlockPair> pairs = partial();
  const MeshRouting program{mesh4x5, pairs};
  for (const FaultKind kind : {FaultKind::drop, FaultKind::corrupt}) {
    Job job{.model = port_models::all_port,
            .collective = {Operation::partial_exchange, {}, Pattern::pairs(pairs)},
            .watch_waits = false};
    job.fault = {.kind = kind, .step = 1, .sender = NodeId{6}};
    const auto predicted =
        reference::predict(network, ErasedProgramOf(program),
                           {.collective = job.collective,
                            .machine = {.model = job.model,
                                        .block_bytes = job.block_bytes,
                                        .keep_series = job.keep_series,
                                        .stop_at_violation = job.stop_at_violation,
                                        .watch_waits = job.watch_waits,
                                        .fault = job.fault,
                                        .on_send = {}}});
    EXPECT_FALSE(predicted.missing.empty());
    for (const Conditions& conditions : some_conditions({ChannelKind::slot, ChannelKind::spsc})) {
      const RunOutcome outcome = study::run(network, program, job, conditions);
      EXPECT_EQ(outcome.missing, predicted.missing) << described(conditions);
      expect_same_record(outcome.record, predicted.record);
    }
  }
}

template <class Value>
std::vector<Value> values_of(const std::vector<std::byte>& bytes) {
  std::vector<Value> values(bytes.size() / sizeof(Value));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(OwnBytes, GoThroughRunAndComeBack) {
  std::vector<BlockPair> pairs = permutation(3);
  std::erase_if(pairs, [](const BlockPair& p) { return index(p.origin) == index(p.destination); });
  std::vector<double> input;
  for (std::size_t i = 0; i < pairs.size(); ++i) input.push_back(0.5 * double(i));
  RunOptions options = all_port();
  options.input = std::as_bytes(std::span(input));
  const RunReport report = run(mesh4x5, MeshRouting{mesh4x5, pairs},
                               {Operation::partial_exchange, {}, Pattern::pairs(pairs)}, options);
  EXPECT_TRUE(report.result.ok()) << to_text(report);
  EXPECT_EQ(report.result.forecast.block_bytes, sizeof(double));
  EXPECT_EQ(values_of<double>(report.result.output), input) << "pair by pair, as listed";
}

/// Blocks for their own makers have no place, so that those behind them would be in another's.
TEST(OwnBytes, AreNotOfPairsWithThemselves) {
  const std::vector<BlockPair> pairs{{Origin{0}, NodeId{0}}, {Origin{2}, NodeId{3}}};
  const std::vector<std::byte> input(8);
  RunOptions options = all_port();
  options.input = input;
  try {
    (void)run(mesh4x5, MeshRouting{mesh4x5, pairs},
              {Operation::partial_exchange, {}, Pattern::pairs(pairs)}, options);
    ADD_FAILURE() << "no exception";
  } catch (const InvalidParameter& error) {
    EXPECT_STREQ(error.what(),
                 "partial-exchange of own bytes: the pattern lists 1 block from a processor to "
                 "itself; allowed: none, because they cross no link");
  }
}

TEST(OwnBytes, GoThroughARunOfTheCatalogue) {
  std::vector<std::uint32_t> input(120 * 120);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::uint32_t>(i);
  RunRequest request{.topology = "star:5",
                     .operation = Operation::total_exchange,
                     .block_bytes = sizeof(std::uint32_t)};
  request.input = std::as_bytes(std::span(input));
  const RunResult result = prepare(request)->execute();
  EXPECT_TRUE(result.ok());
  const std::vector<std::uint32_t> output = values_of<std::uint32_t>(result.output);
  ASSERT_EQ(output.size(), input.size());
  for (std::size_t d = 0; d < 120; ++d)
    for (std::size_t o = 0; o < 120; ++o) EXPECT_EQ(output[d * 120 + o], input[o * 120 + d]);
}

TEST(OwnBytes, HaveTheSizeOfTheBlocks) {
  const std::vector<std::byte> input(7);
  RunOptions options = all_port();
  options.input = input;
  const std::vector<BlockPair> pairs = in_rows();
  const auto refused = [&] {
    try {
      (void)run(mesh4x5, MeshRouting{mesh4x5, pairs},
                {Operation::multicast, {}, Pattern::pairs(pairs)}, options);
    } catch (const InvalidParameter& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused(), "multicast: 7 bytes given; expected 20 blocks of equal size");
  options.block_bytes = 8;
  EXPECT_EQ(refused(), "multicast: 7 bytes given; expected 20 blocks of 8 bytes");
}

}  // namespace
}  // namespace lockstep::test
