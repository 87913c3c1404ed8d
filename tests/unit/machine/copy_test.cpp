// SPDX-License-Identifier: Apache-2.0

/// here.copy(): own blocks to another place in own memory, and what it may not do.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {
namespace {

constexpr Region first_region{0};
constexpr Region second{1};

/// A ring on which every node sends the neighbour's block, behind two that it keeps: what is copied
/// is what arrives. Delivered as the label says.
struct Copying {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::labels;
  Blocks own{first_region, 2, 1};
  Blocks into{second, 1, 1};
  bool late = false;  ///< copied over it when it has been sent

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {3, 2}; }
  [[nodiscard]] std::uint64_t step_count() const { return 1; }
  void operator()(auto& here) const {
    if (here.last_call()) {
      const auto arrival = here.take(Port{1});
      if (arrival && arrival.word(0) < 8) here.deliver(arrival, 0, Origin{arrival.word(0)});
      return;
    }
    for (std::uint32_t slot = 0; slot < 3; ++slot) {
      here.load(first_region, slot, NodeId{(index(here.node()) + 1) % 5});
      here.set_word(first_region, slot, index(here.node()) + (slot == 2 ? 0 : 100));
    }
    if (!late) here.copy(own, into);
    here.send(Port{0}, Blocks{second, 1, 1});
    if (late) here.copy(own, into);
  }
};

Job job() {
  return {.model = port_models::all_port,
          .collective = {Operation::partial_exchange,
                         {},
                         Pattern::where(5,
                                        [](Origin from, NodeId to) {
                                          return (index(from) + 1) % 5 == index(to);
                                        })},
          .watch_waits = false};
}

TEST(Copy, BytesAndLabelGoWhereTheyAreWanted) {
  const RunOutcome outcome = run(Ring(5), Copying{}, job());
  EXPECT_TRUE(outcome.verdict.complete());
  expect_reference_outcome(Ring(5), Copying{}, job(), {ChannelKind::slot, ChannelKind::spsc});
}

TEST(Copy, OfNothingIsNothing) {
  const RunOutcome outcome =
      run(Ring(5), Copying{.own = {first_region, 0, 0}, .into = {second, 0, 0}}, job());
  EXPECT_TRUE(outcome.record.legal());
  EXPECT_FALSE(outcome.verdict.complete());
}

void expect_broken(const Copying& program, Rule rule, std::uint32_t slot) {
  const RunOutcome outcome = run(Ring(5), program, job());
  ASSERT_FALSE(outcome.record.legal());
  EXPECT_EQ(outcome.record.violations.front().rule, rule);
  EXPECT_EQ(outcome.record.violations.front().slot, slot);
  expect_same(outcome, run_reference(Ring(5), program, job()));
}

TEST(Copy, WhatIsNotTheNodesOwnIsNeitherReadNorWritten) {
  expect_broken({.own = {first_region, 3, 1}}, Rule::memory, 3);
  expect_broken({.into = {second, 2, 1}}, Rule::memory, 2);
}

TEST(Copy, WhatWasSentStaysAsItIs) { expect_broken({.late = true}, Rule::in_flight, 1); }

TEST(Copy, AsManyBlocksAsThereIsRoomFor) {
  EXPECT_THROW((void)run(Ring(5), Copying{.own = {first_region, 1, 2}}, job()), InvalidParameter);
}

}  // namespace
}  // namespace lockstep::test
