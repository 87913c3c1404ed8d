// SPDX-License-Identifier: Apache-2.0
#include "study/run_series.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stop_token>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "study/best_choice.hpp"
#include "study/comparison.hpp"
#include "support/thread_processes.hpp"

namespace lockstep::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RunRequest request(const std::string& topology, std::vector<std::size_t> k = {}) {
  RunRequest request{.topology = topology, .algorithm = "packing", .block_bytes = 8};
  if (!k.empty()) request.settings["k"] = std::move(k);
  request.workers = 2;
  return request;
}

Measured measured(const RunRequest& request, std::uint64_t repeats = 1) {
  RunSeries series({request}, {.repeats = repeats});
  return series.measure(0);
}

TEST(RunSeries, MeasuresARun) {
  const Measured run = measured(request("star:4", {2}), 3);
  EXPECT_EQ(run.status(), "ok");
  EXPECT_EQ(run.exit, Exit::ok);
  EXPECT_EQ(run.note, "");
  ASSERT_TRUE(run.forecast && run.result);
  EXPECT_EQ(run.forecast->topology, "star:4");
  EXPECT_EQ(run.result->record.startups, 37U);
  EXPECT_GE(run.wall_seconds, run.step_seconds);
  EXPECT_GT(run.step_seconds, 0);
}

TEST(RunSeries, GoesOnAfterARefusal) {
  RunSeries series({request("star:4", {4}), request("star:4", {3})}, {});
  const Measured refused = series.measure(0);
  EXPECT_EQ(refused.status(), "refused");
  EXPECT_THAT(refused.note, HasSubstr("--k: 4 is too large"));
  EXPECT_FALSE(refused.forecast || refused.result);
  EXPECT_EQ(series.measure(1).status(), "ok");
}

/// The first process measures the second and the last run; the others take part in these.
TEST(RunSeries, ProcessesFollowTheFirst) {
  constexpr std::size_t count = 3;
  std::vector<RunRequest> requests{request("star:4", {3}), request("star:4", {2}),
                                   request("star:4", {4}), request("star:2")};
  for (RunRequest& request : requests) request.processes = count;
  std::vector<Measured> runs;
  test::ThreadProcesses(count).run([&](Processes& processes) {
    RunSeries series(requests, {.repeats = 2, .processes = &processes});
    EXPECT_EQ(series.follows(), processes.rank() != 0);
    if (series.follows()) return series.follow();
    for (const std::size_t i : {1U, 2U, 3U}) runs.push_back(series.measure(i));
  });
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].status(), "ok");
  EXPECT_EQ(runs[0].result->record.startups, 37U);
  EXPECT_EQ(runs[0].result->record.processes, count);
  EXPECT_EQ(runs[0].walls.size(), 2U);
  EXPECT_EQ(runs[1].status(), "refused");
  EXPECT_THAT(runs[1].note, HasSubstr("--k: 4 is too large"));
  EXPECT_EQ(runs[2].status(), "refused");
  EXPECT_THAT(runs[2].note, HasSubstr("processes: 3 for 2 nodes"));
}

/// One process lacks the memory for the first run: none of them begins it.
TEST(RunSeries, NoProcessRunsWhatOneCannot) {
  std::vector<Measured> runs;
  test::ThreadProcesses(2).run([&](Processes& processes) {
    std::vector<RunRequest> requests{request("star:4"), request("star:4")};
    if (processes.rank() == 1) requests[0].memory_limit = 1;
    RunSeries series(requests, {.processes = &processes});
    if (series.follows()) return series.follow();
    for (const std::size_t i : {0U, 1U}) runs.push_back(series.measure(i));
  });
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].status(), "no-resources");
  EXPECT_THAT(runs[0].note, HasSubstr("(in process 1)"));
  EXPECT_EQ(runs[1].status(), "ok");
}

TEST(RunSeries, DifferentRunsAreRefused) {
  Measured run;
  test::ThreadProcesses(2).run([&](Processes& processes) {
    RunSeries series({request("star:4", {processes.rank() + 2})}, {.processes = &processes});
    if (series.follows()) return series.follow();
    run = series.measure(0);
  });
  EXPECT_EQ(run.status(), "refused");
  EXPECT_THAT(run.note, HasSubstr("the processes prepared different runs: star:4"));
}

