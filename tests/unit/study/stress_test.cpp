// SPDX-License-Identifier: Apache-2.0
#include "study/stress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/instrumented.hpp"
#include "reference/random_networks.hpp"
#include "reference/random_script.hpp"
#include "study/stress_jobs.hpp"
#include "study/stress_machines.hpp"
#include "study/stress_scripts.hpp"
#include "support/cases.hpp"
#include "support/thread_processes.hpp"

namespace lockstep::study {
namespace {

using testing::IsEmpty;
using testing::Not;

constexpr std::uint64_t some_seed = 20'000;

/// Total exchange on the star of 6 processors; pairs, counts and violations are all there to
/// differ.
class JudgedCase : public testing::Test {
 protected:
  void make(const Fault& fault) {
    RunRequest& request = case_.request;  // field by field: gcc 12 warns of an aggregate's cleanup
    request.topology = "star:3";
    request.algorithm = "packing";
    request.settings["k"] = Numbers{2};
    request.block_bytes = 8;
    request.workers = 2;
    request.verify = VerifyKind::exact;
    request.keep_series = true;
    request.fault = fault;
    request.stop_at_violation = false;
    const auto run = prepare(case_.request);
    case_.expected = predict(request, *run, fault.kind == FaultKind::none ? &case_.trace : nullptr);
    result_ = run->execute();
  }
  /// The judgement on the result after this change.
  [[nodiscard]] std::string after(const std::function<void(RunResult&)>& change) const {
    RunResult changed = result_;
    change(changed);
    return failure_of(case_, changed);
  }

