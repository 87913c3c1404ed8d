// SPDX-License-Identifier: Apache-2.0
/// Faults do to a run exactly what they are for, on every kind of channel, and the proof of
/// delivery or the judge of ports notices.

#include "lockstep/machine/fault.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "algorithm/total_exchange/star_packing.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/cases.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/ring_ports.hpp"
#include "support/scripts.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr NodeId victim{2};

MissingPair pair(std::uint64_t source, std::uint64_t destination) {
  return {NodeId{source}, NodeId{destination}};
}

/// Ring of 4; in step 0 every node sends its block for the next node to it.
class RingShift : public testing::TestWithParam<ChannelKind> {
 protected:
  RingShift() {
    for (std::uint64_t u = 0; u < 4; ++u) script_.turn(0, NodeId{u}).sends = {{right, 1}};
  }

  /// With the fault, as the reference machine has it too.
  [[nodiscard]] RunOutcome outcome(const Fault& fault,
                                   const PortModel& model = port_models::all_port) {
    const Job job{.model = model, .stop_at_violation = false, .fault = fault};
    const ScriptedProgram<Activity::dense> program(script_);
    const RunOutcome expected = run_reference(ring_, program, job, GetParam());
    expect_outcome(ring_, program, job, expected, some_conditions({GetParam()}));
    return expected;
  }
  /// Pairs that are missing because of the fault.
  [[nodiscard]] std::vector<MissingPair> harmed(const RunOutcome& faulted) {
    const std::vector<MissingPair> before = outcome({}).missing;
    std::vector<MissingPair> more;
    std::set_difference(faulted.missing.begin(), faulted.missing.end(), before.begin(),
                        before.end(), std::back_inserter(more));
    return more;
  }

  Network ring_ = build_network(Ring(4));
  Script script_{ring_, 3};
};

std::string channel_name(const testing::TestParamInfo<ChannelKind>& kind) {
  const char* const names[] = {"automatic", "spsc", "slot", "mailbox"};
  return names[static_cast<std::size_t>(kind.param)];
}

INSTANTIATE_TEST_SUITE_P(Channels, RingShift, testing::ValuesIn(every_channel), channel_name);

TEST_P(RingShift, WithoutFaultDeliversFour) {
  const RunOutcome whole = outcome({});
  EXPECT_EQ(whole.record.deliveries.verified, 4U);
  EXPECT_TRUE(whole.record.legal());
}

TEST_P(RingShift, DropTakesTheMessageAway) {
  const RunOutcome faulted = outcome({.kind = FaultKind::drop, .step = 0, .sender = victim});
  EXPECT_THAT(harmed(faulted), ElementsAre(pair(2, 3)));
  EXPECT_EQ(faulted.record.hops, 4U);  // the sender paid for it
  EXPECT_EQ(faulted.record.receivers, 3U);
  EXPECT_TRUE(faulted.record.legal());
}

TEST_P(RingShift, CorruptAltersOneByteOfTheFirstBlock) {
  for (const std::uint64_t byte : {0U, 3U, 7U}) {
    const RunOutcome faulted =
        outcome({.kind = FaultKind::corrupt, .step = 0, .sender = victim, .corrupt_byte = byte});
    EXPECT_THAT(harmed(faulted), ElementsAre(pair(2, 3)));
    EXPECT_EQ(faulted.record.deliveries.corrupted, 1U);
    EXPECT_EQ(faulted.record.deliveries.delivered, 4U);
  }
}

TEST_P(RingShift, CorruptSparesTheOtherBlocks) {
  script_.turn(0, victim).sends = {{right, 3}};
  const RunOutcome faulted = outcome({.kind = FaultKind::corrupt, .step = 0, .sender = victim});
  EXPECT_EQ(faulted.record.deliveries.corrupted, 1U);
  EXPECT_THAT(harmed(faulted), IsEmpty());  // the same pair's other two blocks are right
}

TEST_P(RingShift, DuplicateArrivesOnceMoreInTheNextStep) {
  const RunOutcome faulted = outcome({.kind = FaultKind::duplicate, .step = 0, .sender = victim});
  EXPECT_THAT(harmed(faulted), IsEmpty());
  EXPECT_EQ(faulted.record.deliveries.duplicated, 1U);
  EXPECT_EQ(faulted.record.hops, 4U);
  EXPECT_EQ(faulted.record.receivers, 5U);
  EXPECT_TRUE(faulted.record.legal());
}

/// The bytes are those of the step in which the message was sent, though the sender needed their
/// place meanwhile: it is the duplicate that is passed on, and arrives.
TEST_P(RingShift, DuplicateKeepsItsBytes) {
  for (std::uint64_t step = 1; step < 3; ++step)
    for (std::uint64_t u = 0; u < 4; ++u)
      script_.turn(step, NodeId{u}).sends = {{right, 1, true, left}};
  const RunOutcome faulted = outcome({.kind = FaultKind::duplicate, .step = 0, .sender = victim});
  EXPECT_THAT(faulted.record.violations,
              ElementsAre(Violation{1, victim, right, Rule::arc_capacity, 2}));
  EXPECT_EQ(faulted.record.deliveries.delivered, 12U);
}

TEST_P(RingShift, DuplicateOfTheLastStepHasNoNextOne) {
  script_.turn(2, victim).sends = {{right, 1}};
  const RunOutcome faulted = outcome({.kind = FaultKind::duplicate, .step = 2, .sender = victim});
  EXPECT_EQ(faulted.record.deliveries, outcome({}).record.deliveries);
}