TEST(RunSeries, AnInterruptedProcessEndsTheSeriesOfAll) {
  Measured run;
  test::ThreadProcesses(2).run([&](Processes& processes) {
    std::stop_source source;
    if (processes.rank() == 1) source.request_stop();
    RunSeries series({request("star:4")}, {.stop = source.get_token(), .processes = &processes});
    if (series.follows()) return series.follow();
    run = series.measure(0);
  });
  EXPECT_TRUE(run.interrupted());
}

TEST(RunSeries, ComesToTheSameWhereNoPlanIsKept) {
  const std::vector<RunRequest> requests{request("star:4", {3}), request("star:3"),
                                         request("star:4", {2})};
  RunSeries kept(requests, {});
  RunSeries prepared_again(requests, {.most_plan_bytes = 0});
  for (std::size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(kept.before(i).forecast->footprint.steps,
              prepared_again.before(i).forecast->footprint.steps);
    const Measured one = kept.measure(i);
    const Measured other = prepared_again.measure(i);
    ASSERT_TRUE(one.result && other.result);
    EXPECT_TRUE(one.result->record.same_facts(other.result->record));
  }
}

TEST(RunSeries, SaysWhatTheHostCannotCarry) {
  RunRequest large = request("star:5");
  large.memory_limit = 1;
  const Measured run = measured(large);
  EXPECT_EQ(run.status(), "no-resources");
  EXPECT_THAT(run.note, HasSubstr("memory"));
  EXPECT_TRUE(run.forecast);
  EXPECT_FALSE(run.result);
}

TEST(RunSeries, SaysWhichRuleWasBroken) {
  RunRequest half = request("star:4");
  half.port_model = port_models::all_port_half_duplex;
  const Measured run = measured(half, 2);
  EXPECT_EQ(run.status(), "rule-broken");
  EXPECT_EQ(run.note,
            "step 0, node 0, port 2, link to node 21: link used in both directions in one step "
            "(rule half-duplex)");
}

TEST(RunSeries, CountsWhatWasNotVerified) {
  RunRequest faulty = request("star:4");
  faulty.fault = {.kind = FaultKind::drop, .step = 2, .sender = NodeId{5}};
  const Measured run = measured(faulty);
  EXPECT_EQ(run.status(), "not-delivered");
  EXPECT_THAT(run.note, HasSubstr(" of 552 messages verified"));
}

TEST(RunSeries, IsOverWhenItIsStopped) {
  std::stop_source source;
  RunSeries series({request("star:4")}, {.stop = source.get_token()});
  source.request_stop();
  EXPECT_TRUE(series.measure(0).interrupted());
  EXPECT_EQ(series.measure(0).status(), "interrupted");
}

TEST(RunSeries, TheWorstOfTwoIsWhatASeriesExitsWith) {
  constexpr std::array order{Exit::ok,           Exit::bad_request,
                             Exit::no_resources, Exit::not_delivered,
                             Exit::rule_broken,  Exit::interrupted};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < order.size(); ++j)
      EXPECT_EQ(worse(order[i], order[j]), order[std::max(i, j)]) << i << " " << j;
}

TEST(RunSeries, AStatusStandsForAnExitCode) {
  for (const Exit exit : {Exit::ok, Exit::bad_request, Exit::no_resources, Exit::not_delivered,
                          Exit::rule_broken, Exit::interrupted}) {
    const Measured run{.exit = exit};
    EXPECT_EQ(exit_of_status(run.status()), exit) << run.status();
  }
  EXPECT_EQ(exit_of_status("fine"), std::nullopt);
}

