// SPDX-License-Identifier: Apache-2.0
/// Schedules by class of nodes, up to a class for every node: a linear array, whose program is
/// written down as a schedule and comes to the same.

#include "lockstep/program/class_schedule.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithm/total_exchange/linear_furthest_first.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {
namespace {

const std::vector<ChannelKind> per_arc{ChannelKind::slot, ChannelKind::spsc};

/// Ports at which messages arrive are named as they are.
NodeInvariantSchedule empty_book(const std::vector<std::uint32_t>& regions) {
  NodeInvariantSchedule book(std::vector<Port>{Port{0}, Port{1}});
  for (const std::uint32_t blocks : regions) book.add_region(blocks);
  return book;
}

/// Addresses are the nodes themselves.
NodeId absolute(NodeId, NodeId element) { return element; }

/// Writes down what a rule does with one processor in one step.
class Scribe {
 public:
  struct Arrival {
    Port port{};
    [[nodiscard]] explicit operator bool() const { return true; }
  };

  Scribe(NodeInvariantSchedule& book, NodeId node, std::uint64_t step, std::uint64_t steps)
      : book_(book), node_(node), step_(step), steps_(steps) {}

  [[nodiscard]] NodeId node() const { return node_; }
  [[nodiscard]] std::uint64_t step() const { return step_; }
  [[nodiscard]] bool last_call() const { return step_ == steps_; }
  [[nodiscard]] static Arrival take(Port port) { return {port}; }
  void store(Arrival arrival, Blocks into) { book_.take_store(arrival.port, into); }
  void deliver(Arrival arrival, std::uint32_t, NodeId source) {
    book_.take_deliver(arrival.port, one(source));
  }
  void load(Region region, std::uint32_t slot, NodeId destination) {
    book_.load({region, slot, 1}, one(destination));
  }
  void send(Port port, Blocks blocks) { book_.send(port, blocks); }

 private:
  Elements one(NodeId node) { return book_.add_elements({&node, 1}); }

  NodeInvariantSchedule& book_;
  NodeId node_;
  std::uint64_t step_;
  std::uint64_t steps_;
};

TEST(ClassSchedule, SaysALinearArrayInAClassPerNode) {
  for (const std::uint64_t n : {2U, 3U, 6U, 9U}) {
    SCOPED_TRACE(n);
    const LinearArray array(n);
    const auto program = LinearFurthestFirst(array).program();
    const std::uint64_t steps = program.step_count();
    ClassSchedule schedule{empty_book(program.regions()), ClassParts(n, steps)};
    std::vector<std::uint32_t> class_of(n);
    std::iota(class_of.begin(), class_of.end(), 0U);
    for (std::uint64_t u = 0; u < n; ++u)
      for (std::uint64_t step = 0; step <= steps; ++step)
        schedule.add(u, step, [&](NodeInvariantSchedule& book) {
          Scribe here(book, NodeId{u}, step, steps);
          program(here);
        });
    const ClassScheduleProgram by_class(AddressRule(absolute), std::move(schedule), class_of);
    const Network network = build_network(array);
    const Job job{.model = port_models::all_port};
    const RunOutcome expected = run_reference(network, program, job);
    EXPECT_TRUE(expected.verdict.complete());
    ASSERT_NO_FATAL_FAILURE(
        expect_outcome(network, by_class, job, expected, some_conditions(per_arc)));
    ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(network, by_class, job, per_arc));
  }
}

/// Node 0 sends, all others wait; then node 1 has it.
TEST(ClassSchedule, IdleClassesAreParts) {
  const NodeId zero{0};
  const NodeId one{1};
  ClassSchedule schedule{empty_book({1}), ClassParts(3, 1)};
  schedule.add(0, 0, [&](NodeInvariantSchedule& book) {
    book.load({Region{0}, 0, 1}, book.add_elements({&one, 1}));
    book.send(Port{0}, {Region{0}, 0, 1});
  });
  schedule.add(1, 1, [&](NodeInvariantSchedule& book) {
    book.take_deliver(Port{1}, book.add_elements({&zero, 1}));
  });
  const ClassScheduleProgram program(AddressRule(absolute), std::move(schedule), {0, 1, 2, 2, 2});
  const RunOutcome outcome = run(build_network(Ring(5)), program, {});
  EXPECT_EQ(outcome.record.hops, 1U);
  EXPECT_EQ(outcome.record.deliveries.verified, 1U);
  EXPECT_TRUE(outcome.record.legal());
}

TEST(ClassSchedule, RefusesANodeOfNoClass) {
  EXPECT_THROW(ClassScheduleProgram(AddressRule(absolute),
                                    ClassSchedule{empty_book({1}), ClassParts(2, 1)}, {0, 2}),
               InvalidParameter);
}

}  // namespace
}  // namespace lockstep::test
