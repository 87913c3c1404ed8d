// SPDX-License-Identifier: Apache-2.0

/// Many-to-all broadcasts: every node ends with every block exactly once, wherever they are made.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/aggregation.hpp"
#include "lockstep/verify/judgement.hpp"
#include "study/exit.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/torus_broadcasts.hpp"

namespace lockstep::test {
namespace {

const std::vector<std::string> placements{"perm", "quad", "onedcn",  "onenode",
                                          "diag", "row",  "random:1"};

void expect_delivered(const TorusBroadcast& broadcast) {
  SCOPED_TRACE(described(broadcast));
  const RunResult result = many_to_all(broadcast);
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result.judgement.promises.kept());
  EXPECT_EQ(result.judgement.deliveries.tally.verified,
            broadcast.messages * (broadcast.rows * broadcast.columns - 1));
}

TEST(ManyToAllLaws, EveryBlockReachesEveryNodeOfASquareOnce) {
  for (std::uint64_t n = 3; n <= 9; ++n)
    for (std::uint64_t h = 1; h <= n; ++h)
      for (const std::string& placement : placements)
        for (const std::uint64_t s : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, n,
                                      n * n / 4, n * n, n * n + 3}) {
          if (n % h != 0) continue;
          expect_delivered({n, n, s, h, placement, s % 2 == 0 ? "no" : "yes"});
          expect_delivered({n, n, s, h, placement, "no", "aggregation-plus"});
          ASSERT_FALSE(testing::Test::HasFailure());
        }
}

TEST(ManyToAllLaws, WithOptionsEveryBlockReachesEveryNodeOnce) {
  for (std::uint64_t rows = 3; rows <= 8; ++rows)
    for (const std::uint64_t columns : {rows, rows + 3})
      for (std::uint64_t h = 1; h <= rows; ++h)
        for (const std::string& placement : placements) {
          if (rows % h != 0 || columns % h != 0) continue;
          for (const Settings& options : options_of_plus(rows == columns && h == rows))
            for (const std::uint64_t s : {std::uint64_t{1}, rows, rows * columns + 3})
              expect_delivered({rows, columns, s, h, placement, "no", "aggregation-plus", options});
          ASSERT_FALSE(testing::Test::HasFailure());
        }
}

TEST(ManyToAllLaws, EveryBlockReachesEveryNodeOfARectangleOnce) {
  for (std::uint64_t rows = 3; rows <= 12; ++rows)
    for (std::uint64_t columns = 3; columns <= 12; ++columns)
      for (std::uint64_t h = 1; h <= rows; ++h) {
        if (rows == columns || rows % h != 0 || columns % h != 0) continue;
        for (const std::string algorithm : {"aggregation", "aggregation-plus"}) {
          expect_delivered({rows, columns, rows * columns, h, "quad", "no", algorithm});
          expect_delivered({rows, columns, rows + 1, h, "row", "no", algorithm});
        }
        ASSERT_FALSE(testing::Test::HasFailure());
      }
}

/// Blocks in four parts cost what four times as many blocks of a quarter do.
TEST(ManyToAllLaws, PartsAreMessagesOfTheirOwn) {
  constexpr std::uint64_t parts = 4;
  for (const char* const algorithm : {"aggregation", "aggregation-plus", "ring2d", "edst"})
    for (const std::uint64_t s : {1U, 7U, 40U}) {
      SCOPED_TRACE(std::string(algorithm) + ", " + std::to_string(s) + " messages");
      RunRequest cut = request_of({.rows = 6,
                                   .columns = 6,
                                   .messages = s,
                                   .h = 3,
                                   .placement = "random:3",
                                   .algorithm = algorithm});
      cut.settings["parts"] = parts;
      cut.block_bytes = 10;  // the last part is filled up
      cut.verify = VerifyKind::exact;
      const auto run = prepare(cut);
      const std::vector<NodeId> homes = *run->forecast().collective.pattern.homes();
      ASSERT_EQ(homes.size(), parts * s);
      EXPECT_EQ(homes.front(), homes[parts - 1]);
      const RunResult result = run->execute();
      EXPECT_TRUE(result.ok() && result.judgement.promises.kept());
      EXPECT_EQ(result.judgement.deliveries.tally.verified, parts * s * 35);
      EXPECT_EQ(result.forecast.settings.number("messages"), s);

      RunRequest whole = cut;
      whole.settings = {{"messages", parts * s}};
      whole.pattern = Pattern::many(homes);
      whole.block_bytes = 3;
      for (const char* const chosen : {"h", "packet", "scatter", "pieces", "tuning"})
        if (const Setting* const setting = result.forecast.settings.find(chosen))
          whole.settings[chosen] = *setting;
      const RunResult quarters = prepare(whole)->execute();
      EXPECT_EQ(result.cost, in_blocks(quarters.cost, parts));
      EXPECT_EQ(result.record.bytes_moved(), quarters.record.bytes_moved());
      // The bound is that of the s blocks, whatever parts they travel in.
      EXPECT_EQ(result.forecast.lower_bound->least,
                in_blocks(quarters.forecast.lower_bound->least, parts));
    }
}

