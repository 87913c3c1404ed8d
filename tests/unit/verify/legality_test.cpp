// SPDX-License-Identifier: Apache-2.0
/// The recount agrees with the machine about runs that happened, and with nobody about runs that
/// did not: every alteration of a trace or a record is noticed.

#include "lockstep/verify/legality.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "algorithm/total_exchange/star_packing.hpp"
#include "lockstep/machine/spsc_channels.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/cases.hpp"
#include "support/jobs.hpp"
#include "support/scripts.hpp"
#include "support/tracing_channels.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

struct Traced {
  SendTrace trace;
  RunRecord record;
};

/// A run of the real machine, and what went through its channels.
template <class Prog>
Traced traced_run(const Network& network, const Prog& program, const Job& job) {
  TracingChannels::start();
  const RunOutcome outcome = run_through<TracingChannels>(
      network, program, job, {ChannelKind::slot, default_executor, 3, 1, {}});
  return {TracingChannels::trace(network), outcome.record};
}

class PackingRun : public testing::Test {
 protected:
  StarGraph star_{4};
  Network network_ = build_network(star_);
  Traced run_ = traced_run(network_, StarPacking(star_, {{"k", Numbers{2}}}).program(), Job{});

  [[nodiscard]] std::vector<std::string> objections() const {
    return disagreements(recount_trace(run_.trace, port_models::single_port), run_.record);
  }
};

TEST_F(PackingRun, Agrees) {
  EXPECT_EQ(run_.trace.size(), run_.record.messages_sent);
  EXPECT_GT(run_.record.hops, 0U);
  EXPECT_THAT(objections(), IsEmpty());
  EXPECT_THAT(impossible_sends(run_.trace, network_), IsEmpty());
}

TEST_F(PackingRun, IsTheReferenceMachinesTrace) {
  SendTrace reference;
  (void)run_reference(network_, StarPacking(star_, {{"k", Numbers{2}}}).program(), Job{},
                      ChannelKind::slot, &reference);
  std::sort(reference.begin(), reference.end());
  EXPECT_EQ(run_.trace, reference);
}

/// The trace that the machine keeps itself, in its own order: by step and sender.
TEST_F(PackingRun, IsTheTraceThatTheMachineKeeps) {
  const auto program = StarPacking(star_, {{"k", Numbers{2}}}).program();
  RecordingHost host = host_for(network_, Job{});
  SendTrace kept;
  Machine<Network, GroupedScheduleProgram, SpscChannels> machine(
      network_, program, host, {.processors_per_task = 5, .trace = &kept});
  EXPECT_TRUE(machine.run(*make_executor(default_executor, 3)).legal());
  EXPECT_EQ(kept, run_.trace);
}

