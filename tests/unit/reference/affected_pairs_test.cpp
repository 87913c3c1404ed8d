// SPDX-License-Identifier: Apache-2.0
/// What a fault will do is known beforehand: missing pairs, violations and counts of the real
/// machine are exactly the predicted ones.

#include "reference/affected_pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "algorithm/total_exchange/star_packing.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "support/cases.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/planned_class.hpp"

namespace lockstep::test {
namespace {

using reference::FaultPrediction;
using reference::FaultRequest;
using reference::TracingHost;

using testing::ElementsAre;
using testing::IsEmpty;

FaultRequest request_of(const Job& job, ChannelKind channel) {
  return {.collective = job.collective,
          .machine = {.model = job.model,
                      .block_bytes = job.block_bytes,
                      .keep_series = job.keep_series,
                      .stop_at_violation = job.stop_at_violation,
                      .watch_waits = job.watch_waits,
                      .one_message_per_node = channel == ChannelKind::mailbox,
                      .fault = job.fault,
                      .on_send = {}}};
}

template <Program Prog>
void expect_as_predicted(const Network& network, const Prog& program, const Job& job,
                         const Conditions& conditions) {
  SCOPED_TRACE(std::string(name_of(job.fault.kind)) + ", step " + std::to_string(job.fault.step) +
               ", sender " + std::to_string(index(job.fault.sender)) + ", bytes " +
               std::to_string(job.block_bytes) + ", " + described(conditions));
  const FaultPrediction predicted =
      reference::predict(network, ErasedProgramOf(program), request_of(job, conditions.channel));
  const RunOutcome outcome = run(network, program, job, conditions);
  expect_same_record(outcome.record, predicted.record);
  EXPECT_EQ(outcome.missing, predicted.missing);
  EXPECT_EQ(predicted.harmful(), !outcome.verdict.complete() || !outcome.record.legal() ||
                                     outcome.record.stores_without_message != 0);
}

struct Case {
  Job job;
  Conditions conditions;
};

/// Small blocks too: what arrives in a wrong place may then be right by chance, and is predicted
/// so.
template <Program Prog>
Case random_case(Random& random, const Network& network, const Prog& program,
                 const Collective& collective) {
  constexpr std::size_t sizes[] = {1, 1, 1, 2, 8, 65};
  const std::size_t bytes = sizes[uniform(random, 0, 5)];
  const NodeId sender{uniform(random, 0, network.node_count() - 1)};
  return {.job = {.collective = collective,
                  .block_bytes = bytes,
                  .stop_at_violation = uniform(random, 0, 1) == 0,
                  .fault = {.kind = static_cast<FaultKind>(uniform(random, 1, 4)),
                            .step = uniform(random, 0, program.step_count() - 1),
                            .sender = sender,
                            .wrong_port = port(uniform(random, 0, network.max_degree() - 1)),
                            .corrupt_byte = bytes == 0 ? 0 : uniform(random, 0, bytes - 1)}},
          .conditions = {every_channel[uniform(random, 0, 2)],
                         default_executor,
                         uniform(random, 1, 4),
                         uniform(random, 0, 9),
                         {}}};
}

template <Program Prog>
void expect_random_faults_as_predicted(const Network& network, const Prog& program,
                                       const Collective& collective, std::size_t count) {
  for_all(
      count, [&](Random& random) { return random_case(random, network, program, collective); },
      [&](const Case& c) { expect_as_predicted(network, program, c.job, c.conditions); });
}

TEST(PredictFault, IsRightAboutPacking) {
  for (const Settings& settings : {Settings{{"k", Numbers{1}}}, Settings{{"k", Numbers{3, 2}}},
                                   Settings{{"k", Numbers{2}}, {"batch", std::uint64_t{3}}}}) {
    const StarGraph star(4);
    const auto program = StarPacking(star, settings).program();
    expect_random_faults_as_predicted(build_network(star), program, {Operation::total_exchange},
                                      cases_here(100));
  }
}

TEST(PredictFault, IsRightAboutLargerStars) {
  const StarGraph star(5);
  const auto program = StarPacking(star, {{"k", Numbers{3}}}).program();
  expect_random_faults_as_predicted(build_network(star), program, {Operation::total_exchange},
                                    cases_here(20));
}

/// A block that is copied takes its harm along.
TEST(PredictFault, IsRightAboutAllGather) {
  const StarGraph star(4);
  const auto program = test::PlannedClass<star_all_gather, StarGraph>(star).program();
  expect_random_faults_as_predicted(build_network(star), program, {Operation::all_gather}, 100);
}

/// The whole of a small case by hand: S_2 is one link, each end sends its block to the other.
class OneLink : public testing::Test {
 protected:
  [[nodiscard]] FaultPrediction predicted(const Fault& fault, std::size_t bytes = 8) const {
    const Job job{.block_bytes = bytes, .fault = fault};
    return reference::predict(build_network(star_),
                              ErasedProgramOf(StarPacking(star_, {{"k", Numbers{1}}}).program()),
                              request_of(job, ChannelKind::slot));
  }
  StarGraph star_{2};
  Fault fault_{.kind = FaultKind::drop, .step = 0, .sender = NodeId{1}};
};

TEST_F(OneLink, NoFaultNoHarm) {
  const FaultPrediction prediction = predicted({});
  EXPECT_FALSE(prediction.harmful());
  EXPECT_THAT(prediction.missing, IsEmpty());
  EXPECT_EQ(prediction.record.deliveries.verified, 2U);
}

TEST_F(OneLink, DropHarmsThePairOfTheMessage) {
  EXPECT_THAT(predicted(fault_).missing, ElementsAre(MissingPair{NodeId{1}, NodeId{0}}));
}

TEST_F(OneLink, CorruptHarmsThePairOfTheMessage) {
  fault_.kind = FaultKind::corrupt;
  const FaultPrediction prediction = predicted(fault_);
  EXPECT_THAT(prediction.missing, ElementsAre(MissingPair{NodeId{1}, NodeId{0}}));
  EXPECT_EQ(prediction.record.deliveries.corrupted, 1U);
}

TEST_F(OneLink, BlocksOfNoBytesCannotBeCorrupted) {
  fault_.kind = FaultKind::corrupt;
  EXPECT_FALSE(predicted(fault_, 0).harmful());
  fault_.kind = FaultKind::drop;
  EXPECT_TRUE(predicted(fault_, 0).harmful());
}

TEST_F(OneLink, MisrouteThroughTheRightPortIsNone) {
  fault_.kind = FaultKind::misroute;
  EXPECT_FALSE(predicted(fault_).harmful());
}

TEST(TracingHost, KnowsOneBlockFromAnother) {
  const FaultRequest request{.collective = {Operation::total_exchange}, .machine = {}};
  TracingHost host(request, 4);
  TracingHost::Tag tag;
  const auto hand_over = [&](NodeId source, NodeId destination) {
    DeliveryTally tally;
    const Delivery delivery{reinterpret_cast<const std::byte*>(&tag), source, destination};
    host.accept(std::span(&delivery, 1), tally);
    return tally;
  };
  host.load(reinterpret_cast<std::byte*>(&tag), NodeId{3}, NodeId{1}, NodeId{2});
  EXPECT_EQ(hand_over(NodeId{1}, NodeId{2}).corrupted, 1U);  // not to be had by another node
  host.load(reinterpret_cast<std::byte*>(&tag), NodeId{1}, NodeId{1}, NodeId{2});
  EXPECT_EQ(hand_over(NodeId{3}, NodeId{2}).corrupted, 1U);  // not that source's
  EXPECT_EQ(hand_over(NodeId{1}, NodeId{3}).corrupted, 1U);  // not for that destination
  EXPECT_EQ(hand_over(NodeId{2}, NodeId{2}).corrupted, 1U);  // nobody expects that
  EXPECT_EQ(hand_over(NodeId{1}, NodeId{2}).verified, 1U);
  EXPECT_EQ(hand_over(NodeId{1}, NodeId{2}).duplicated, 1U);
  tag.mark ^= 1;
  EXPECT_EQ(hand_over(NodeId{1}, NodeId{2}).corrupted, 1U);
  EXPECT_EQ(host.missing().size(), 11U);
}

}  // namespace
}  // namespace lockstep::test
