// SPDX-License-Identifier: Apache-2.0
// Sparse programs on the machine: who runs, and when it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "lockstep/machine/machine.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/flooding_broadcast.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

/// How often each processor ran; written by its own processor only.
using Runs = std::shared_ptr<std::vector<std::uint64_t>>;

Runs runs_of(std::uint64_t nodes) { return std::make_shared<std::vector<std::uint64_t>>(nodes); }

std::uint64_t sum(const Runs& runs) {
  return std::accumulate(runs->begin(), runs->end(), std::uint64_t{0});
}

/// A token goes round a ring, `hops` links from each start.
struct Token {
  struct Memory {
    std::uint64_t travelled = 0;
  };
  static constexpr Activity activity = Activity::sparse;
  std::vector<NodeId> from;
  std::uint64_t hops = 0;
  Runs runs;

  [[nodiscard]] std::vector<NodeId> starts() const { return from; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const {
    ++(*runs)[index(here.node())];
    if (here.step() > 0) here.store(here.take(Port{1}), Blocks{});
    if (here.step() < hops) here.send(Port{0}, Blocks{});
  }
};

template <Topology Net, Program P>
RunRecord record_of(const Net& network, const P& program, const test::Conditions& conditions = {},
                    const PortModel& model = port_models::single_port) {
  return test::run(network, program, {.model = model}, conditions).record;
}

TEST(Sparse, RunsOnlyWhoIsReached) {
  for (const std::uint64_t start : {0U, 62U, 63U, 64U, 199U}) {
    const Token token{.from = {NodeId{start}}, .hops = 130, .runs = runs_of(200)};
    const RunRecord record = record_of(Ring{200}, token);
    EXPECT_TRUE(record.legal());
    EXPECT_EQ(record.steps, 130U);
    EXPECT_EQ(record.hops, 130U);
    EXPECT_THAT(record.series,
                Each(AllOf(Field(&StepRecord::senders, 1U), Field(&StepRecord::receivers, 1U),
                           Field(&StepRecord::active, 2U))));
    for (std::uint64_t i = 0; i < 200; ++i)
      EXPECT_EQ((*token.runs)[(start + i) % 200], i <= 130 ? 1U : 0U) << i << " from " << start;
  }
}

TEST(Sparse, RunsManyStartsOnceEach) {
  const std::vector<NodeId> starts{NodeId{0},  NodeId{127}, NodeId{64},
                                   NodeId{63}, NodeId{64},  NodeId{0}};
  const Token token{.from = starts, .hops = 1, .runs = runs_of(128)};
  const RunRecord record = record_of(Ring{128}, token);
  EXPECT_EQ(record.hops, 4U);
  EXPECT_EQ(record.steps, 1U);
  EXPECT_EQ(sum(token.runs), 4U + 4U);  // 64 and 0 start, and receive as well
  EXPECT_EQ((*token.runs)[64], 2U);
  EXPECT_EQ((*token.runs)[0], 2U);
  EXPECT_EQ((*token.runs)[1], 1U);
  EXPECT_EQ((*token.runs)[65], 1U);
}

TEST(Sparse, EndsAtOnceWhereNobodyStarts) {
  const Token token{.from = {}, .hops = 5, .runs = runs_of(8)};
  const RunRecord record = record_of(Ring{8}, token);
  EXPECT_EQ(record.steps, 0U);
  EXPECT_EQ(record.startups, 0U);
  EXPECT_THAT(record.series, IsEmpty());
  EXPECT_EQ(sum(token.runs), 0U);
}

/// Sleeps until its alarm goes off, then tells the next.
struct Alarm {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::sparse;
  std::uint64_t rings_at = 0;
  Runs runs;