TEST_P(RingShift, MisrouteLeavesThroughTheWrongPort) {
  const RunOutcome faulted =
      outcome({.kind = FaultKind::misroute, .step = 0, .sender = victim, .wrong_port = left});
  // Node 1 gets it, beside the one it expects; node 3 gets none.
  if (GetParam() == ChannelKind::mailbox) {
    EXPECT_THAT(faulted.record.violations,
                ElementsAre(Violation{0, NodeId{1}, right, Rule::receptions, 2}));
  } else {
    EXPECT_THAT(harmed(faulted), ElementsAre(pair(2, 3)));
    EXPECT_EQ(faulted.record.deliveries.corrupted, 1U);
  }
}

TEST_P(RingShift, MisrouteBreaksTheSinglePortRule) {
  const RunOutcome faulted =
      outcome({.kind = FaultKind::misroute, .step = 0, .sender = victim, .wrong_port = left},
              port_models::single_port);
  EXPECT_THAT(faulted.record.violations,
              ElementsAre(Violation{0, NodeId{1}, right, Rule::receptions, 2}));
}

TEST_P(RingShift, StrikesOnlyItsStepAndSender) {
  const RunOutcome whole = outcome({});
  for (const FaultKind kind : {FaultKind::drop, FaultKind::corrupt, FaultKind::duplicate}) {
    EXPECT_EQ(outcome({.kind = kind, .step = 1, .sender = victim}).digest, whole.digest);
    EXPECT_NE(outcome({.kind = kind, .step = 0, .sender = victim}).digest, whole.digest);
  }
}

TEST(Fault, OneThatCannotBeIsRefused) {
  const Network ring = build_network(Ring(4));
  const ScriptedProgram<Activity::dense> program(Script(ring, 1));
  const auto refused = [&](const Fault& fault, std::size_t bytes) {
    const Job job{.block_bytes = bytes, .fault = fault};
    EXPECT_THROW((void)run(ring, program, job), InvalidParameter);
    EXPECT_THROW((void)run_reference(ring, program, job), InvalidParameter);
  };
  refused({.kind = FaultKind::drop, .sender = NodeId{4}}, 8);
  refused({.kind = FaultKind::misroute, .wrong_port = Port{2}}, 8);
  refused({.kind = FaultKind::corrupt, .corrupt_byte = 8}, 8);
  EXPECT_THROW((void)run(ring, program, Job{.block_bytes = 0}), InvalidParameter);
}

struct FaultCase {
  Network network;
  Script script;
  Job job;
};

FaultCase random_case(Random& random) {
  static const Network networks[] = {build_network(Ring(3)), build_network(Ring(8)),
                                     build_network(StarGraph(3)), build_network(StarGraph(4))};
  const Network& network = networks[uniform(random, 0, 3)];
  const std::uint64_t steps = uniform(random, 1, 5);
  const Script script = random_script(random, network, steps, {.send = 40, .skipped_take = 10});
  const NodeId sender{uniform(random, 0, network.node_count() - 1)};
  const Fault fault{.kind = static_cast<FaultKind>(uniform(random, 1, 4)),
                    .step = uniform(random, 0, steps - 1),
                    .sender = sender,
                    .wrong_port = port(uniform(random, 0, network.degree(sender) - 1)),
                    .corrupt_byte = uniform(random, 0, 4)};
  const Job job{.model = port_models::all[uniform(random, 0, 3)],
                .block_bytes = uniform(random, 5, 20),
                .stop_at_violation = uniform(random, 0, 1) == 0,
                .fault = fault};
  return {network, script, job};
}

TEST(Fault, RandomOnesDoTheSameHoweverTheyAreRun) {
  for_all(60, random_case, [](const FaultCase& c) {
    SCOPED_TRACE(std::string(name_of(c.job.fault.kind)) + " " + c.network.name());
    const ScriptedProgram<Activity::dense> dense(c.script);
    ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(c.network, dense, c.job, every_channel));
    const ScriptedProgram<Activity::sparse> sparse(c.script);
    ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(c.network, sparse, c.job, every_channel));
  });
}

/// No message of a total exchange is there in vain.
TEST(Fault, EveryDropAndCorruptionOfAnExchangeIsNoticed) {
  const StarGraph star(3);
  const Network network = build_network(star);
  const auto program = StarPacking(star, {{"k", Numbers{2}}}).program();
  for (const FaultKind kind : {FaultKind::drop, FaultKind::corrupt, FaultKind::misroute})
    for (std::uint64_t step = 0; step < program.step_count(); ++step)
      for (std::uint64_t u = 0; u < network.node_count(); ++u)
        for (const Port wrong : {Port{0}, Port{1}}) {
          Job job{.fault = {.kind = kind, .step = step, .sender = NodeId{u}, .wrong_port = wrong}};
          const RunOutcome outcome = run(network, program, job);
          const bool noticed = !outcome.verdict.complete() || !outcome.record.legal();
          const Port right_port =
              program.schedule().actions(step).back().port;  // all send last, all through it
          const bool harmless = kind == FaultKind::misroute && wrong == right_port;
          EXPECT_EQ(noticed, !harmless) << name_of(kind) << " step " << step << " node " << u;
        }
}

}  // namespace
}  // namespace lockstep::test