TEST(ManyToAllLaws, OverSpanningTreesEveryBlockReachesEveryNodeOnce) {
  for (std::uint64_t n = 3; n <= 9; ++n)
    for (const std::string& placement : placements)
      for (const std::uint64_t s : {std::uint64_t{0}, std::uint64_t{1}, n + 1, n * n, n * n + 3})
        for (const std::string trees : {"table", "odd", "any"})
          for (const Setting& packet : {Setting(std::uint64_t{1}), Setting(std::uint64_t{3}),
                                        Setting(s + 1), Setting(std::string("bulk"))}) {
            if (trees == "odd" && n % 2 == 0) continue;
            const TorusBroadcast broadcast{.rows = n,
                                           .columns = n,
                                           .messages = s,
                                           .placement = placement,
                                           .algorithm = "edst"};
            SCOPED_TRACE(described(broadcast) + ", " + trees + ", packet " + text_of(packet));
            RunRequest request = request_of(broadcast);
            request.settings["trees"] = trees;
            request.settings["packet"] = packet;
            const auto* const blocks = std::get_if<std::uint64_t>(&packet);
            const std::uint64_t of_a_tree = (s + 3) / 4;
            if (blocks != nullptr && *blocks > std::max<std::uint64_t>(of_a_tree, 1)) {
              EXPECT_THROW((void)prepare(request), InvalidParameter);
              continue;
            }
            const RunResult result = prepare(request)->execute();
            EXPECT_TRUE(result.ok() && result.judgement.promises.kept());
            EXPECT_EQ(result.judgement.deliveries.tally.verified, s * (n * n - 1));
            ASSERT_FALSE(testing::Test::HasFailure());
          }
}

TEST(ManyToAllLaws, RoundTheRingsEveryBlockReachesEveryNodeOnce) {
  for (std::uint64_t rows = 3; rows <= 9; ++rows)
    for (std::uint64_t columns = 3; columns <= 9; ++columns)
      for (const std::string& placement : placements)
        for (const std::uint64_t s :
             {std::uint64_t{0}, std::uint64_t{1}, rows + 1, rows * columns, rows * columns + 3}) {
          expect_delivered({.rows = rows,
                            .columns = columns,
                            .messages = s,
                            .placement = placement,
                            .algorithm = "ring2d"});
          ASSERT_FALSE(testing::Test::HasFailure());
        }
}

/// The reference machine, and every executor, come to the same.
TEST(ManyToAllLaws, TheRecordIsThatOfTheReferenceMachine) {
  for (const auto& [rows, columns, h] :
       std::vector<std::array<std::uint64_t, 3>>{{6, 6, 3}, {7, 7, 7}, {6, 9, 3}, {5, 5, 1}}) {
    const Torus torus({rows, columns});
    Settings settings;
    settings["h"] = h;
    settings["messages"] = rows * columns / 2;
    settings["placement"] = std::string("quad");
    const Aggregation aggregation(torus, settings, {});
    const Job job{.model = port_models::all_port_wormhole,
                  .collective = {Operation::many_to_all, {}, aggregation.pattern()}};
    const AggregationProgram program = aggregation.program();
    const RunOutcome expected = run_reference(torus, program, job);
    EXPECT_TRUE(expected.verdict.complete());
    expect_outcome(torus, program, job, expected, some_conditions({ChannelKind::slot}));
  }
}

