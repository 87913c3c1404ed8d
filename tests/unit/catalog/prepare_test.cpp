// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "report/quantities.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

[[nodiscard]] RunRequest exchange(const std::string& topology) {
  return {.topology = topology, .operation = Operation::total_exchange, .workers = 2};
}

[[nodiscard]] std::string refusal(const RunRequest& request) {
  try {
    (void)prepare(request);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  } catch (const ResourceExhausted& problem) {
    return std::string("resources: ") + problem.what();
  }
  return "accepted";
}

/// Pairs that a collective moves a block for, by searching the network; a root is the last node. A
/// reduction has results instead of pairs.
std::uint64_t expected_pairs(const AnyTopology& network, Operation operation) {
  const std::uint64_t processors = network.processor_count();
  if (is_reduction(operation)) return operation == Operation::reduce ? 1 : processors;
  if (processors != network.node_count())
    return (has_root(operation) ? 1 : processors) * (processors - 1);
  std::uint64_t pairs = 0;
  const std::uint64_t last = network.node_count() - 1;
  for (std::uint64_t u = has_root(operation) ? last : 0; u <= last; ++u) {
    const std::vector<std::uint64_t> levels = network.level_sizes(NodeId{u});
    for (std::size_t distance = 1; distance < levels.size(); ++distance)
      if (operation != Operation::odd_distance_exchange || distance % 2 == 1)
        pairs += levels[distance];
  }
  return pairs;
}

void expect_as_promised(const RunRequest& request, std::uint64_t pairs) {
  const auto run = prepare(request);
  const RunResult result = run->execute();
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.judgement.outcome, Outcome::complete);
  EXPECT_EQ(result.judgement.deliveries.tally.verified, pairs);
  EXPECT_EQ(result.record.steps, run->forecast().footprint.steps);
  EXPECT_TRUE(run->forecast().footprint.hops == 0 ||
              run->forecast().footprint.hops == result.record.messages_sent);
  EXPECT_TRUE(result.judgement.promises.kept());
  EXPECT_TRUE(run->forecast().lower_bound);
}

/// Through every kind of channel that it is compiled for; the others are refused.
void expect_as_promised_on_its_channels(RunRequest request, std::uint64_t pairs) {
  const std::vector<ChannelKind> own = channels_for(request);
  for (const ChannelKind channel :
       {ChannelKind::slot, ChannelKind::spsc, ChannelKind::mailbox, ChannelKind::wormhole}) {
    SCOPED_TRACE(report::channel_name(channel));
    request.channel = channel;
    if (std::find(own.begin(), own.end(), channel) != own.end())
      expect_as_promised(request, pairs);
    else
      EXPECT_THAT(refusal(request), testing::MatchesRegex(fmt::format(
                                        "channel: {} is not possible because .*; allowed: .*",
                                        report::channel_name(channel))));
  }
}

/// Whatever is added to the catalogue is run here, through every kind of channel that carries it;
/// only what needs a user's plan is not (schedule_from_file_test.cpp).
TEST(AlgorithmCatalogTest, EveryLineRunsOnTheExamplesOfTheNetworksItAdmits) {
  std::set<std::string> left;
  for (const AlgorithmEntry& entry : algorithm_catalog())
    if (std::none_of(entry.info.parameters.begin(), entry.info.parameters.end(),
                     [](const Parameter& parameter) { return parameter.required; }))
      left.insert(fmt::format("{} {}", name_of(entry.info.operation), entry.info.name));
  ASSERT_GE(left.size(), 5U);
  std::vector<std::string> networks{"torus:3x4"};  // some run on tori of certain sizes
  for (const TopologyInfo& family : topology_catalog())
    if (!family.example.empty()) networks.emplace_back(family.example);  // others need a file
  std::map<std::string, test::SomeCases> some;
  for (const std::string& example : networks)
    for (const OperationInfo& known : operation_catalog()) {
      for (const auto& info : algorithms_for(example, known.operation)) {
        const std::string line = fmt::format("{} {}", name_of(info.operation), info.name);
        if (!some.try_emplace(line, 7U).first->second.take()) continue;
        SCOPED_TRACE(example + " " + line);
        RunRequest request = exchange(example);
        request.operation = info.operation;
        request.algorithm = info.name;
        const AnyTopology& network = request.topology;
        if (has_root(info.operation))
          request.settings["root"] = std::uint64_t{network.processor_count() - 1};
        expect_as_promised_on_its_channels(request, expected_pairs(network, info.operation));
        left.erase(line);
      }
    }
  EXPECT_THAT(left, IsEmpty()) << "on no family's example";
}