TEST(RunSeries, DescribesARequestAsFarAsItSays) {
  RunRequest run{.topology = "star:6", .operation = Operation::total_exchange};
  EXPECT_EQ(describe(run), "star:6 total-exchange");
  run.algorithm = "packing";
  run.settings["k"] = Numbers{4, 3, 2};
  EXPECT_EQ(describe(run), "star:6 total-exchange by packing, k = 4,3,2");
  run.settings["batch"] = std::uint64_t{6};
  EXPECT_EQ(describe(run), "star:6 total-exchange by packing, k = 4,3,2, batch 6");
  run.settings["batch"] = "auto";
  EXPECT_EQ(describe(run), "star:6 total-exchange by packing, k = 4,3,2, batch auto");
}

/// The variants of packing, which has many, and all variants for an all-gather.
std::vector<std::string> variants(const std::string& topology, Operation operation) {
  std::vector<std::string> all;
  for (const RunRequest& run :
       compare_variants({.topology = topology, .operation = operation}, {.t_s = 100, .t_m = 1})
           .requests)
    if (run.algorithm == "packing" || run.operation == Operation::all_gather)
      all.push_back(describe(run));
  return all;
}

TEST(CompareVariants, AreAllAlgorithmsAndEveryFactor) {
  EXPECT_THAT(
      variants("star:4", Operation::all_gather),
      ElementsAre("star:4 all-gather by mesh", "star:4 all-gather by hamiltonian-ring",
                  "star:4 all-gather by levelwise", "star:4 all-gather by tree",
                  "star:4 all-gather by matching", "star:4 all-gather by single-port-tree",
                  "star:4 all-gather by shortest-paths",
                  "star:4 all-gather by shortest-paths-in-turn",
                  "star:4 all-gather by hamiltonian-cycle", "star:4 all-gather by tree-walk",
                  "star:4 all-gather by one-way", "star:4 all-gather by both-ways",
                  "star:4 all-gather by neighbour-exchange", "star:4 all-gather by node-invariant",
                  "star:4 all-gather by generator-sequence", "star:4 all-gather by matched-rounds",
                  "star:4 all-gather by matched-single-blocks",
                  "star:4 all-gather by matched-ports", "star:4 all-gather by balanced-paths"));
  EXPECT_THAT(variants("star:2", Operation::total_exchange),
              ElementsAre("star:2 total-exchange by packing, k = 1"));
  EXPECT_THAT(variants("star:3", Operation::total_exchange),
              ElementsAre("star:3 total-exchange by packing, k = 1",
                          "star:3 total-exchange by packing, k = 2",
                          "star:3 total-exchange by packing, k = 2, batch 3"));
}

/// Only those chains and batches are compared that are the cheapest at one of the ratios.
TEST(CompareVariants, HoldTheCheapestChainsAndBatches) {
  const auto cost = [](const RunRequest& run) {
    return *prepare(run, false)->forecast().predicted;
  };
  const std::vector<RunRequest> chosen =
      compare_variants({.topology = "star:6", .operation = Operation::total_exchange},
                       {.t_s = 100, .t_m = 1})
          .requests;
  for (const NamedRatio& ratio : paper_ratios)
    for (const Numbers& chain : {Numbers{5, 4, 3, 2},
                                 {5, 4, 3},
                                 {5, 4, 2},
                                 {5, 3, 2},
                                 {4, 3, 2},
                                 {5, 4},
                                 {5, 3},
                                 {5, 2},
                                 {4, 3},
                                 {4, 2},
                                 {3, 2}}) {
      RunRequest other{
          .topology = "star:6", .operation = Operation::total_exchange, .algorithm = "packing"};
      other.settings["k"] = chain;
      EXPECT_TRUE(std::any_of(chosen.begin(), chosen.end(),
                              [&](const RunRequest& run) {
                                return run.settings.numbers("k").size() > 1 &&
                                       !takes_less_time(cost(other), cost(run),
                                                        {.t_s = ratio.value()}, 64);
                              }))
          << ratio.text << " " << describe(other);
    }
}

TEST(CompareVariants, SayThatThereIsNoAlgorithm) {
  EXPECT_THROW((void)variants("torus:3x4", Operation::odd_distance_exchange), InvalidParameter);
  EXPECT_THROW((void)variants("star:13", Operation::all_gather), InvalidParameter);
}

}  // namespace
}  // namespace lockstep::study