  [[nodiscard]] std::vector<NodeId> starts() const { return {NodeId{3}}; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const {
    ++(*runs)[index(here.node())];
    if (here.node() != NodeId{3}) return here.store(here.take(Port{1}), Blocks{});
    if (here.step() < rings_at) return here.stay_active();
    here.send(Port{0}, Blocks{});
  }
};

TEST(Sparse, DoesNotEndWhileSomebodyStaysActive) {
  const Alarm alarm{.rings_at = 9, .runs = runs_of(70)};
  const RunRecord record = record_of(Ring{70}, alarm);
  EXPECT_EQ(record.steps, 10U);
  EXPECT_EQ(record.startups, 1U);  // nothing moved in the nine steps before
  EXPECT_EQ(record.hops, 1U);
  ASSERT_THAT(record.series, SizeIs(10));
  for (std::size_t step = 0; step < 9; ++step) EXPECT_EQ(record.series[step].active, 0U);
  EXPECT_EQ(record.series[9].active, 2U);
  EXPECT_EQ((*alarm.runs)[3], 10U);
  EXPECT_EQ((*alarm.runs)[4], 1U);
  EXPECT_EQ(sum(alarm.runs), 11U);
}

/// The same with the number of steps known: it neither ends early nor late.
struct CountedAlarm : Alarm {
  static constexpr Traits traits = Traits::step_count;
  std::uint64_t steps = 0;
  [[nodiscard]] std::uint64_t step_count() const { return steps; }
};

TEST(Sparse, RunsAsManyStepsAsItCounts) {
  const CountedAlarm longer{{.rings_at = 2, .runs = runs_of(70)}, 6};
  EXPECT_EQ(record_of(Ring{70}, longer).steps, 6U);
  EXPECT_EQ(sum(longer.runs), 4U);
  const CountedAlarm shorter{{.rings_at = 9, .runs = runs_of(70)}, 6};
  EXPECT_EQ(record_of(Ring{70}, shorter).hops, 0U);
}

TEST(Sparse, MaySendAfterTheEndNoMore) {
  const CountedAlarm late{{.rings_at = 6, .runs = runs_of(70)}, 6};
  const RunRecord record = record_of(Ring{70}, late);
  ASSERT_THAT(record.violations, SizeIs(1));
  EXPECT_EQ(record.violations.front().rule, Rule::after_end);
  EXPECT_EQ(record.violations.front().node, NodeId{3});
}

/// Flooding, every processor in every step.
struct DenseFlooding : FloodingBroadcast {
  static constexpr Activity activity = Activity::dense;
  void operator()(auto& here) const {
    if (here.step() > 0 || here.node() == root) FloodingBroadcast::operator()(here);
  }
};

template <Topology Net>
void expect_sparse_as_dense(const Net& network) {
  for (const NodeId root : {NodeId{0}, NodeId{network.node_count() - 1}}) {
    SCOPED_TRACE(network.name());
    const test::Job job{.model = port_models::all_port, .collective = {Operation::broadcast, root}};
    const auto sparse = test::run(network, FloodingBroadcast{.root = root}, job);
    EXPECT_TRUE(sparse.verdict.complete());
    test::expect_same(sparse, test::run(network, DenseFlooding{{.root = root}}, job));
  }
}

TEST(Sparse, RecordsWhatADenseProgramWould) {
  expect_sparse_as_dense(Ring{64});
  expect_sparse_as_dense(LinearArray{2});
  expect_sparse_as_dense(LinearArray{130});
  expect_sparse_as_dense(Hypercube{8});
  expect_sparse_as_dense(CompleteGraph{65});
}

TEST(Sparse, HasOneRecordWhateverRunsIt) {
  std::vector<NodeId> starts;
  for (std::uint64_t u = 0; u < 300; u += 7) starts.push_back(NodeId{u});
  const auto tokens = [&] { return Token{.from = starts, .hops = 50, .runs = runs_of(300)}; };
  const test::RunOutcome expected = test::run_reference(Ring{300}, tokens(), {});
  EXPECT_EQ(expected.record.hops, 50 * starts.size());
  for (const test::Conditions& conditions :
       test::some_conditions({ChannelKind::slot, ChannelKind::spsc, ChannelKind::mailbox})) {
    SCOPED_TRACE(test::described(conditions));
    test::expect_same(test::run(Ring{300}, tokens(), {}, conditions), expected);
  }
}

/// Whoever is sent something runs, and must read it.
struct DeafNeighbor {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::sparse;

  [[nodiscard]] std::vector<NodeId> starts() const { return {NodeId{5}}; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const {
    if (here.step() == 0) here.send(Port{0}, Blocks{});
  }
};

TEST(Sparse, ReportsWhatNobodyRead) {
  for (const ChannelKind channel : {ChannelKind::slot, ChannelKind::spsc, ChannelKind::mailbox}) {
    const RunRecord record = record_of(Ring{130}, DeafNeighbor{}, {.channel = channel});
    ASSERT_THAT(record.violations, SizeIs(1));
    EXPECT_EQ(
        record.violations.front(),
        (Violation{
            .step = 0, .node = NodeId{6}, .port = Port{1}, .rule = Rule::unread, .count = 1}));
  }
}

/// Throws wherever it runs in step 2.
struct Throwing {
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::sparse;

  [[nodiscard]] std::vector<NodeId> starts() const { return {NodeId{0}}; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  void operator()(auto& here) const {
    for (std::size_t p = 0; p < here.degree(); ++p) (void)here.take(port(p));
    if (here.step() == 2) throw std::runtime_error(std::to_string(index(here.node())));
    for (std::size_t p = 0; p < here.degree(); ++p) here.send(port(p), Blocks{});
  }
};

/// The machine hands over the exception of the lowest node, whatever the schedule.
TEST(Sparse, HandsExceptionsToTheCaller) {
  for (const test::Conditions& conditions :
       test::some_conditions({ChannelKind::slot, ChannelKind::spsc})) {
    SCOPED_TRACE(test::described(conditions));
    try {
      (void)record_of(Hypercube{9}, Throwing{}, conditions, port_models::all_port);
      ADD_FAILURE() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "0");  // told by its neighbours, whom it told
    }
  }
}

}  // namespace
}  // namespace lockstep