/// A step in which rows of nodes send packs on: one of them is harmed.
TEST(ManyToAllLaws, OneMessageDroppedOrAlteredIsNoticed) {
  // In A1 and D3b P(0,1) sends; in A3 and, first, in D3a the nodes P(i,i) do.
  struct Harm {
    std::string algorithm;
    std::uint64_t step;
    bool diagonal;
  };
  const std::vector<Harm> harms{{"aggregation", 0, false},      {"aggregation", 5, true},
                                {"aggregation", 7, true},       {"aggregation", 9, false},
                                {"aggregation", 12, false},     {"aggregation-plus", 0, false},
                                {"aggregation-plus", 5, true},  {"aggregation-plus", 7, true},
                                {"aggregation-plus", 9, false}, {"aggregation-plus", 10, false}};
  for (const FaultKind kind : {FaultKind::drop, FaultKind::corrupt})
    for (const auto& [algorithm, step, diagonal] : harms) {
      RunRequest request = request_of({5, 5, 25, 5, "perm", "no", algorithm});
      request.fault = {.kind = kind, .step = step, .sender = NodeId{diagonal ? 6U : 1U}};
      const RunResult result = prepare(request)->execute();
      EXPECT_EQ(study::code(study::exit_of(result.judgement.outcome)), 1)
          << algorithm << ", " << name_of(kind) << " in step " << step;
      EXPECT_FALSE(result.missing.empty()) << name_of(kind) << " in step " << step;
    }
}

constexpr std::size_t block_bytes_of_a_job = 8;

int exit_code(const RunRecord& record, const DeliveryVerdict& verdict) {
  return study::code(study::exit_of(judge(record, {}, verdict, {}).outcome));
}

/// What ends a run delivers a block once more.
class TwiceDelivered : public AggregationProgram {
 public:
  explicit TwiceDelivered(AggregationProgram program) : AggregationProgram(std::move(program)) {}
  void operator()(auto& here) const {
    AggregationProgram::operator()(here);
    if (here.last_call() && here.node() == NodeId{3})
      here.deliver(Region{2}, 0, Origin{here.word(Region{2}, 0) & 0xffff'ffffU});
  }
};

TEST(ManyToAllLaws, APackDeliveredTwiceIsNoticed) {
  const Torus torus({5, 5});
  Settings settings;
  settings["h"] = std::uint64_t{5};
  settings["messages"] = std::uint64_t{5};
  settings["placement"] = std::string("onenode");
  const Aggregation aggregation(torus, settings, {});
  const Job job{.model = port_models::all_port_wormhole,
                .collective = {Operation::many_to_all, {}, aggregation.pattern()}};
  EXPECT_TRUE(run(torus, aggregation.program(), job).verdict.complete());
  const RunOutcome twice = run(torus, TwiceDelivered(aggregation.program()), job);
  EXPECT_EQ(twice.record.deliveries.duplicated, 1U);
  EXPECT_EQ(exit_code(twice.record, twice.verdict), 1);
}

/// Of what node 7 is handed of block 3 two bytes have changed places.
class SwappingHost final : public Host {
 public:
  explicit SwappingHost(ProvingHost& proof) : proof_(proof) {}

  void load(std::byte* bytes, NodeId node, Origin origin, NodeId destination) override {
    proof_.load(bytes, node, origin, destination);
  }
  void accept(std::span<const Delivery> batch, DeliveryTally& tally) override {
    for (Delivery one : batch) {
      std::array<std::byte, block_bytes_of_a_job> bytes{};
      std::copy_n(one.bytes, bytes.size(), bytes.begin());
      if (index(one.origin) == 3 && one.destination == NodeId{7}) std::swap(bytes[0], bytes[5]);
      one.bytes = bytes.data();
      proof_.accept({&one, 1}, tally);
    }
  }

 private:
  ProvingHost& proof_;
};

TEST(ManyToAllLaws, TwoBytesThatChangePlacesAreNoticed) {
  const Torus torus({5, 5});
  const Aggregation aggregation(torus, {{"h", std::uint64_t{5}}}, {});
  ProvingHost proof({.collective = {Operation::many_to_all, {}, aggregation.pattern()},
                     .processors = torus.node_count(),
                     .block_bytes = block_bytes_of_a_job});
  SwappingHost host(proof);
  const AggregationProgram program = aggregation.program();
  Machine<Torus, AggregationProgram, WormholeChannels> machine(
      torus, program, host,
      {.model = port_models::all_port_wormhole, .block_bytes = block_bytes_of_a_job});
  const RunRecord record = machine.run(*make_executor(ExecutorKind::serial, 1));
  const DeliveryVerdict verdict = proof.judge(record.deliveries);
  EXPECT_EQ(verdict.tally.corrupted, 1U);
  EXPECT_EQ(verdict.missing, 1U);
  EXPECT_EQ(exit_code(record, verdict), 1);
}

}  // namespace
}  // namespace lockstep::test
