// SPDX-License-Identifier: Apache-2.0

/// Ctrl-C at random times, in set-up and in steps, of every kind of command: the program is gone
/// within a second, and what it wrote is whole or not there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/instrumented.hpp"
#include "support/child_program.hpp"

namespace lockstep {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::IsEmpty;

/// Each takes seconds, most of it before the first step in some, in steps in others.
[[nodiscard]] std::vector<std::vector<std::string>> commands() {
  return {
      {"run", "star:8", "total-exchange", "--k", "1", "--bytes", "1KiB"},
      {"run", "star:8", "total-exchange", "--k", "1", "--format", "json"},
      {"run", "ej:2000+2001", "broadcast", "--format", "json"},
      {"run", "torus:3x40000", "many-to-all", "--messages", "9"},
      {"run", "star:8", "total-exchange", "--k", "4,3,2", "--dry-run"},
      {"run", "ej:2000+2001", "broadcast", "--dry-run", "--format", "json"},
      {"sweep", "star:5..8", "total-exchange", "--k", "all", "--bytes", "1,512", "--format",
       "json"},
      {"sweep", "torus:3x40000", "many-to-all", "--messages", "9", "--format", "json"},
      {"compare", "star:7", "total-exchange", "--format", "json"},
      {"show", "cayley:(1 2);(1 2 3 4 5 6 7 8 9)", "--format", "json"},
      {"show", "mesh:95x95"},
      {"table", "search", "star:9", "total"},
  };
}

struct Running {
  std::vector<std::string> words;
  std::unique_ptr<test::ChildProgram> child = std::make_unique<test::ChildProgram>();
  milliseconds delay{};
  Clock::time_point interrupted{};
};

/// Whether the command was interrupted, and not over before.
[[nodiscard]] bool check(Running& one) {
  const bool machine_readable = one.words.back() == "json";
  SCOPED_TRACE(testing::PrintToString(one.words) + " after " + std::to_string(one.delay.count()) +
               " ms");
  const int exit = one.child->exit_code();
  const auto took = Clock::now() - one.interrupted;
  // A second, and what a busy host adds.
  EXPECT_LT(took, milliseconds(1'500) * slowness);
  const std::string out = one.child->content("out");
  const std::string err = one.child->content("err");
  if (exit == 0) return false;
  EXPECT_EQ(exit, 130) << err;
  if (machine_readable && !out.empty()) {
    const auto json = nlohmann::json::parse(out, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << out;
    if (!json.is_discarded()) {
      EXPECT_EQ(json["interrupted"], true);
    }
    return true;
  }
  EXPECT_THAT(out + err, HasSubstr("INTERRUPTED"));
  if (one.words.front() == "table") {
    EXPECT_THAT(out, IsEmpty());
  }
  return true;
}

TEST(InterruptAnywhereTest, EndsWithinASecond) {
  constexpr std::size_t count = slowness == 1 ? 40 : 16;  // every command at least once
  constexpr std::size_t at_once = 8;
  constexpr int longest_ms = 500;
  const auto all = commands();
  std::mt19937 random(20'261'122);
  std::size_t interrupted = 0;
  for (std::size_t first = 0; first < count; first += at_once) {
    std::array<Running, at_once> running;
    for (std::size_t i = 0; i < at_once; ++i) {
      running.at(i).words = all.at((first + i) % all.size());
      running.at(i).delay = milliseconds(random() % longest_ms);
      running.at(i).child->start(running.at(i).words);
    }
    for (Running& one : running) {
      one.child->wait_until_ready();
      std::this_thread::sleep_for(one.delay / at_once);
      one.interrupted = Clock::now();
      one.child->interrupt();
    }
    for (Running& one : running) interrupted += check(one) ? 1U : 0U;
  }
  EXPECT_GE(interrupted, count / 2) << "commands that were over are no test";
}

}  // namespace
}  // namespace lockstep
