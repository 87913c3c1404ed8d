// SPDX-License-Identifier: Apache-2.0
#include "machine/shared_loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <semaphore>
#include <thread>
#include <vector>

#include "lockstep/core/new_thread.hpp"

namespace lockstep::test {
namespace {

using std::chrono::microseconds;

/// Threads that help when they are called, each with a share of its own.
class Helpers {
 public:
  Helpers(std::size_t workers, std::chrono::nanoseconds patience)
      : loops_(workers, patience, [this] { call(); }) {
    for (std::size_t worker = 1; worker < workers; ++worker)
      threads_.push_back(new_thread<std::jthread>([this, worker] { serve(worker); }));
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  ~Helpers() {
    loops_.close();
    over_.store(true, std::memory_order_relaxed);  // published by the semaphore
    calls_.release(static_cast<std::ptrdiff_t>(threads_.size()));
  }

  [[nodiscard]] SharedLoops& loops() { return loops_; }
  [[nodiscard]] std::size_t called() const { return called_; }

 private:
  void call() {
    ++called_;
    calls_.release();
  }
  void serve(std::size_t worker) {
    for (calls_.acquire(); !over_.load(std::memory_order_relaxed); calls_.acquire())
      loops_.help(worker);
  }

  SharedLoops loops_;
  std::size_t called_ = 0;
  std::counting_semaphore<> calls_{0};
  std::atomic<bool> over_ = false;
  std::vector<std::jthread> threads_;  // last: joined before the rest is destroyed
};

/// How often each of `loops` loops visited each of `count` items. What a loop wrote, without
/// atomics, the next one reads.
void expect_every_item_once(SharedLoops& shared, std::size_t count, std::uint64_t loops) {
  std::vector<std::uint64_t> visits(count, 0);
  std::uint64_t wrong = 0;
  for (std::uint64_t loop = 0; loop < loops; ++loop) {
    std::vector<std::uint64_t> before = visits;
    shared.for_each(count, [&visits, &before, count](std::size_t i) {
      visits[i] += before[(i + 1) % count] + 1 - before[i];
    });
    for (const std::uint64_t number : visits)
      wrong += static_cast<std::uint64_t>(number != loop + 1);
  }
  EXPECT_EQ(wrong, 0U) << count << " items";
}

class Patience : public testing::TestWithParam<microseconds> {};

/// Without patience a helper leaves after each loop, and comes late for others.
INSTANTIATE_TEST_SUITE_P(Lengths, Patience,
                         testing::Values(microseconds(0), microseconds(5), microseconds(500)));

TEST_P(Patience, RunsEveryItemOnce) {
  for (const std::size_t workers : {1U, 2U, 3U, 8U}) {
    Helpers helpers(workers, GetParam());
    for (const std::size_t count : {1U, 2U, 3U, 7U, 64U})
      expect_every_item_once(helpers.loops(), count, 200);
  }
}

/// A loop that notes which of its bodies ended late.
class WatchedLoop {
 public:
  void run(SharedLoops& loops) {
    loops.for_each(items, [this](std::size_t i) { run_item(i); });
    over_.store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] bool ran_each_item_in_time() const { return ran_ == items && late_ == 0; }

 private:
  static constexpr std::size_t items = 4;

  void run_item(std::size_t i) {
    // relaxed: flags and counts alone.
    if (i != 0) std::this_thread::sleep_for(microseconds(20));
    ran_.fetch_add(1, std::memory_order_relaxed);
    if (over_.load(std::memory_order_relaxed)) late_.fetch_add(1, std::memory_order_relaxed);
  }

  std::atomic<bool> over_ = false;
  std::atomic<std::size_t> ran_ = 0;
  std::atomic<std::size_t> late_ = 0;
};

TEST_P(Patience, EndsWhenAllBodiesHaveEnded) {
  Helpers helpers(3, GetParam());
  std::vector<WatchedLoop> watched(300);
  for (WatchedLoop& loop : watched) loop.run(helpers.loops());
  EXPECT_TRUE(std::ranges::all_of(watched, &WatchedLoop::ran_each_item_in_time));
}

TEST(SharedLoops, NeedsNoHelper) {
  std::size_t calls = 0;
  SharedLoops loops(4, microseconds(5), [&calls] { ++calls; });
  expect_every_item_once(loops, 10, 3);
  EXPECT_EQ(calls, 3U);  // they were called once, and are on their way
}

TEST(SharedLoops, CallsNoMoreHelpersThanItemsNeed) {
  std::size_t calls = 0;
  SharedLoops loops(8, microseconds(5), [&calls] { ++calls; });
  expect_every_item_once(loops, 1, 3);
  EXPECT_EQ(calls, 0U);
  expect_every_item_once(loops, 3, 3);
  EXPECT_EQ(calls, 2U);
}

/// Each of two items waits until the other one has begun, so that no thread runs both. The second
/// one is so long that the caller sleeps until it is woken.
TEST(SharedLoops, HelpersTakeSharesAndWakeTheCaller) {
  Helpers helpers(2, microseconds(5));
  std::atomic<int> begun = 0;
  bool ended = false;
  helpers.loops().for_each(2, [&](std::size_t i) {
    begun.fetch_add(1, std::memory_order_relaxed);  // a number
    while (begun.load(std::memory_order_relaxed) != 2) std::this_thread::yield();
    if (i == 0) return;
    std::this_thread::sleep_for(microseconds(20'000));
    ended = true;
  });
  EXPECT_TRUE(ended);
}

/// A helper that has lost patience is called again; one that has not is there already.
TEST(SharedLoops, CallsHelpersThatLeft) {
  Helpers impatient(2, microseconds(0));
  Helpers patient(2, std::chrono::seconds(100));
  for (int loop = 0; loop < 20; ++loop) {
    for (Helpers* const helpers : {&impatient, &patient})
      helpers->loops().for_each(2, [](std::size_t) {});
    std::this_thread::sleep_for(microseconds(1000));
  }
  EXPECT_GT(impatient.called(), 1U);
  EXPECT_EQ(patient.called(), 1U);
}

[[nodiscard]] bool runs_out_of_memory(const std::function<void()>& action) {
  try {
    action();
    return false;
  } catch (const std::bad_alloc&) {
    return true;
  }
}

/// The loop whose call failed is whole, and so is the next one.
TEST(SharedLoops, ACallMayFail) {
  bool fails = true;
  SharedLoops loops(3, microseconds(5), [&fails] {
    if (fails) throw std::bad_alloc();
  });
  std::size_t ran = 0;
  const auto count_one = [&ran](std::size_t) { ++ran; };
  EXPECT_TRUE(runs_out_of_memory([&] { loops.for_each(3, count_one); }));
  EXPECT_EQ(ran, 3U);
  fails = false;
  loops.for_each(3, count_one);
  EXPECT_EQ(ran, 6U);
}

}  // namespace
}  // namespace lockstep::test