  StressCase case_;
  RunResult result_;
};

TEST_F(JudgedCase, HasNothingToSayOfACorrectRun) {
  make({});
  EXPECT_FALSE(case_.trace.empty());
  EXPECT_EQ(failure_of(case_, result_), "");
}

TEST_F(JudgedCase, NoticesEveryDifference) {
  make({});
  const std::vector<std::function<void(RunResult&)>> changes{
      [](RunResult& r) { ++r.record.steps; },
      [](RunResult& r) { ++r.record.startups; },
      [](RunResult& r) { --r.record.message_times; },
      [](RunResult& r) { ++r.record.control_words; },
      [](RunResult& r) { r.record.phases.push_back({"none of the program's"}); },
      [](RunResult& r) { ++r.record.hops; },
      [](RunResult& r) { --r.record.blocks_moved; },
      [](RunResult& r) { ++r.record.senders; },
      [](RunResult& r) { ++r.record.receivers; },
      [](RunResult& r) { ++r.record.series[2].senders; },
      [](RunResult& r) { r.record.series.pop_back(); },
      [](RunResult& r) { --r.record.deliveries.verified; },
      [](RunResult& r) { ++r.record.deliveries.delivered; },
      [](RunResult& r) { ++r.record.deliveries.corrupted; },
      [](RunResult& r) { ++r.judgement.deliveries.missing; },
      [](RunResult& r) { r.record.violation_count = 1; },
      [](RunResult& r) {
        r.record.violations.push_back({1, NodeId{2}, Port{0}, Rule::sends, 2});
      }};
  for (std::size_t i = 0; i < changes.size(); ++i)
    EXPECT_THAT(after(changes[i]), Not(IsEmpty())) << "change " << i;
}

TEST_F(JudgedCase, RecountsTheTrace) {
  make({});
  case_.trace.pop_back();
  EXPECT_THAT(failure_of(case_, result_), testing::HasSubstr("recount"));
}

TEST_F(JudgedCase, KnowsTheHarmedPairs) {
  make({.kind = FaultKind::drop, .step = 1, .sender = NodeId{4}});
  ASSERT_THAT(result_.missing, Not(IsEmpty()));
  EXPECT_EQ(failure_of(case_, result_), "");
  EXPECT_THAT(after([](RunResult& r) { r.missing.pop_back(); }), Not(IsEmpty()));
  EXPECT_THAT(after([](RunResult& r) {
                r.missing[0] = {r.missing[0].destination, NodeId{index(r.missing[0].origin)}};
              }),
              Not(IsEmpty()));
  EXPECT_THAT(after([](RunResult& r) {
                r.missing.push_back({NodeId{5}, NodeId{5}});
              }),
              Not(IsEmpty()));
}

TEST_F(JudgedCase, NoticesAFaultThatNobodyNoticed) {
  make({});
  case_.request.fault = {.kind = FaultKind::drop};
  EXPECT_EQ(failure_of(case_, result_), "the fault was not detected");
}

TEST(StressCases, AreTheSameForOneSeed) {
  for (std::uint64_t seed = some_seed; seed < some_seed + 20; ++seed) {
    const StressCase one = stress_case(seed, executor_kinds);
    const StressCase other = stress_case(seed, executor_kinds);
    EXPECT_EQ(describe(one), describe(other));
    EXPECT_EQ(one.expected.missing, other.expected.missing);
    EXPECT_TRUE(one.expected.record.same_facts(other.expected.record));
    EXPECT_EQ(one.trace, other.trace);
    EXPECT_NE(describe(one), describe(stress_case(seed + 1, executor_kinds)));
  }
}

TEST(Stress, PassesAndFindsEveryFault) {
  std::uint64_t reported = 0;
  const StressSummary summary =
      stress({.seed = some_seed,
              .cases = 60,
              .stop = {},
              .after_case = [&reported](const StressSummary& so_far) { reported = so_far.cases; }});
  if (summary.failure) {
    FAIL() << summary.failure->seed << ": " << summary.failure->run << ": "
           << summary.failure->what;
  }
  EXPECT_EQ(summary.cases, 60U);
  EXPECT_EQ(reported, 60U);
  EXPECT_GT(summary.programs, 0U);
  EXPECT_LT(summary.programs, 60U);
  EXPECT_GT(summary.programs_breaking, 0U);
  EXPECT_FALSE(summary.rules_broken.empty());
  EXPECT_EQ(summary.injected, summary.detected);
  EXPECT_EQ(summary.injected[0], 0U);  // none is no fault
  for (std::size_t kind = 1; kind < summary.injected.size(); ++kind)
    EXPECT_GT(summary.injected[kind], 0U) << name_of(static_cast<FaultKind>(kind));
}

/// A script that breaks rules, and what the reference machine says of it.
TEST(Programs, DifferencesAreSeen) {
  const Network network = reference::hub_with_lanes();
  reference::Random random(some_seed);
  const Dense program(
      reference::random_script(random, network, 4, {.send = 60, .skipped_take = 10}));
  const Job job{.stop_at_violation = false};
  const RunOutcome expected = run_reference(network, program, job);
  ASSERT_FALSE(expected.record.legal());
  ASSERT_EQ(differences(run(network, program, job), expected), std::vector<std::string>{});
  const std::vector<std::function<void(RunOutcome&)>> changes{
      [](RunOutcome& r) { r.record.violations.pop_back(); },
      [](RunOutcome& r) { ++r.record.violations.back().count; },
      [](RunOutcome& r) { ++r.record.violation_count; },
      [](RunOutcome& r) { ++r.record.stores_without_message; },
      [](RunOutcome& r) { ++r.record.messages_sent; },
      [](RunOutcome& r) { ++r.record.envelope_bytes; },
      [](RunOutcome& r) { ++r.record.control_words_moved; },
      [](RunOutcome& r) { r.record.waits.first_node = NodeId{7}; },
      [](RunOutcome& r) { ++r.record.deliveries.duplicated; },
      [](RunOutcome& r) { ++r.record.series[1].hops; },
      [](RunOutcome& r) { ++r.record.processors; },
      [](RunOutcome& r) { r.record.interrupted = true; },
      [](RunOutcome& r) { r.missing.pop_back(); },
      [](RunOutcome& r) { ++r.verdict.missing; },
      [](RunOutcome& r) { ++r.verdict.tally.corrupted; },
      [](RunOutcome& r) { ++r.digest; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    RunOutcome changed = expected;
    changes[i](changed);
    EXPECT_EQ(differences(changed, expected).size(), 1U) << "change " << i;
  }
}

/// Every kind of program, and by them every rule; what a seed draws depends on nothing else.
TEST(Programs, BreakEveryRuleWithinAFewHundred) {
  std::set<Rule> broken;
  std::set<ScriptKind> kinds;
  std::uint64_t lawful = 0;
  for (std::uint64_t seed = some_seed; seed < some_seed + test::cases_here(600); ++seed) {
    reference::Random random(seed);
    const ScriptTrial trial = try_script(random, executor_kinds, {});
    ASSERT_EQ(trial.difference, "") << "seed " << seed << ": " << trial.run;
    broken.insert(trial.broken.begin(), trial.broken.end());
    kinds.insert(trial.kind);
    lawful += static_cast<std::uint64_t>(trial.broken.empty());
    if (seed % 20 != 0) continue;
    reference::Random again(seed);
    EXPECT_EQ(try_script(again, executor_kinds, {}).run, trial.run);
  }
  EXPECT_GE(broken.size(), slowness == 1 ? rule_count : rule_count / 2);
  EXPECT_EQ(kinds.size(), 5U);
  EXPECT_GT(lawful, test::cases_here(100));
}

/// Random programs, faults and violations, by several processes: as the reference machine says.
TEST(Stress, ProcessesShareTheRuns) {
  constexpr std::size_t cases = test::cases_here(120);
  for (const std::size_t count : {2U, 3U}) {
    std::vector<StressSummary> all(count);
    test::ThreadProcesses(count).run([&](Processes& processes) {
      all[processes.rank()] = stress({.seed = some_seed + count * 1000,
                                      .cases = cases,
                                      .executors = {ExecutorKind::serial, ExecutorKind::thread},
                                      .processes = &processes});
    });
    for (const StressSummary& summary : all) {
      EXPECT_FALSE(summary.failure) << summary.failure->run << ": " << summary.failure->what;
      EXPECT_EQ(summary.cases, cases);
      EXPECT_EQ(summary.rules_broken, all[0].rules_broken);
      EXPECT_EQ(summary.detected, summary.injected);
    }
    EXPECT_GE(all[0].rules_broken.size(), test::cases_here(6));
    EXPECT_GT(std::accumulate(all[0].injected.begin(), all[0].injected.end(), 0U),
              test::cases_here(10));
  }
}

TEST(Stress, EndsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  const StressSummary summary = stress({.seed = some_seed, .stop = source.get_token()});
  EXPECT_TRUE(summary.interrupted);
  EXPECT_FALSE(summary.failure.has_value());
}

TEST(Stress, EndsWhenTheTimeIsOver) {
  const StressSummary summary = stress({.seed = some_seed, .seconds = 0.001});
  EXPECT_GE(summary.cases, 1U);  // at least one, whatever the machine is busy with
  EXPECT_FALSE(summary.failure.has_value());
}

TEST(Stress, ReportsWhatCannotEvenStart) {
  const StressSummary summary = stress({.seed = some_seed, .cases = 5, .executors = {}});
  ASSERT_TRUE(summary.failure.has_value());
  EXPECT_EQ(summary.failure->seed, some_seed);
}

}  // namespace
}  // namespace lockstep::study
