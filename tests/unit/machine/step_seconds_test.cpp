// SPDX-License-Identifier: Apache-2.0
/// The time of a step is that of its work, and the steps of a run add up to its time.

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>

#include "lockstep/machine/machine.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/flooding_broadcast.hpp"
#include "support/jobs.hpp"

namespace lockstep::test {
namespace {

constexpr double long_seconds = 0.05;

void wait_long() { std::this_thread::sleep_for(std::chrono::duration<double>(long_seconds)); }

/// Takes long to verify what arrives at one node, and to make what it loads.
class SlowHost final : public Host {
 public:
  explicit SlowHost(NodeId slow) : slow_(slow) {}
  void load(std::byte* bytes, NodeId node, Origin /*origin*/, NodeId /*destination*/) override {
    *bytes = std::byte{1};
    if (node == slow_) wait_long();
  }
  void accept(std::span<const Delivery> batch, DeliveryTally& tally) override {
    tally.delivered += batch.size();
    for (const Delivery& delivery : batch)
      if (delivery.destination == slow_) wait_long();
  }

 private:
  NodeId slow_;
};

struct SlowObserver final : StepObserver {
  void on_step(const StepRecord& step) override {
    if (step.step == 1) wait_long();
  }
};

[[nodiscard]] RunRecord flooded(NodeId slow, MachineOptions options, std::size_t workers = 1) {
  const Network ring = build_network(Ring(10));
  const FloodingBroadcast program;
  SlowHost host(slow);
  options.model = port_models::all_port;
  options.keep_series = true;
  Machine<Network, FloodingBroadcast, SlotChannels> machine(ring, program, host, options);
  return machine.run(*make_executor(ExecutorKind::thread, workers));
}

[[nodiscard]] double sum_of_steps(const RunRecord& record) {
  return std::accumulate(record.series.begin(), record.series.end(), 0.0,
                         [](double sum, const StepRecord& step) { return sum + step.seconds; });
}

[[nodiscard]] double rest(const RunRecord& record, std::size_t step) {
  return sum_of_steps(record) - record.series.at(step).seconds;
}

/// Node 3 of the ring receives the block in step 2, and its host reads it in the pass after that.
TEST(StepSeconds, CheckingBelongsToTheStepThatDelivered) {
  for (const std::size_t workers : {1U, 2U}) {
    const RunRecord record = flooded(NodeId{3}, {}, workers);
    const StepRecord& slow = record.series.at(2);
    EXPECT_GE(slow.seconds, long_seconds);
    EXPECT_GE(slow.verify_seconds, long_seconds / static_cast<double>(workers));
    EXPECT_LE(slow.verify_seconds, slow.seconds);
    EXPECT_GE(record.wall.step_seconds - rest(record, 2), long_seconds);
    for (const std::size_t other : {0U, 1U, 3U, 4U})
      EXPECT_LT(record.series.at(other).verify_seconds, slow.verify_seconds) << other;
  }
}

TEST(StepSeconds, LoadingBelongsToTheStepThatSends) {
  const RunRecord record = flooded(NodeId{0}, {});
  EXPECT_GE(record.series.at(0).seconds, long_seconds);
  EXPECT_GE(record.wall.step_seconds - rest(record, 0), long_seconds);
}

TEST(StepSeconds, ObserversBelongToTheStepThatTheySaw) {
  SlowObserver observer;
  const RunRecord record = flooded(NodeId{9}, {.observers = {&observer}});
  EXPECT_GE(record.series.at(1).seconds, long_seconds);
}

/// The clock ticks in nanoseconds, and sums of doubles round.
TEST(StepSeconds, TheStepsOfARunAddUpToItsTime) {
  SlowObserver observer;
  for (const std::uint64_t most : {0U, 1U, 3U}) {
    const RunRecord record = flooded(NodeId{2}, {.max_steps = most, .observers = {&observer}}, 2);
    EXPECT_EQ(record.series.size(), most == 0 ? 6 : most);
    EXPECT_NEAR(sum_of_steps(record), record.wall.step_seconds, 1e-8) << most;
    double verifying = 0;
    for (const StepRecord& step : record.series) verifying += step.verify_seconds;
    if (most == 0) {
      EXPECT_NEAR(verifying, record.wall.verify_seconds, 1e-8);
    }
  }
}

}  // namespace
}  // namespace lockstep::test
