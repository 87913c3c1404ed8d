// SPDX-License-Identifier: Apache-2.0
/// Passes that run together without a barrier (machine/detail/passes_together.hpp) come to the
/// record, violations and deliveries of the reference machine, however nodes are cut into tasks.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stop_token>
#include <utility>
#include <vector>

#include "algorithm/total_exchange/star_packing.hpp"
#include "core/instrumented.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/cases.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/script_cases.hpp"

namespace lockstep::test {
namespace {

/// Tasks of these sizes, in one thread and in several.
[[nodiscard]] std::vector<Conditions> conditions_of(const std::vector<std::uint64_t>& task_sizes) {
  std::vector<Conditions> all;
  for (const std::uint64_t size : task_sizes) {
    all.push_back({.executor = ExecutorKind::serial, .workers = 1, .processors_per_task = size});
    all.push_back({.executor = default_executor, .workers = 2, .processors_per_task = size});
    all.push_back({.executor = ExecutorKind::thread, .workers = 3, .processors_per_task = size});
  }
  return all;
}

/// The port models of full-duplex links. Waits are followed in the order of steps.
[[nodiscard]] Job together(Job job) {
  job.model.duplex = Duplex::full;
  job.watch_waits = false;
  return job;
}

[[nodiscard]] auto packing(std::size_t symbols, Numbers k) {
  return StarPacking(StarGraph(symbols), {{"k", std::move(k)}}).program();
}

TEST(PassesTogether, PackingIsTheSameHoweverNodesAreCut) {
  const Network network = build_network(StarGraph(5));
  for (const Numbers& k : {Numbers{3}, Numbers{2}, Numbers{4, 3, 2}})
    for (const std::size_t bytes : {8U, 65U}) {
      SCOPED_TRACE(fmt::format("k = {}, {} bytes", k.front(), bytes));
      const auto program = packing(5, k);
      const Job job = together({.block_bytes = bytes});
      const RunOutcome expected = run_reference(network, program, job);
      EXPECT_TRUE(expected.verdict.complete());
      expect_outcome(network, program, job, expected, conditions_of({6, 24, 30, 48, 60}));
    }
}

template <CayleyTopology Group>
void expect_law(Random& random, const Group& group, const ScheduleChances& chances,
                const std::vector<std::uint64_t>& task_sizes) {
  const Network network = build_network(group);
  const Job job = together(random_job(random));
  SCOPED_TRACE(network.name() + ", " + described(job));
  const GroupedScheduleProgram program(group, random_schedule(random, group, chances));
  const RunOutcome expected = run_reference(network, program, job);
  expect_outcome(network, program, job, expected, conditions_of(task_sizes));
}

void expect_laws(const ScheduleChances& chances) {
  for_all(
      cases_here(40), [](Random& random) { return random; },
      [&](Random random) {
        ASSERT_NO_FATAL_FAILURE(expect_law(random, StarGraph(4), chances, {6, 12}));
        ASSERT_NO_FATAL_FAILURE(expect_law(random, Hypercube(4), chances, {4, 8}));
        ASSERT_NO_FATAL_FAILURE(expect_law(random, Ring(6), chances, {3}));
      });
}

TEST(PassesTogether, RandomLawfulSchedules) { expect_laws({.most_sends = 2}); }

TEST(PassesTogether, RandomSchedulesThatBreakEveryRule) {
  expect_laws({.most_sends = 3,
               .same_port = 10,
               .no_such_port = 3,
               .unread = 5,
               .wrong_size = 5,
               .any_slot = 5});
}

/// The order in which tasks begin their passes, by step and task.
[[nodiscard]] std::vector<std::pair<std::uint64_t, std::size_t>> begun(const Job& job,
                                                                       ChannelKind channel) {
  std::vector<std::pair<std::uint64_t, std::size_t>> all;
  const Conditions conditions{
      .channel = channel,
      .executor = ExecutorKind::serial,
      .workers = 1,
      .processors_per_task = 360,
      .disturb = [&](std::uint64_t step, std::size_t task) { all.emplace_back(step, task); }};
  (void)run(build_network(StarGraph(6)), packing(6, {3}), job, conditions);
  return all;
}

/// Passes of the first task that begin before the second task has begun the one before.
[[nodiscard]] std::size_t passes_ahead(const Job& job, ChannelKind channel = ChannelKind::row) {
  std::size_t ahead = 0;
  std::uint64_t second = 0;  // passes that task 1 has begun
  for (const auto& [step, task] : begun(job, channel))
    if (task == 1)
      second = step + 1;
    else
      ahead += step > second ? 1 : 0;
  return ahead;
}

TEST(PassesTogether, MostOfPackingRunsWithoutABarrier) {
  const std::size_t passes = begun(together({}), ChannelKind::row).size() / 2;
  EXPECT_GT(passes_ahead(together({})), passes / 2);
}

TEST(PassesTogether, NoneWhereTheOrderOfStepsOrSingleMessagesAreAskedFor) {
  EXPECT_EQ(passes_ahead(together({}), ChannelKind::slot), 0U);
  EXPECT_EQ(passes_ahead({.watch_waits = true}), 0U);
  Job half = together({});
  half.model = port_models::all_port_half_duplex;
  EXPECT_EQ(passes_ahead(half), 0U);
  Job faulty = together({});
  faulty.fault = {.kind = FaultKind::drop, .step = 3, .sender = NodeId{5}};
  EXPECT_EQ(passes_ahead(faulty), 0U);
}

[[nodiscard]] RunRecord limited(MachineOptions options, bool rows) {
  const Network network = build_network(StarGraph(6));
  const auto program = packing(6, {3});
  RecordingHost host = host_for(network, {});
  options.rows = rows;
  options.processors_per_task = 360;
  options.keep_series = true;
  Machine<Network, GroupedScheduleProgram, SlotChannels> machine(network, program, host, options);
  return machine.run(*make_executor(default_executor, 2));
}

TEST(PassesTogether, ALimitOfStepsIsKept) {
  for (const std::uint64_t limit : {1U, 10U, 37U, 38U, 39U, 40U, 41U, 100U}) {
    SCOPED_TRACE(limit);
    const RunRecord record = limited({.max_steps = limit}, true);
    EXPECT_EQ(record.steps, limit);
    EXPECT_TRUE(record.interrupted);
    EXPECT_EQ(study::differences(record, limited({.max_steps = limit}, false)),
              std::vector<std::string>{});
  }
}

/// Asks for a stop after some steps.
class StopAfter final : public StepObserver {
 public:
  StopAfter(std::uint64_t step, bool only_watches) : step_(step), only_watches_(only_watches) {}
  void on_step(const StepRecord& step) override {
    if (step.step == step_) source_.request_stop();
  }
  [[nodiscard]] bool only_watches() const noexcept override { return only_watches_; }
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::uint64_t step_;
  bool only_watches_;
  std::stop_source source_;
};

TEST(PassesTogether, AStopIsHeardSoon) {
  StopAfter observer(50, true);
  const RunRecord record = limited({.stop = observer.token(), .observers = {&observer}}, true);
  EXPECT_TRUE(record.interrupted);
  EXPECT_GE(record.steps, 51U);
  EXPECT_LE(record.steps, 51U + SlotChannels::row_steps / 2);
  EXPECT_EQ(record.series.size(), record.steps);
}

TEST(PassesTogether, AnObserverThatDoesMoreThanWatchStopsAtItsStep) {
  const auto stopped = [](bool rows) {
    StopAfter observer(50, false);
    return limited({.stop = observer.token(), .observers = {&observer}}, rows);
  };
  const RunRecord record = stopped(true);
  EXPECT_TRUE(record.interrupted);
  EXPECT_EQ(record.steps, 52U);  // the one that was sent when step 50 was over, too
  EXPECT_EQ(study::differences(record, stopped(false)), std::vector<std::string>{});
}

TEST(PassesTogether, TheTimesOfStepsAddUpToThatOfTheRun) {
  const RunRecord record = limited({}, true);
  const double sum =
      std::accumulate(record.series.begin(), record.series.end(), 0.0,
                      [](double all, const StepRecord& step) { return all + step.seconds; });
  EXPECT_NEAR(sum, record.wall.step_seconds, 0.01 * record.wall.step_seconds);
}

}  // namespace
}  // namespace lockstep::test
