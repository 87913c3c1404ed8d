// SPDX-License-Identifier: Apache-2.0
/// run(): a program of one's own in one call comes to what the catalogue's run of it comes to, says
/// the same, and refuses what does not fit together.

#include "lockstep/catalog/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/machine/thread_executor.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/broadcast_class.hpp"
#include "support/cube_broadcast.hpp"
#include "support/flooding_broadcast.hpp"
#include "support/many_flooding.hpp"
#include "support/outcome_checks.hpp"
#include "support/prefix_sum.hpp"
#include "support/queueing_tree.hpp"
#include "support/ring_halving.hpp"
#include "support/run_options.hpp"
#include "support/run_reports.hpp"

namespace lockstep::test {
namespace {

using testing::HasSubstr;

/// Without what differs from one execution to the next.
nlohmann::json facts_of(const RunReport& report) {
  nlohmann::json json = nlohmann::json::parse(to_json(report));
  for (const char* const measured : {"wall", "memory"}) json.erase(measured);
  for (const char* const rate : {"hops_per_second", "bytes_per_second", "messages_per_second"})
    json.erase(rate);
  return json;
}

/// The lines on what was run and what it cost.
std::string first_lines(const RunReport& report) {
  const std::string text = to_text(report);
  return text.substr(0, text.find("\nwall"));
}

TEST(Run, SaysWhatTheCatalogueSaysOfTheSameProgram) {
  const AnyTopology mesh("mesh:4x5");
  const Settings settings{{"root", std::uint64_t{7}}};
  const RunReport expected = report_of({.topology = mesh,
                                        .operation = Operation::broadcast,
                                        .algorithm = "tree",
                                        .settings = settings,
                                        .workers = 2});
  const test::TreeBroadcast algorithm(mesh, settings);
  RunReport report = run(mesh, algorithm.program(), {Operation::broadcast, NodeId{7}},
                         {.model = test::TreeBroadcast::info.model,
                          .workers = 2,
                          .name = test::TreeBroadcast::info.name,
                          .source = test::TreeBroadcast::info.source,
                          .predicted = algorithm.promise(),
                          .command_line = expected.provenance.command});
  EXPECT_TRUE(report.result.ok());
  EXPECT_TRUE(report.result.forecast.receive_once);
  EXPECT_TRUE(report.result.record.same_facts(expected.result.record));
  EXPECT_EQ(first_lines(report), first_lines(expected));
  EXPECT_EQ(facts_of(report), facts_of(expected));
}

TEST(Run, NeedsNoSourceAndNoPrediction) {
  RunOptions options = all_port();
  options.name = "flooding";
  const RunReport report = run(StarGraph{5}, FloodingBroadcast{}, {Operation::broadcast}, options);
  EXPECT_TRUE(report.result.ok());
  EXPECT_THAT(to_text(report), HasSubstr("algorithm    broadcast by flooding, root 0\n"));
  EXPECT_THAT(to_text(report), HasSubstr("formula      no closed form known\n"));
  const nlohmann::json json = nlohmann::json::parse(to_json(report));
  EXPECT_TRUE(json["source"].is_null());
  EXPECT_TRUE(json["predicted"].is_null());
  EXPECT_EQ(json["lower_bound"]["startups"], 6);
}

TEST(Run, HoldsAProgramToItsPrediction) {
  RunOptions options = all_port();
  options.predicted = Cost{7, 7};  // the diameter, and a step in which nobody hears anything new
  EXPECT_EQ(run(StarGraph{5}, FloodingBroadcast{}, {Operation::broadcast}, options)
                .result.judgement.outcome,
            lockstep::Outcome::complete);
  options.predicted = Cost{6, 6};
  EXPECT_EQ(run(StarGraph{5}, FloodingBroadcast{}, {Operation::broadcast}, options)
                .result.judgement.outcome,
            lockstep::Outcome::not_as_promised);
}

/// A sum of eight contributions that is said to be there without a message.
struct KeepsToItself {
  struct Memory {};
  static constexpr auto activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;

  std::uint64_t step_count() const { return 1; }
  std::vector<std::uint32_t> regions() const { return {1}; }