TEST(PrepareTest, ARootIsForOperationsThatHaveOne) {
  RunRequest request = exchange("ej:3+4");
  request.settings["root"] = std::uint64_t{36};
  EXPECT_EQ(refusal(request),
            "--root does not apply to total-exchange on ej:3+4; only operations "
            "broadcast, gather, reduce, scatter accept it");
  request.operation = Operation::broadcast;
  EXPECT_EQ(refusal(request), "accepted");
  request.settings["root"] = std::uint64_t{37};
  EXPECT_EQ(refusal(request),
            "root: '37' is not valid; expected a node of ej:3+4: a number from 0 to 36 or a label "
            "such as '-1'");
  request.topology = "fat-tree:2^2";
  request.settings["root"] = std::uint64_t{4};
  EXPECT_EQ(refusal(request),
            "root: '4' is not valid; expected a processor of fat-tree:2^2: a number from 0 to 3 or "
            "a label such as '(0,3)'; this node is a switch");
}

/// The one of least predicted time that it admits, that takes what is set and, as nobody gave the
/// costs, that is made for the family.
TEST(PrepareTest, APortModelChoosesTheAlgorithm) {
  const auto algorithm = [](const std::string& network, const PortModel& model,
                            const Settings& settings = {}) {
    RunRequest request = exchange(network);
    request.port_model = model;
    request.settings = settings;
    return std::string(prepare(request)->forecast().algorithm.name);
  };
  EXPECT_EQ(algorithm("fat-tree:3^2", port_models::all_port), "phases");
  EXPECT_EQ(algorithm("fat-tree:3^2", port_models::single_port_send), "up-first");
  EXPECT_EQ(algorithm("star:4", port_models::single_port), "generator-sequence");
  EXPECT_EQ(algorithm("star:4", port_models::single_port, {{"k", Numbers{3}}}), "packing");
  EXPECT_EQ(algorithm("star:4", port_models::all_port), "generator-sequence");
  EXPECT_EQ(algorithm("star:4", port_models::all_port_half_duplex), "table-half-duplex");
}

TEST(PrepareTest, APortModelThatAdmitsNoAlgorithmIsRefused) {
  RunRequest cube{.topology = "hypercube:3",
                  .operation = Operation::total_exchange,
                  .port_model = port_models::single_port_half_duplex};
  EXPECT_EQ(refusal(cube),
            "hypercube:3 total-exchange: no algorithm for the port model single-port-half-duplex; "
            "available, with the port models they need: node-invariant, a2, by-dimensions, "
            "by-dimensions-in-turn, index-by-dimensions, generator-sequence (single-port); "
            "edge-colouring, "
            "rounds, "
            "rotated-dimensions, by-dimensions-all-port (all-port)");
  cube.algorithm = "a2";  // to see what it breaks
  EXPECT_EQ(prepare(cube)->forecast().model, port_models::single_port_half_duplex);
  RunRequest packing = exchange("star:4");
  packing.port_model = port_models::single_port_half_duplex;
  packing.settings["k"] = Numbers{3};
  EXPECT_THAT(refusal(packing), HasSubstr("available, with the port models they need: packing "
                                          "(single-port)"));
}

TEST(PrepareTest, ARefusalNamesWhatThereIs) {
  RunRequest torus = exchange("torus:3x4");
  torus.operation = Operation::odd_distance_exchange;
  EXPECT_EQ(
      refusal(torus),
      "odd-distance-exchange has no algorithm for torus:3x4 except a schedule file (--schedule "
      "FILE); it supports only star graphs, or bipartite Cayley graphs with processors x nodes <= "
      "262,144, or bipartite networks that are not Cayley graphs with processors x nodes <= "
      "8,388,608, processors x links <= 536,870,912 and up to 134,217,728 hops in the plan, or "
      "bipartite Cayley graphs of up to 4,096 nodes with up to 64 ports, or bipartite networks of "
      "up to 128 nodes, or bipartite switchless products of up to 128 nodes. Other operations: "
      "`lockstep list operations 'torus:3x4'`");
  RunRequest large = exchange("torus:128x128");
  large.operation = Operation::odd_distance_exchange;
  EXPECT_EQ(
      refusal(large),
      "odd-distance-exchange has no algorithm for torus:128x128 except a schedule file (--schedule "
      "FILE); it supports bipartite Cayley graphs with processors x nodes <= 262,144, or bipartite "
      "Cayley graphs of up to 4,096 nodes, or bipartite networks of up to 128 nodes, or bipartite "
      "switchless products of up to 128 nodes; torus:128x128 has processors x nodes = 268,435,456, "
      "16,384 nodes. Other operations: `lockstep list operations 'torus:128x128'`");
}

