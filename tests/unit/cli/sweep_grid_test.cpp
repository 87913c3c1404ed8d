// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"

namespace lockstep::cli {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SweepArguments arguments(std::vector<std::string> words) { return {.words = std::move(words)}; }

/// "star:5 packing, k = 4,3, batch 2 bytes 8", a run each.
std::vector<std::string> grid(const SweepArguments& arguments) {
  std::vector<std::string> runs;
  for (const RunRequest& request : sweep_requests(arguments))
    runs.push_back(fmt::format("{} {}{} bytes {}", request.topology.name(), request.algorithm,
                               phrases_of(parameter_catalog(), request.settings),
                               request.block_bytes.value()));
  return runs;
}

std::string refusal(const SweepArguments& arguments) {
  try {
    (void)sweep_requests(arguments);
  } catch (const InvalidParameter& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST(SweepGrid, IsEveryCombinationTopologyByTopology) {
  SweepArguments sweep = arguments({"star:3", "star:4", "total-exchange"});
  sweep.parameters.set("k", "all");
  sweep.bytes = "1,64";
  EXPECT_THAT(grid(sweep), ElementsAre("star:3 , k = 1 bytes 1", "star:3 , k = 1 bytes 64",
                                       "star:3 , k = 2 bytes 1", "star:3 , k = 2 bytes 64",
                                       "star:4 , k = 1 bytes 1", "star:4 , k = 1 bytes 64",
                                       "star:4 , k = 2 bytes 1", "star:4 , k = 2 bytes 64",
                                       "star:4 , k = 3 bytes 1", "star:4 , k = 3 bytes 64"));
}

TEST(SweepGrid, OfTheReadmeHas54Runs) {
  SweepArguments sweep = arguments({"star:4..7", "total-exchange"});
  sweep.parameters.set("k", "all");
  sweep.bytes = "8,64,512";
  EXPECT_EQ(sweep_requests(sweep).size(), (3U + 4U + 5U + 6U) * 3U);
}

TEST(SweepGrid, GivesFactorsAndBatchesToAlgorithmsThatTakeThem) {
  SweepArguments sweep = arguments({"star:4", "total-exchange"});
  sweep.algorithm = "levelwise,packing";
  sweep.parameters.set("k", "2;3,2");
  sweep.parameters.set("batch", "1,auto");
  EXPECT_THAT(
      grid(sweep),
      ElementsAre("star:4 levelwise bytes 64", "star:4 packing, k = 2 bytes 64",
                  "star:4 packing, k = 2, batch auto bytes 64", "star:4 packing, k = 3,2 bytes 64",
                  "star:4 packing, k = 3,2, batch auto bytes 64"));
}

TEST(SweepGrid, GivesDisciplinesToAlgorithmsWithQueues) {
  SweepArguments sweep = arguments({"ring:5", "total-exchange"});
  sweep.algorithm = "node-invariant,edge-colouring";
  std::vector<std::string> runs;
  const auto list = [&] {
    runs.clear();
    for (const RunRequest& request : sweep_requests(sweep))
      runs.push_back(request.algorithm + " " + request.settings.text("discipline", "default"));
    return runs;
  };
  EXPECT_THAT(list(), ElementsAre("node-invariant default", "edge-colouring default"));
  sweep.parameters.set("discipline", "closest-first,message-shift");
  EXPECT_THAT(list(), ElementsAre("node-invariant closest-first", "node-invariant message-shift",
                                  "edge-colouring default"));
  sweep.parameters.set("discipline", "all");
  EXPECT_THAT(list(), testing::SizeIs(5));
}

TEST(SweepGrid, RunsTheDefaultAlgorithmOrAllOfThem) {
  SweepArguments sweep = arguments({"star:4", "all-gather"});
  EXPECT_THAT(grid(sweep), ElementsAre("star:4  bytes 64"));  // prepare() chooses
  sweep.algorithm = "all";
  EXPECT_THAT(
      grid(sweep),
      ElementsAre("star:4 mesh bytes 64", "star:4 hamiltonian-ring bytes 64",
                  "star:4 levelwise bytes 64", "star:4 tree bytes 64", "star:4 matching bytes 64",
                  "star:4 single-port-tree bytes 64", "star:4 shortest-paths bytes 64",
                  "star:4 shortest-paths-in-turn bytes 64", "star:4 hamiltonian-cycle bytes 64",
                  "star:4 tree-walk bytes 64", "star:4 one-way bytes 64",
                  "star:4 both-ways bytes 64", "star:4 neighbour-exchange bytes 64",
                  "star:4 node-invariant bytes 64", "star:4 generator-sequence bytes 64",
                  "star:4 matched-rounds bytes 64", "star:4 matched-single-blocks bytes 64",
                  "star:4 matched-ports bytes 64", "star:4 balanced-paths bytes 64"));
}

TEST(SweepGrid, TriesEveryChannelWithEveryNumberOfWorkers) {
  SweepArguments sweep = arguments({"star:3", "total-exchange"});
  sweep.machine.channel = "slot,spsc";
  sweep.machine.threads = "1,2,8";
  std::vector<std::string> machines;
  for (const RunRequest& request : sweep_requests(sweep))
    machines.push_back(fmt::format("{} {}", static_cast<int>(request.channel), request.workers));
  EXPECT_THAT(machines, ElementsAre("2 1", "2 2", "2 8", "1 1", "1 2", "1 8"));
}

TEST(SweepGrid, RefusesWhatNoRunCouldMean) {
  EXPECT_THAT(refusal(arguments({})), HasSubstr("nothing given; expected one or more topologies"));
  EXPECT_THAT(refusal(arguments({"star:4"})), HasSubstr("only 'star:4' given"));
  EXPECT_THAT(refusal(arguments({"star:4", "star:5"})), HasSubstr("unknown operation 'star:5'"));
  EXPECT_THAT(refusal(arguments({"star:4..1", "total-exchange"})), HasSubstr("star:4..1"));
  EXPECT_THAT(refusal(arguments({"star:11..13", "total-exchange"})), HasSubstr("allowed: 2..12"));
  EXPECT_THAT(refusal(arguments({"torus:3x4", "odd-distance-exchange"})),
              HasSubstr("no algorithm"));

  SweepArguments sweep = arguments({"star:4", "total-exchange"});
  sweep.algorithm = "packing,mesh";
  EXPECT_THAT(refusal(sweep), HasSubstr("total-exchange: unknown algorithm 'mesh'"));

  sweep = arguments({"star:4", "total-exchange"});
  sweep.bytes = "8,,64";
  EXPECT_THAT(refusal(sweep), HasSubstr("bytes: '' is not valid"));

  sweep = arguments({"star:4", "total-exchange"});
  sweep.parameters.set("k", "3;");
  EXPECT_THAT(refusal(sweep), HasSubstr("k: '' is not valid"));
  sweep.parameters.set("k", "al");
  EXPECT_THAT(refusal(sweep), testing::EndsWith("such as 4,3,2, or all"));

  sweep = arguments({"star:4", "total-exchange"});
  for (const char* const open : {"8..", "..64", ".."}) {
    sweep.bytes = open;
    EXPECT_EQ(refusal(sweep), fmt::format("--bytes: '{}' lacks a limit; expected a range such as "
                                          "8..1M",
                                          open));
  }

  sweep = arguments({"star:4", "all-gather"});
  sweep.parameters.set("k", "3");
  EXPECT_EQ(refusal(sweep), "--k '3' applies to none of the selected algorithms");

  sweep = arguments({"star:4", "all-gather"});
  sweep.parameters.set("batch", "2");
  EXPECT_EQ(refusal(sweep), "--batch '2' applies to none of the selected algorithms");

  sweep = arguments({"star:4", "all-gather"});
  sweep.parameters.set("discipline", "fifo");
  EXPECT_EQ(refusal(sweep), "--discipline 'fifo' applies to none of the selected algorithms");

  sweep = arguments({"ring:5", "total-exchange"});
  sweep.parameters.set("discipline", "fifo,lifo");
  EXPECT_THAT(refusal(sweep), HasSubstr("unknown queue discipline 'lifo'"));
}

TEST(SweepGrid, TakesBlockSizesByAFactor) {
  SweepArguments sweep = arguments({"star:3", "total-exchange"});
  sweep.min_bytes = "8";
  sweep.max_bytes = "1KiB";
  sweep.factor = "4";
  EXPECT_THAT(grid(sweep), ElementsAre("star:3  bytes 8", "star:3  bytes 32", "star:3  bytes 128",
                                       "star:3  bytes 512"));
  sweep.factor = "1.5";
  sweep.max_bytes = "20";
  EXPECT_THAT(grid(sweep), ElementsAre("star:3  bytes 8", "star:3  bytes 12", "star:3  bytes 18"));
  sweep.factor = "1";
  EXPECT_THAT(refusal(sweep), HasSubstr("factor: '1' is not valid"));
  sweep.factor.reset();
  sweep.max_bytes.reset();
  EXPECT_THAT(refusal(sweep), HasSubstr("must be given together"));
  sweep.bytes = "8";
  EXPECT_THAT(refusal(sweep), HasSubstr("--bytes cannot be combined with --min-bytes"));
}

/// The same runs in an order that depends on the seed alone.
TEST(SweepGrid, IsShuffledByASeed) {
  SweepArguments sweep = arguments({"star:3..5", "total-exchange"});
  sweep.parameters.set("k", "all");
  const auto order = [&](std::uint64_t seed) {
    std::vector<RunRequest> requests = sweep_requests(sweep);
    shuffle(requests, seed);
    std::vector<std::string> names;
    for (const RunRequest& request : requests)
      names.push_back(request.topology.name() + phrases_of(parameter_catalog(), request.settings));
    return names;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
  EXPECT_THAT(order(1), testing::UnorderedElementsAreArray(order(2)));
}

/// The run refuses what only one of the networks cannot do.
TEST(SweepGrid, KeepsWhatOnlySomeNetworksRefuse) {
  SweepArguments sweep = arguments({"star:3..4", "total-exchange"});
  sweep.parameters.set("k", "3");
  EXPECT_EQ(sweep_requests(sweep).size(), 2U);
}

/// Every parameter that some algorithm has makes a list.
TEST(SweepGrid, TakesListsOfRoots) {
  SweepArguments sweep = arguments({"ej:1+2", "broadcast"});
  sweep.parameters.set("root", "0;3");
  EXPECT_THAT(grid(sweep), ElementsAre("ej:1+2 , root 0 bytes 64", "ej:1+2 , root 3 bytes 64"));
}

}  // namespace
}  // namespace lockstep::cli