TEST_F(PackingRun, EveryAlterationOfTheTraceIsNoticed) {
  const std::vector<std::function<void(SendTrace&, std::size_t)>> alterations{
      [](SendTrace& t, std::size_t i) { t.erase(t.begin() + static_cast<std::ptrdiff_t>(i)); },
      [](SendTrace& t, std::size_t i) { t.push_back(t[i]); },
      [](SendTrace& t, std::size_t i) { ++t[i].blocks; },
      [](SendTrace& t, std::size_t i) { ++t[i].step; },
      [](SendTrace& t, std::size_t i) { t[i].step += 1'000; },
      [](SendTrace& t, std::size_t i) { t[i].port = Port{t[i].port == Port{0}}; },
      [](SendTrace& t, std::size_t i) { t[i].sender = NodeId{(index(t[i].sender) + 1) % 24}; },
      [](SendTrace& t, std::size_t i) { t[i].receiver = NodeId{(index(t[i].receiver) + 1) % 24}; }};
  const SendTrace whole = run_.trace;
  for (std::size_t kind = 0; kind < alterations.size(); ++kind)
    for (std::size_t i = 0; i < whole.size(); i += 37) {
      run_.trace = whole;
      alterations[kind](run_.trace, i);
      EXPECT_THAT(objections(), Not(IsEmpty())) << "alteration " << kind << " of event " << i;
    }
}

TEST_F(PackingRun, EveryAlterationOfTheRecordIsNoticed) {
  const std::vector<std::function<void(RunRecord&)>> alterations{
      [](RunRecord& r) { ++r.startups; },
      [](RunRecord& r) { --r.message_times; },
      [](RunRecord& r) { ++r.control_words; },
      [](RunRecord& r) { ++r.hops; },
      [](RunRecord& r) { ++r.messages_sent; },
      [](RunRecord& r) { ++r.blocks_moved; },
      [](RunRecord& r) { --r.senders; },
      [](RunRecord& r) { --r.receivers; },
      [](RunRecord& r) { ++r.series[3].senders; },
      [](RunRecord& r) { ++r.series[3].receivers; },
      [](RunRecord& r) { --r.series[3].active; },
      [](RunRecord& r) { --r.series[3].messages; },
      [](RunRecord& r) { ++r.series[3].blocks; },
      [](RunRecord& r) { ++r.series[3].largest_message_blocks; },
      [](RunRecord& r) { r.series[3].ports_used ^= 1; },
      [](RunRecord& r) { r.series.pop_back(); },
      [](RunRecord& r) {
        r.violations.push_back({3, NodeId{0}, Port{0}, Rule::sends, 2});
      }};
  const RunRecord whole = run_.record;
  for (std::size_t kind = 0; kind < alterations.size(); ++kind) {
    run_.record = whole;
    alterations[kind](run_.record);
    EXPECT_THAT(objections(), Not(IsEmpty())) << "alteration " << kind;
  }
}

TEST_F(PackingRun, OrderWithinAStepDoesNotMatter) {
  Random random(1);
  std::shuffle(run_.trace.begin(), run_.trace.end(), random);
  EXPECT_THAT(objections(), IsEmpty());
}

TEST_F(PackingRun, SendsThatNoLinkCarriesAreFound) {
  SendEvent& event = run_.trace[5];
  event.receiver = event.sender;
  run_.trace[7].port = Port{3};
  run_.trace[9].sender = NodeId{24};
  EXPECT_THAT(impossible_sends(run_.trace, network_),
              ElementsAre(run_.trace[5], run_.trace[7], run_.trace[9]));
}

/// Each rule of the truth table, straight from hand-made traces on the line 0 - 1 - 2.
class Recounted : public testing::Test {
 protected:
  void sends(std::uint64_t from, std::uint64_t to) {
    for (std::size_t p = 0; p < line_.degree(NodeId{from}); ++p)
      if (line_.neighbor(NodeId{from}, port(p)) == NodeId{to})
        trace_.push_back(
            {4, NodeId{from}, port(p), NodeId{to}, line_.reverse_port(NodeId{from}, port(p)), 1});
  }
  [[nodiscard]] std::vector<std::string> broken(const PortModel& model) const {
    std::vector<std::string> rules;
    for (const Violation& v : recount_trace(trace_, model).violations) {
      EXPECT_EQ(v.step, 4U);
      rules.push_back(std::to_string(index(v.node)) + " " + std::string(name_of(v.rule)) + " " +
                      std::to_string(v.count));
    }
    return rules;
  }

  LinearArray line_{3};
  SendTrace trace_;
};

TEST_F(Recounted, NothingIsLegal) {
  for (const PortModel& model : port_models::all) EXPECT_THAT(broken(model), IsEmpty());
}

TEST_F(Recounted, TwoSends) {
  sends(1, 0);
  sends(1, 2);
  EXPECT_THAT(broken(port_models::single_port), ElementsAre("1 sends 2"));
  EXPECT_THAT(broken(port_models::single_port_send), ElementsAre("1 sends 2"));
  EXPECT_THAT(broken(port_models::all_port), IsEmpty());
  EXPECT_THAT(broken(port_models::all_port_half_duplex), IsEmpty());
}

TEST_F(Recounted, TwoReceptions) {
  sends(0, 1);
  sends(2, 1);
  EXPECT_THAT(broken(port_models::single_port), ElementsAre("1 receptions 2"));
  EXPECT_THAT(broken(port_models::single_port_send), IsEmpty());
  EXPECT_THAT(broken(port_models::all_port), IsEmpty());
}

TEST_F(Recounted, BothWaysOverOneLink) {
  sends(0, 1);
  sends(1, 0);
  EXPECT_THAT(broken(port_models::single_port), IsEmpty());
  EXPECT_THAT(broken(port_models::all_port), IsEmpty());
  EXPECT_THAT(broken(port_models::all_port_half_duplex),
              ElementsAre("0 half-duplex 2", "1 half-duplex 2"));
}

TEST_F(Recounted, TwoMessagesThroughOneArc) {
  sends(0, 1);
  sends(0, 1);
  EXPECT_THAT(broken(port_models::all_port), ElementsAre("0 arc-capacity 2"));
}

TEST_F(Recounted, SendingAndReceivingThroughDifferentPorts) {
  sends(0, 1);
  sends(1, 2);
  for (const PortModel& model : port_models::all) EXPECT_THAT(broken(model), IsEmpty());
}

/// Scripts that break rules, on the real machine: both judges find the same.
TEST(Legality, AgreesAboutRandomScriptsOnTheMachine) {
  const auto make = [](Random& random) { return random; };
  for_all(40, make, [](Random random) {
    const Network network = build_network(Ring(uniform(random, 3, 9)));
    const Script script = random_script(random, network, 3, {.send = 25});
    const Job job{.model = port_models::all[uniform(random, 0, 3)], .stop_at_violation = false};
    const Traced run = traced_run(network, ScriptedProgram<Activity::dense>(script), job);
    ASSERT_LE(run.record.violation_count, 64U);
    EXPECT_THAT(disagreements(recount_trace(run.trace, job.model), run.record), IsEmpty());
    EXPECT_THAT(impossible_sends(run.trace, network), IsEmpty());
  });
}

}  // namespace
}  // namespace lockstep::test
