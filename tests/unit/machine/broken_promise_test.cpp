// SPDX-License-Identifier: Apache-2.0
/// What becomes of programs that promise to receive once, and do not: named in the record, the same
/// for any number of workers.

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/outcome_checks.hpp"
#include "support/receive_once_jobs.hpp"
#include "support/scripts.hpp"

namespace lockstep::test {
namespace {

/// The same violations whoever runs it.
template <Topology Net>
void expect_violations(const Net& network, const ReceiveOnceScript& script, const PortModel& model,
                       const std::vector<Violation>& expected) {
  const Job job = broadcast_job(script.starts().front(), model, 1);
  const RunOutcome one = run_boxed(network, script, job).outcome;
  EXPECT_EQ(described(one.record.violations), described(expected));
  EXPECT_EQ(one.record.violation_count, expected.size());
  for (const Conditions& conditions : some_boxed_conditions()) {
    SCOPED_TRACE(described(conditions));
    expect_same(run_boxed(network, script, job, conditions).outcome, one);
  }
  for (const Conditions& conditions : some_conditions(every_channel)) {
    SCOPED_TRACE(described(conditions));
    expect_same(run(network, script, job, conditions), one);
  }
}

constexpr Port to_next{0};  // of a ring
constexpr Port to_previous{1};

/// In step 1, in which the receiver runs - before the sender does, or after it, in another word of
/// bits - and in step 3, when it is done.
TEST(BrokenPromise, RejectsASecondMessageInALaterStep) {
  for (const std::uint64_t first : {0U, 63U})
    for (const std::uint64_t again : {1U, 3U}) {
      ReceiveOnceScript script(6, {NodeId{first}});
      for (std::uint64_t step = 0; step < again; ++step)
        script.turn(step, NodeId{first}).stays_active = true;
      script.turn(0, NodeId{first}).sends = {to_next};
      script.turn(again, NodeId{first}).sends = {to_next};
      expect_violations(Ring(130), script, port_models::single_port,
                        {{again, NodeId{first + 1}, to_previous, Rule::receptions, 2}});
    }
}

TEST(BrokenPromise, RejectsAMessageForWhoStarted) {
  ReceiveOnceScript script(4, {NodeId{64}, NodeId{63}});
  script.turn(0, NodeId{63}).sends = {to_next};
  expect_violations(Ring(128), script, port_models::all_port,
                    {{0, NodeId{64}, to_previous, Rule::receptions, 2}});
}

TEST(BrokenPromise, CountsAllMessagesThatReachANodeAgain) {
  // In the 3-cube 1, 2 and 4 are told in step 0; all tell 0 in step 1, which started.
  ReceiveOnceScript script(4, {NodeId{0}});
  script.turn(0, NodeId{0}).sends = {Port{0}, Port{1}, Port{2}};
  for (const std::uint64_t p : {0U, 1U, 2U})
    script.turn(1, NodeId{std::uint64_t{1} << p}).sends = {port(p)};
  expect_violations(Hypercube(3), script, port_models::all_port,
                    {{1, NodeId{0}, Port{0}, Rule::receptions, 4}});
}

/// A link used both ways in a step, between starts and between nodes that were reached; full duplex
/// allows it, the promise does not.
TEST(BrokenPromise, NamesLinksThatAreUsedBothWays) {
  ReceiveOnceScript starts(4, {NodeId{5}, NodeId{6}});
  starts.turn(0, NodeId{5}).sends = {to_next};
  starts.turn(0, NodeId{6}).sends = {to_previous};
  ReceiveOnceScript later(8, {NodeId{64}});
  later.turn(0, NodeId{64}) = {.sends = {to_previous}, .stays_active = true};
  later.turn(1, NodeId{64}).sends = {to_previous};
  later.turn(1, NodeId{63}).sends = {to_next};
  for (const auto& [script, step, low] : {std::tuple(starts, 0U, 5U), std::tuple(later, 1U, 63U)}) {
    const NodeId a{low};
    const NodeId b{low + 1};
    expect_violations(
        Ring(130), script, port_models::all_port_half_duplex,
        {{step, a, to_next, Rule::half_duplex, 2}, {step, b, to_previous, Rule::half_duplex, 2}});
    expect_violations(
        Ring(130), script, port_models::all_port,
        {{step, a, to_next, Rule::receptions, 2}, {step, b, to_previous, Rule::receptions, 2}});
    const Job job = broadcast_job(script.starts().front(), port_models::all_port_half_duplex, 1);
    EXPECT_EQ(described(run_reference(Ring(130), script, job).record.violations),
              described(run_boxed(Ring(130), script, job).outcome.record.violations));
  }
}

/// Lanes are links of their own: each of the two here carries one direction only.
TEST(BrokenPromise, TellsTheLanesOfALinkApart) {
  const std::vector<Link> lanes{{NodeId{0}, NodeId{1}}, {NodeId{0}, NodeId{1}}};
  const Network pair = build_network("two lanes", 2, lanes);
  ReceiveOnceScript script(4, {NodeId{0}, NodeId{1}});
  script.turn(0, NodeId{0}).sends = {Port{0}};
  script.turn(0, NodeId{1}).sends = {Port{1}};
  expect_violations(
      pair, script, port_models::all_port_half_duplex,
      {{0, NodeId{0}, Port{1}, Rule::receptions, 2}, {0, NodeId{1}, Port{0}, Rule::receptions, 2}});
  script.turn(0, NodeId{1}).sends = {Port{0}, Port{1}};
  expect_violations(pair, script, port_models::all_port_half_duplex,
                    {{0, NodeId{0}, Port{1}, Rule::receptions, 2},
                     {0, NodeId{0}, Port{0}, Rule::half_duplex, 2},
                     {0, NodeId{1}, Port{0}, Rule::half_duplex, 2}});
}

TEST(BrokenPromise, TellsLinksUsedBothWaysFromOtherMessages) {
  // 3-cube: 0 and 1 start and tell each other; 4 and 2, told by 0 before, tell 0 as well.
  ReceiveOnceScript script(4, {NodeId{0}, NodeId{1}});
  script.turn(0, NodeId{0}) = {.sends = {Port{1}, Port{2}}, .stays_active = true};
  script.turn(0, NodeId{1}).stays_active = true;
  script.turn(1, NodeId{0}).sends = {Port{0}};
  script.turn(1, NodeId{1}).sends = {Port{0}};
  script.turn(1, NodeId{4}).sends = {Port{2}};
  script.turn(1, NodeId{2}).sends = {Port{1}};
  expect_violations(Hypercube(3), script, port_models::all_port_half_duplex,
                    {{1, NodeId{0}, Port{1}, Rule::receptions, 3},
                     {1, NodeId{0}, Port{0}, Rule::half_duplex, 2},
                     {1, NodeId{1}, Port{0}, Rule::half_duplex, 2}});
}

/// Flooding breaks the promise wherever there is a cycle: the same record for all, at scale.
struct Flooding {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::sparse;
  static constexpr Traits traits = Traits::receives_once;
  [[nodiscard]] std::vector<NodeId> starts() const { return {NodeId{0}}; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const {
    if (here.step() == 0) here.load(Region{0}, 0, NodeId{0});
    if (const auto arrival = here.take_first()) here.store(arrival, Blocks{});
    for (std::size_t p = 0; p < here.degree(); ++p) here.send(port(p), Blocks{});
  }
};

TEST(BrokenPromise, HasOneRecordOfABrokenRun) {
  const Job job = broadcast_job(NodeId{0}, port_models::all_port);
  const RunOutcome one = run_boxed(Hypercube(10), Flooding{}, job).outcome;
  ASSERT_EQ(one.record.violation_count, 1U + 45U);  // the start, and who has two such neighbours
  EXPECT_EQ(one.record.violations.front(),
            (Violation{1, NodeId{0}, Port{0}, Rule::receptions, 11}));
  EXPECT_EQ(one.record.violations.at(1), (Violation{1, NodeId{3}, Port{0}, Rule::receptions, 2}));
  for (const Conditions& conditions : boxed_conditions()) {
    SCOPED_TRACE(described(conditions));
    expect_same(run_boxed(Hypercube(10), Flooding{}, job, conditions).outcome, one);
  }
  for (const Conditions& conditions : some_conditions(every_channel)) {
    SCOPED_TRACE(described(conditions));
    expect_same(run(Hypercube(10), Flooding{}, job, conditions), one);
  }
}

}  // namespace
}  // namespace lockstep::test