/// The machine is that of the catalogue's first algorithm, whatever is chosen; and so for every
/// size of blocks.
TEST(PrepareTest, TheMachineOfADefaultRunIsThatOfTheFirstAlgorithm) {
  RunRequest request{.topology = "torus:5x5", .operation = Operation::all_reduce};
  for (const std::size_t bytes : {8U, 64U, 100U}) {
    request.block_bytes = bytes;
    EXPECT_EQ(prepare(request)->forecast().model, port_models::single_port) << bytes;
  }
  RunRequest tree{.topology = "kary-tree:2^4", .operation = Operation::all_gather};
  EXPECT_EQ(prepare(tree)->forecast().model, port_models::all_port);
}

/// The sizes of packets do not depend on the channel.
TEST(PrepareTest, ARefusalSaysWhatNoChoiceCanMend) {
  RunRequest request{.topology = "torus:4x4",
                     .operation = Operation::many_to_all,
                     .algorithm = "aggregation-plus",
                     .channel = ChannelKind::spsc};
  request.settings["messages"] = std::uint64_t{3};
  request.settings["tuning"] = std::string("near");
  EXPECT_EQ(
      refusal(request),
      "channel: spsc is not possible because 'aggregation-plus' uses wormhole switching, which "
      "has a kind of channel of its own; allowed: auto");
}

/// If the channel that the user asked for leaves no algorithm, the refusal names it. The table that
/// another algorithm lacks on this network, or the port model, which others keep, say less.
TEST(PrepareTest, AChannelThatLeavesNoAlgorithmIsNamed) {
  RunRequest request{.topology = "star:2",
                     .operation = Operation::odd_distance_exchange,
                     .channel = ChannelKind::mailbox};
  EXPECT_THAT(
      refusal(request),
      testing::MatchesRegex("channel: mailbox is not possible because .*allowed: .*slot.*"));
  request = {.topology = "fat-tree:2,linear",
             .operation = Operation::total_exchange,
             .port_model = port_models::single_port_half_duplex,
             .channel = ChannelKind::spsc};
  EXPECT_THAT(refusal(request),
              testing::MatchesRegex("channel: spsc is not possible because .*allowed: slot"));
  request.channel = ChannelKind::automatic;
  EXPECT_EQ(refusal(request), "accepted");
}

/// All kinds are compiled for one type of programs, a second kind for two; all have the fastest.
TEST(PrepareTest, AChannelThatIsNotCompiledIsRefused) {
  RunRequest request{.topology = "torus:4x4", .operation = Operation::scan, .algorithm = "tree"};
  const auto expect_refused = [&request](ChannelKind channel, std::string_view allowed) {
    request.channel = channel;
    EXPECT_EQ(refusal(request),
              fmt::format("channel: {} is not possible because '{}' does not support this "
                          "kind of channel; allowed: {}",
                          report::channel_name(channel), request.algorithm, allowed));
  };
  expect_refused(ChannelKind::spsc, "slot");
  request.topology = "hypercube:4";
  request.algorithm = "recursive-doubling";
  expect_refused(ChannelKind::spsc, "slot, mailbox");
  request = {.topology = "ej:1+2", .operation = Operation::broadcast};
  request.algorithm = "single-port-tree";
  expect_refused(ChannelKind::spsc, "slot, mailbox");
  request.channel = ChannelKind::mailbox;
  EXPECT_EQ(refusal(request), "accepted");
  request.fault = {.kind = FaultKind::drop};  // which needs more than a box per node
  expect_refused(ChannelKind::mailbox, "slot");
  request.algorithm = "matching";
  expect_refused(ChannelKind::mailbox, "slot, spsc");
  request.algorithm = "no such algorithm";
  EXPECT_THAT(channels_for(request), IsEmpty());
}

/// Only algorithms compete that the channel is compiled for.
TEST(PrepareTest, AChannelLeavesFewerAlgorithmsToChooseFrom) {
  RunRequest request = exchange("star:4");
  request.port_model = port_models::all_port;
  request.costs = {.t_s = 100};
  EXPECT_EQ(prepare(request)->forecast().algorithm.name, "balanced-paths");
  request.channel = ChannelKind::spsc;
  EXPECT_EQ(prepare(request)->forecast().algorithm.name, "levelwise");
}

TEST(PrepareTest, FillsDefaultsIn) {
  const auto factors = [](const std::string& network) {
    RunRequest packing = exchange(network);
    packing.algorithm = "packing";
    return prepare(packing)->forecast().settings.numbers("k");
  };
  EXPECT_THAT(factors("star:5"), ElementsAre(3));
  EXPECT_THAT(factors("star:3"), ElementsAre(2));
  EXPECT_THAT(factors("star:2"), ElementsAre(1));
  RunRequest request = exchange("star:5");
  request.settings["batch"] = "auto";
  EXPECT_EQ(prepare(request)->forecast().settings.number("batch"), 6U);
  request.settings["k"] = Numbers{2};
  EXPECT_EQ(prepare(request)->forecast().settings.number("batch"), 2U);
  request.settings["k"] = Numbers{4, 3};
  EXPECT_THAT(refusal(request), HasSubstr("batch: auto is possible only"));
}

