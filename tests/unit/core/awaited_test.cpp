// SPDX-License-Identifier: Apache-2.0
#include "core/awaited.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

/// Work that ends when it is let go, and no earlier.
class Endless {
 public:
  ~Endless() { *go_ = true; }

  [[nodiscard]] auto work() const {
    return [go = go_] {
      while (!*go) std::this_thread::sleep_for(1ms);
      return 1;
    };
  }

 private:
  std::shared_ptr<std::atomic<bool>> go_ = std::make_shared<std::atomic<bool>>(false);
};

TEST(AwaitedTest, WorkThatEndsIsWhatItReturns) {
  EXPECT_EQ(awaited([] { return std::string("done"); }, {}), "done");
  EXPECT_EQ(*awaited([] { return std::make_unique<int>(7); }, {}).value(), 7);
}

TEST(AwaitedTest, WhatItThrowsIsThrown) {
  const auto refuse = []() -> int { throw InvalidParameter("no"); };
  EXPECT_THROW((void)awaited(refuse, {}), InvalidParameter);
}

/// As set-up is limited, but not the run behind it.
TEST(AwaitedTest, WorkThatGoesOnIsWaitedFor) {
  std::atomic<bool> over{false};
  const std::jthread later([&over] {
    std::this_thread::sleep_for(20ms);
    over = true;
  });
  const auto work = [&over] {
    while (!over) std::this_thread::sleep_for(1ms);
    return 2;
  };
  EXPECT_EQ(awaited(work, {.at_most = 1ms, .goes_on = [] { return true; }}), 2);
  const Endless endless;
  EXPECT_EQ(awaited(endless.work(), {.at_most = 1ms, .goes_on = [] { return false; }}),
            std::nullopt);
}

TEST(AwaitedTest, WorkThatLooksAtTheTokenEndsByItself) {
  std::stop_source source;
  const std::jthread later([&source] {
    std::this_thread::sleep_for(20ms);
    source.request_stop();
  });
  const auto work = [stop = source.get_token()] {
    while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
    return 5;
  };
  EXPECT_EQ(awaited(work, {.stop = source.get_token(), .after_stop = 60s}), 5);
}

TEST(AwaitedTest, OtherWorkIsGivenUpAfterAStop) {
  const Endless endless;
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(awaited(endless.work(), {.stop = source.get_token(), .after_stop = 5ms}), std::nullopt);
}

TEST(AwaitedTest, OrWhenItTakesTooLong) {
  const Endless endless;
  EXPECT_EQ(awaited(endless.work(), {.at_most = 5ms}), std::nullopt);
}

using AwaitedDeathTest = testing::Test;

TEST(AwaitedDeathTest, AProgramThatGaveUpWorkLeavesWithoutEndingIt) {
  const auto leave = [] {
    const auto* const endless = new Endless;  // NOLINT: nobody is there to end it
    (void)awaited(endless->work(), {.at_most = 5ms});
    leave_if_given_up(17);
  };
  EXPECT_EXIT(leave(), testing::ExitedWithCode(17), "");
}

}  // namespace
}  // namespace lockstep
