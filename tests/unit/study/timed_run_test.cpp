// SPDX-License-Identifier: Apache-2.0
#include "study/timed_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "catalog/run_stage.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/report/run_report.hpp"

namespace lockstep::study {
namespace {

using testing::HasSubstr;

/// A run that stays in one of its passes until it is let go.
class Stuck {
 public:
  explicit Stuck(std::uint64_t step) : state_(std::make_shared<State>()), step_(step) {}
  ~Stuck() { let_go(); }
  Stuck(const Stuck&) = delete;
  Stuck& operator=(const Stuck&) = delete;

  [[nodiscard]] RunRequest request(const std::string& network, Operation operation) const {
    RunRequest request{.topology = network, .operation = operation};
    request.executor = ExecutorKind::serial;
    request.channel = ChannelKind::slot;  // over which each pass ends before the next one begins
    request.disturb = [state = state_, step = step_](std::uint64_t at, std::size_t) {
      if (at != step) return;
      state->there.store(true);
      while (!state->free.load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    return request;
  }
  void wait() const {
    while (!state_->there.load()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void let_go() const { state_->free.store(true); }

 private:
  struct State {
    std::atomic<bool> there{false};
    std::atomic<bool> free{false};
  };
  std::shared_ptr<State> state_;
  std::uint64_t step_;
};

void wait_until_alone(const std::shared_ptr<Watch>& watch) {
  for (int i = 0; i < 10'000 && watch.use_count() > 1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// On the machine for billions of nodes, and on that for any program.
TEST(ExecutedWithin, AnInterruptedRunKeepsTheStepsItFinished) {
  constexpr std::uint64_t stuck_in = 4;
  for (const auto& [network, operation] :
       {std::pair{"hypercube:7", Operation::broadcast}, {"star:5", Operation::total_exchange}}) {
    const Stuck stuck(stuck_in);
    std::stop_source stop;
    const std::shared_ptr<PreparedRun> run =
        prepared_within(stuck.request(network, operation), TimeLimit(1), stop.get_token());
    ASSERT_NE(run, nullptr);
    const auto watch = std::make_shared<Watch>();
    std::jthread interrupting([&] {
      stuck.wait();
      stop.request_stop();
    });
    EXPECT_FALSE(executed_within(run, watch, TimeLimit(1), stop.get_token()));
    const auto finished = watch->finished.record();
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->steps, stuck_in - 1);  // what was sent in the step before is on its way
    EXPECT_TRUE(finished->interrupted);
    EXPECT_GT(finished->hops, 0U);

    const RunResult result = catalog::interrupted_result(run->forecast(), *finished);
    EXPECT_EQ(result.judgement.outcome, Outcome::interrupted);
    EXPECT_GT(result.judgement.deliveries.missing, 0U);
    EXPECT_THAT(to_text({.result = result}), HasSubstr("INTERRUPTED after step 3 of "));
    stuck.let_go();
    wait_until_alone(watch);
    EXPECT_EQ(watch->finished.record()->steps, stuck_in + 1);  // it stopped behind its step
  }
}

TEST(ExecutedWithin, TheSetUpCounts) {
  const Stuck stuck(0);
  RunRequest request = stuck.request("star:4", Operation::total_exchange);
  const std::shared_ptr<PreparedRun> run = prepared_within(request, TimeLimit(1), {});
  const auto watch = std::make_shared<Watch>();
  std::jthread later([&] {
    stuck.wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    stuck.let_go();
  });
  // Once it runs, it goes on beyond the limit.
  EXPECT_TRUE(executed_within(run, watch, TimeLimit(1e-9), {}));
}

TEST(TimeLimit, CountsRepeats) {
  const std::shared_ptr<PreparedRun> run = prepared_within(
      {.topology = "star:4", .operation = Operation::total_exchange}, TimeLimit(1), {});
  const TimeLimit limit(1e-3);
  EXPECT_NO_THROW(limit.check(run->forecast(), 1));
  try {
    limit.check(run->forecast(), std::uint64_t{1} << 31U);
    ADD_FAILURE() << "accepted";
  } catch (const ResourceExhausted& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("star:4 total-exchange: needs about "));
    EXPECT_THAT(refused.what(), HasSubstr(" for 2,147,483,648 runs on "));
    EXPECT_THAT(refused.what(), HasSubstr("allowed: 3.60 s (--max-hours)"));
  }
}

/// So that a report can say that nothing was done.
TEST(PreparedWithin, AShortPlanIsWaitedForAfterAStop) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_NE(prepared_within({.topology = "star:4", .operation = Operation::total_exchange},
                            TimeLimit(1), stop.get_token()),
            nullptr);
}

}  // namespace
}  // namespace lockstep::study
