// SPDX-License-Identifier: Apache-2.0

/// Sparse programs that wake nodes beforehand: when they run, and when a run is over.

#include <gtest/gtest.h>

#include <map>
#include <span>
#include <vector>

#include "lockstep/topology/ring.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {
namespace {

using Calendar = std::map<std::uint64_t, std::vector<std::uint32_t>>;

/// Who is woken sends a block to the next node; who receives one delivers it.
struct Woken {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::sparse;
  static constexpr Traits traits = Traits::starts_in | Traits::labels;
  Calendar calendar;

  [[nodiscard]] std::vector<NodeId> starts() const {
    std::vector<NodeId> all;
    for (const std::uint32_t u : starts_in(0)) all.push_back(NodeId{u});
    return all;
  }
  [[nodiscard]] std::span<const std::uint32_t> starts_in(std::uint64_t step) const {
    const auto found = calendar.find(step);
    if (found == calendar.end()) return {};
    return found->second;
  }
  [[nodiscard]] std::uint64_t last_start() const { return calendar.rbegin()->first; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }

  void operator()(auto& here) const {
    if (const auto arrival = here.take_first()) here.deliver(arrival, 0, Origin{arrival.word(0)});
    for (const std::uint32_t u : starts_in(here.step())) {
      if (NodeId{u} != here.node()) continue;
      here.load(Region{0}, 0, NodeId{(u + 1) % 130});
      here.set_word(Region{0}, 0, u);
      here.send(Port{0}, Blocks{});
    }
  }
};

TEST(Calendar, NodesRunInTheStepsThatItNames) {
  const Woken program{{{0, {3}}, {4, {64, 129}}, {5, {65}}, {40, {0}}}};
  const Ring ring(130);
  const Job job;
  const RunOutcome expected = run_reference(ring, program, job);
  EXPECT_EQ(expected.record.steps, 41U);
  EXPECT_EQ(expected.record.startups, 4U);
  EXPECT_EQ(expected.record.hops, 5U);
  EXPECT_EQ(expected.record.deliveries.verified, 5U);
  expect_outcome(ring, program, job, expected, all_conditions({ChannelKind::slot}));
  expect_outcome(ring, program, job, expected, some_conditions(every_channel));
}

TEST(Calendar, ANodeThatIsNotThereIsRefused) {
  EXPECT_THROW((void)run(Ring{130}, Woken{{{0, {1}}, {2, {130}}}}, Job{}), InvalidParameter);
}

}  // namespace
}  // namespace lockstep::test