TEST(PrepareTest, RefusesWhatDoesNotFitTogether) {
  RunRequest request = exchange("star:5");
  request.algorithm = "packng";
  EXPECT_THAT(refusal(request), HasSubstr("did you mean 'packing'?"));
  request.algorithm = "levelwise";
  request.settings["k"] = Numbers{3};
  const std::string packing_only = "; only algorithm packing accepts it (networks: star)";
  EXPECT_EQ(refusal(request), "--k does not apply to algorithm 'levelwise'" + packing_only);
  request.settings = {{"batch", std::uint64_t{2}}};
  EXPECT_THAT(refusal(request), testing::EndsWith(packing_only));
  request = exchange("ring:5");
  request.settings["k"] = Numbers{3};
  EXPECT_THAT(
      refusal(request),
      testing::EndsWith("only algorithm packing accepts it, which supports only star graphs"));
  request = exchange("torus:2x5");
  request.operation = Operation::many_to_all;
  request.settings["packet"] = std::uint64_t{3};
  EXPECT_THAT(
      refusal(request),
      testing::EndsWith("only algorithm edst accepts it, which supports only two-dimensional "
                        "tori with equal sides and sides of 3 to 16,384"));
  request = exchange("torus:3x4");
  request.operation = Operation::odd_distance_exchange;
  EXPECT_THAT(refusal(request), HasSubstr("has no algorithm for"));
  request = exchange("star:5");
  request.workers = max_workers + 1;
  EXPECT_THAT(refusal(request), HasSubstr("expected a number from 1 to 1024"));
  for (const Numbers& chain : {Numbers{0}, {5}, {6}, {3, 3}, {2, 3}, {3, 1}, {3, 0}}) {
    request = exchange("star:5");
    request.settings["k"] = chain;
    EXPECT_THAT(refusal(request), testing::StartsWith("k: "));
  }
}

TEST(PrepareTest, RefusesWhatTheHostCannotCarry) {
  RunRequest request = exchange("star:5");
  request.block_bytes = std::size_t{1} << 63U;
  EXPECT_THAT(refusal(request),
              testing::MatchesRegex("resources: .* needs 16 EiB or more of memory; "
                                    "available on this host: .*"));
  EXPECT_NO_THROW((void)prepare(request, false));
  request.block_bytes = 64;
  request.memory_limit = 1 << 20;
  EXPECT_THAT(refusal(request), HasSubstr("allowed: 1.0 MiB (--memory-limit)"));
  request = exchange("star:10");
  EXPECT_THAT(refusal(request), testing::AnyOf(HasSubstr("needs about"), HasSubstr("of memory")));
  request = exchange("star:6");
  request.max_hours = 0;
  EXPECT_THAT(refusal(request), HasSubstr("--max-hours"));
}

TEST(PrepareTest, PicksAChannelThatFits) {
  EXPECT_EQ(prepare(exchange("star:5"))->forecast().channel, ChannelKind::row);
  EXPECT_EQ(prepare(exchange("mesh:4x4"))->forecast().channel, ChannelKind::slot);
  RunRequest request = exchange("star:10");
  request.memory_limit = std::uint64_t{1} << 30U;  // slots alone would take half of it
  EXPECT_EQ(prepare(request, false)->forecast().channel, ChannelKind::mailbox);
  request.channel = ChannelKind::spsc;
  EXPECT_EQ(prepare(request, false)->forecast().channel, ChannelKind::spsc);
}

TEST(PrepareTest, PredictsMemoryThatGrowsWithTheRequest) {
  const auto memory = [](const RunRequest& request) {
    return prepare(request, false)->forecast().memory_bytes;
  };
  RunRequest request = exchange("star:6");
  const std::uint64_t usual = memory(request);
  request.block_bytes = 640;
  EXPECT_GT(memory(request), usual);
  request.block_bytes = 64;
  request.keep_series = true;
  EXPECT_GT(memory(request), usual);
  request.keep_series = false;
  request.channel = ChannelKind::spsc;
  EXPECT_GT(memory(request), usual);
  EXPECT_GT(memory(exchange("star:7")), usual);
}

TEST(PrepareTest, BlocksOfNoBytesProveNothing) {
  RunRequest request = exchange("star:4");
  request.block_bytes = 0;
  EXPECT_THAT(refusal(request), HasSubstr("bytes: 0 is not valid; expected at least 1"));
}

}  // namespace
}  // namespace lockstep
