// SPDX-License-Identifier: Apache-2.0
#include "lockstep/study/check_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/cube_broadcast.hpp"
#include "support/flooding_broadcast.hpp"

namespace lockstep::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint64_t runs_per_channel = 4;

TEST(CheckProgram, RunsAProgramOnEveryKindOfChannel) {
  const ProgramCheckResult checked =
      check_program(Ring{9}, FloodingBroadcast{}, {Operation::broadcast}, {port_models::all_port});
  EXPECT_THAT(checked.differences, IsEmpty());
  EXPECT_EQ(checked.runs, 3 * runs_per_channel);
}

TEST(CheckProgram, RunsAProgramThatReceivesOnceOnItsOwnMachineToo) {
  const CubeBroadcast program{.dimensions = 6, .root = NodeId{5}};
  const ProgramCheckResult checked = check_program(
      Hypercube{6}, program, {Operation::broadcast, program.root}, {port_models::all_port});
  EXPECT_THAT(checked.differences, IsEmpty());
  EXPECT_EQ(checked.runs, 4 * runs_per_channel);
}

/// Node 0 sends its block to its neighbour in the first run only.
struct Forgetful {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  std::atomic<std::uint64_t>* runs;

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  [[nodiscard]] std::uint64_t step_count() const { return 1; }
  void operator()(auto& here) const {
    if (here.step() == 0 && here.node() == NodeId{0} && runs->fetch_add(1) == 0) {
      here.load(Region{0}, 0, NodeId{0});
      here.send(Port{0}, Blocks{Region{0}, 0, 1});
    }
    if (const auto arrival = here.take_first()) here.deliver(arrival, 0, NodeId{0});
  }
};

TEST(CheckProgram, TellsOfAProgramThatSharesDataBetweenRuns) {
  std::atomic<std::uint64_t> runs{0};
  const ProgramCheckResult checked =
      check_program(Ring{4}, Forgetful{&runs}, {Operation::broadcast});
  EXPECT_FALSE(checked.ok());
  EXPECT_EQ(checked.runs, 1U);
  EXPECT_THAT(checked.differences, testing::Contains(testing::HasSubstr("hops 0, expected 1")));
}

TEST(CheckProgram, ComparesViolationsToo) {
  const CubeBroadcast program{.dimensions = 3, .root = NodeId{0}};
  const ProgramCheckResult checked =
      check_program(Hypercube{3}, program, {Operation::broadcast}, {port_models::single_port});
  EXPECT_THAT(checked.differences, IsEmpty());
  EXPECT_EQ(checked.runs, 4 * runs_per_channel);
}

}  // namespace
}  // namespace lockstep::test