  void operator()(auto& here) const {
    if (here.step() != 0) return;
    here.load(Region{0}, 0, here.node());
    here.deliver(Region{0}, 0, here.node());
  }
};

TEST(Run, AReductionThatCombinesTooLittleIsNeverOk) {
  const std::vector<std::byte> input(64);
  RunOptions options = all_port();
  options.input = input;
  options.combine = [](std::span<std::byte>, std::span<const std::byte>,
                       std::span<const std::byte>) {};
  const RunReport report = run(Ring{8}, KeepsToItself{}, {Operation::all_reduce}, options);
  EXPECT_FALSE(report.result.ok());
  EXPECT_EQ(report.result.judgement.outcome, lockstep::Outcome::not_delivered);
  EXPECT_THAT(to_text(report),
              HasSubstr("result       NOT DELIVERED: 0 combinations of two blocks; at "
                        "least 7 are necessary\n"));
  const nlohmann::json json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["outcome"], "not-delivered");
}

TEST(Run, TakesWhatAProgramDeclares) {
  const std::vector<NodeId> homes{NodeId{3}, NodeId{3}, NodeId{9}};
  const RunReport labelled = run(Ring{12}, ManyFlooding{.homes = homes},
                                 {Operation::many_to_all, {}, Pattern::many(homes)}, all_port());
  EXPECT_TRUE(labelled.result.ok()) << to_text(labelled);
  EXPECT_EQ(labelled.result.forecast.label_bytes, word_bytes);

  RunOptions wormhole = all_port();
  wormhole.model = port_models::all_port_wormhole;
  const RunReport routed = run(Ring{12}, RingHalving(12), {Operation::broadcast}, wormhole);
  EXPECT_TRUE(routed.result.ok()) << to_text(routed);
  EXPECT_EQ(routed.result.forecast.channel, ChannelKind::wormhole);

  const std::vector<std::uint64_t> values{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<std::uint64_t> sums(8);
  const PrefixSum prefix{.dimensions = 3, .values = values.data(), .prefixes = sums.data()};
  const RunReport computed =
      run(Hypercube{3}, prefix, {Operation::many_to_all, {}, Pattern::many({})}, all_port());
  EXPECT_TRUE(computed.result.ok()) << to_text(computed);
  EXPECT_THAT(sums, testing::ElementsAre(1, 3, 6, 10, 15, 21, 28, 36));
  EXPECT_EQ(computed.result.cost.control_words, 3U);

  std::vector<std::size_t> longest;
  const QueueingTree tree(3, 2, 2, longest);
  const RunReport switched = run(tree.network(), tree, {Operation::total_exchange}, all_port());
  EXPECT_TRUE(switched.result.ok()) << to_text(switched);
  EXPECT_EQ(switched.result.forecast.processors, 6U);
  ASSERT_TRUE(switched.result.forecast.lower_bound);  // of any switches
  EXPECT_LE(switched.result.forecast.lower_bound->least.startups, switched.result.cost.startups);
}

TEST(Run, KeepsABoxPerNodeWhereAProcessorReceivesOnce) {
  const CubeBroadcast program{.dimensions = 6, .root = NodeId{5}};
  const Collective broadcast{Operation::broadcast, program.root};
  RunOptions options = all_port();
  const RunReport boxed = run(Hypercube{6}, program, broadcast, options);
  EXPECT_TRUE(boxed.result.forecast.receive_once);
  for (const ChannelKind channel : {ChannelKind::slot, ChannelKind::spsc}) {
    options.channel = channel;
    const RunReport tabulated = run(Hypercube{6}, program, broadcast, options);
    EXPECT_FALSE(tabulated.result.forecast.receive_once);
    expect_same_record(tabulated.result.record, boxed.result.record);
  }
}

TEST(Run, IsSeenAsARunIs) {
  SendTrace trace;
  std::stop_source stop;
  RunOptions options = all_port();
  options.trace = &trace;
  options.keep_series = true;
  const RunReport report = run(Ring{9}, FloodingBroadcast{}, {Operation::broadcast}, options);
  EXPECT_EQ(trace.size(), report.result.record.messages_sent);
  EXPECT_EQ(report.result.record.series.size(), report.result.record.steps);
  stop.request_stop();
  options.stop = stop.get_token();
  const RunReport stopped = run(Ring{9}, FloodingBroadcast{}, {Operation::broadcast}, options);
  EXPECT_EQ(stopped.result.judgement.outcome, lockstep::Outcome::interrupted);
  EXPECT_THAT(to_text(stopped), HasSubstr("INTERRUPTED after step 0\n"));
}

TEST(Run, TakesAnExecutorThatIsThere) {
  ThreadExecutor executor(3);
  RunOptions options = all_port();
  options.run_on = &executor;
  for (int round = 0; round < 2; ++round) {
    const RunReport report = run(Ring{9}, FloodingBroadcast{}, {Operation::broadcast}, options);
    EXPECT_TRUE(report.result.ok());
    EXPECT_EQ(report.result.forecast.executor, "thread");
    EXPECT_EQ(report.result.forecast.workers, 3U);
  }
}

/// A ring whose neighbours do not agree on who is whose.
struct Crooked {
  std::string name() const { return "crooked"; }
  std::uint64_t node_count() const { return 5; }
  std::size_t max_degree() const { return 1; }
  std::size_t degree(NodeId) const { return 1; }
  NodeId neighbor(NodeId u, Port) const { return NodeId{index(u) + 1}; }
  Port reverse_port(NodeId, Port) const { return Port{0}; }
  std::string label(NodeId u) const { return std::to_string(index(u)); }
};

template <class Error, class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Run, HandsBackWhatTheProgramFound) {
  for (const ChannelKind channel : {ChannelKind::automatic, ChannelKind::slot}) {
    RunOptions options = all_port();
    options.channel = channel;
    std::vector<FloodingBroadcast::Memory> memories(3);
    const FloodingBroadcast flooding{.root = NodeId{4}};
    const Collective broadcast{Operation::broadcast, flooding.root};
    const RunReport report = run(Ring{9}, flooding, broadcast, options, memories);
    EXPECT_TRUE(report.result.ok());
    ASSERT_EQ(memories.size(), 9U);
    for (const FloodingBroadcast::Memory& memory : memories) EXPECT_TRUE(memory.informed);
    EXPECT_TRUE(facts_of(report)["reads"].is_null());
  }
}

/// Sends block 0 round and round, and stores what comes over it.
struct Hasty {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::reads_bytes;
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const {
    if (here.step() == 0) here.load(Region{0}, 0, here.node());
    if (const auto arrival = here.take(Port{1})) here.store(arrival, Blocks{});
    here.send(Port{0}, Blocks{});
  }
};

TEST(Run, SaysWhichSlotAndWhatWasNotWatched) {
  const Collective gather{Operation::all_gather};
  const RunReport report = run(Ring{9}, Hasty{}, gather, all_port());
  EXPECT_THAT(to_text(report), HasSubstr("violations   step 1, node 0, region 0, slot 0: slot "
                                         "changed before the neighbour read the block sent "
                                         "from it (rule in-flight)\n"));
  EXPECT_THAT(to_text(report), HasSubstr("; the program reads bytes"));
  EXPECT_EQ(facts_of(report)["violations"][0]["detail"], "counted 1, region 0, slot 0");
  RunOptions options = all_port();
  options.watch_in_flight = false;
  options.max_steps = 7;
  options.executor = ExecutorKind::serial;
  const RunReport unwatched = run(Ring{9}, Hasty{}, gather, options);
  EXPECT_EQ(unwatched.result.judgement.outcome, lockstep::Outcome::interrupted);
  EXPECT_EQ(unwatched.result.record.steps, 7U);
  EXPECT_EQ(facts_of(unwatched)["in_flight_watched"], false);
  EXPECT_THAT(to_text(unwatched), HasSubstr("unchecked    changes of blocks"));
  EXPECT_THAT(to_csv(unwatched), HasSubstr(",in_flight_watched\n"));
  EXPECT_THAT(to_text(report), testing::Not(HasSubstr("unchecked")));
}

TEST(Run, RefusesWhatDoesNotFitTogether) {
  const auto flooded = [](const auto& network, const Collective& collective,
                          const RunOptions& options) {
    return refusal<InvalidParameter>(
        [&] { (void)run(network, FloodingBroadcast{}, collective, options); });
  };
  EXPECT_EQ(flooded(Ring{8}, {Operation::broadcast, NodeId{8}}, all_port()),
            "broadcast: root node 8 is not valid; expected a processor, 0..7");
  EXPECT_EQ(flooded(Ring{8}, {Operation::many_to_all, {}, Pattern::many({NodeId{1}, NodeId{9}})},
                    all_port()),
            "many-to-all: source of block 1: node 9 is not valid; expected a processor, 0..7");
  EXPECT_EQ(flooded(Crooked{}, {Operation::broadcast}, all_port()),
            "crooked: node 0, port 0: port 0 of node 1 does not lead back");
  RunOptions mailbox = all_port();
  mailbox.channel = ChannelKind::mailbox;
  EXPECT_EQ(
      flooded(Ring{8}, {Operation::broadcast}, mailbox),
      "channel: mailbox is not possible because 'own program' receives several messages per step; "
      "allowed: slot");
}

TEST(Run, RefusesWhatTheHostCannotCarry) {
  RunOptions options = all_port();
  options.memory_limit = 20'000'000;
  options.block_bytes = 1'000'000;
  EXPECT_THAT(refusal<ResourceExhausted>([&] {
                (void)run(Ring{64}, FloodingBroadcast{}, {Operation::broadcast}, options);
              }),
              testing::AllOf(testing::StartsWith("ring:64 broadcast by own program: needs 7"),
                             HasSubstr(" MiB of memory; allowed: 19.1 MiB (--memory-limit)")));
  options.memory_limit = 1'000'000;
  EXPECT_THAT(refusal<ResourceExhausted>([&] {
                (void)run(Hypercube{20}, FloodingBroadcast{}, {Operation::broadcast}, options);
              }),
              HasSubstr("hypercube:20: needs"));
}

/// The hub of a star of leaves: tables and channels are as large as the links there are.
TEST(Run, NeedsMemoryForLinksAlone) {
  std::vector<Link> links;
  for (std::uint64_t leaf = 1; leaf < 30'000; ++leaf) links.push_back({NodeId{0}, NodeId{leaf}});
  const Network hub = build_network("hub", 30'000, links);
  RunOptions options = all_port();
  options.memory_limit = 40'000'000;
  const RunReport report = run(hub, FloodingBroadcast{}, {Operation::broadcast}, options);
  EXPECT_TRUE(report.result.ok());
  const MachineOptions machine{.model = options.model, .block_bytes = 64};
  using Slots = Machine<Network, FloodingBroadcast, SlotChannels>;
  EXPECT_GE(report.result.forecast.memory_bytes, Slots::bytes(hub, FloodingBroadcast{}, machine));
}

}  // namespace
}  // namespace lockstep::test
