// SPDX-License-Identifier: Apache-2.0
/// The laws of machine_laws_test for programs that read: labels and control words, memories of
/// different sizes, messages over routes. Words that they read go into what they send, and into the
/// origin of blocks, so that one wrong word changes all that follows.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/verify/legality.hpp"
#include "support/outcome_checks.hpp"
#include "support/script_cases.hpp"

namespace lockstep::test {
namespace {

const std::vector<ChannelKind> wormhole{ChannelKind::wormhole};

template <Reads reads>
void expect_open_script_law(const ScriptCase& c, const std::vector<ChannelKind>& channels) {
  SCOPED_TRACE(c.network.name() + ", " + described(c.job));
  const ScriptedProgram<Activity::dense, reads> dense(c.script);
  ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(c.network, dense, c.job, channels));
  const ScriptedProgram<Activity::sparse, reads> sparse(c.script);
  ASSERT_NO_FATAL_FAILURE(expect_reference_outcome(c.network, sparse, c.job, channels));
}

ScriptCase routed_case(Random& random, ScriptChances chances) {
  chances.route = 60;
  ScriptCase c = script_case(random, chances);
  if (c.job.model.duplex == Duplex::half || uniform(random, 0, 2) != 0)
    c.job.model = uniform(random, 0, 1) == 0 ? port_models::all_port_wormhole
                                             : port_models::single_port_wormhole;
  return c;
}

TEST(OpenMachineLaws, ScriptsWithLabelsAndControlWords) {
  std::uint64_t words = 0;
  std::uint64_t envelopes = 0;
  const auto make = [](Random& random) { return script_case(random, {.send = 40, .words = 40}); };
  for_all(20, make, [&](const ScriptCase& c) {
    expect_open_script_law<Reads::words>(c, every_channel);
    const ScriptedProgram<Activity::dense, Reads::words> program(c.script);
    const RunRecord record = run_reference(c.network, program, c.job).record;
    words += record.control_words_moved;
    envelopes += record.envelope_bytes;
  });
  EXPECT_GT(words, 100U);
  EXPECT_GT(envelopes, 1000U);
}

TEST(OpenMachineLaws, UnlawfulScriptsWithLabelsAndControlWords) {
  const auto make = [](Random& random) {
    return script_case(random, {.send = 50,
                                .skipped_take = 20,
                                .no_such_port = 5,
                                .after_end = 10,
                                .switch_asks_host = 10,
                                .words = 30,
                                .access = 10});
  };
  for_all(20, make,
          [](const ScriptCase& c) { expect_open_script_law<Reads::words>(c, every_channel); });
}

TEST(OpenMachineLaws, LawfulOneLinkRoutesAreHops) {
  const auto make = [](Random& random) {
    return routed_case(random, {.send = 40, .words = 30, .longest = 1});
  };
  for_all(10, make, [](const ScriptCase& c) {
    expect_open_script_law<Reads::words_and_routes>(c, wormhole);
  });
}

/// Few messages, so that some steps are lawful.
TEST(OpenMachineLaws, ScriptsWithRoutes) {
  std::set<Rule> broken;
  std::uint64_t lawful_links = 0;
  const auto make = [](Random& random) {
    return routed_case(random, {.send = uniform(random, 0, 1) == 0 ? std::uint64_t{3} : 40,
                                .skipped_take = uniform(random, 0, 1) == 0 ? std::uint64_t{0} : 10,
                                .after_end = 5,
                                .words = 20,
                                .astray = uniform(random, 0, 1) == 0 ? std::uint64_t{0} : 10});
  };
  for_all(60, make, [&](const ScriptCase& c) {
    expect_open_script_law<Reads::words_and_routes>(c, wormhole);
    const ScriptedProgram<Activity::dense, Reads::words_and_routes> program(c.script);
    const RunRecord record = run_reference(c.network, program, c.job).record;
    for (const Violation& v : record.violations) broken.insert(v.rule);
    if (record.legal()) lawful_links += record.hops;
  });
  EXPECT_EQ(broken,
            (std::set<Rule>{Rule::sends, Rule::receptions, Rule::arc_capacity, Rule::port,
                            Rule::unread, Rule::after_end, Rule::link_held, Rule::switching}));
  EXPECT_GT(lawful_links, 5U);
}

TEST(OpenMachineLaws, RecountAgreesWithTheRecord) {
  const auto make = [](Random& random) {
    ScriptCase c = routed_case(random, {.send = 20, .words = 20});
    c.job.stop_at_violation = false;
    return c;
  };
  for_all(60, make, [](const ScriptCase& c) {
    SendTrace trace;
    const ScriptedProgram<Activity::dense, Reads::words_and_routes> program(c.script);
    const RunOutcome outcome =
        run_reference(c.network, program, c.job, ChannelKind::wormhole, &trace);
    if (outcome.record.violation_count > 64) return;  // the record keeps no more
    EXPECT_TRUE(impossible_sends(trace, c.network).empty());
    EXPECT_EQ(disagreements(recount_trace(trace, c.job.model, c.network.processor_count()),
                            outcome.record),
              std::vector<std::string>{});
  });
}

/// Faults that are possible on a route.
TEST(OpenMachineLaws, FaultsOnRoutes) {
  const auto make = [](Random& random) {
    ScriptCase c = routed_case(random, {.send = 30, .words = 30});
    c.job.fault = {.kind = uniform(random, 0, 1) == 0 ? FaultKind::drop : FaultKind::corrupt,
                   .step = uniform(random, 0, c.script.steps()),
                   .sender = NodeId{uniform(random, 0, c.network.node_count() - 1)}};
    return c;
  };
  for_all(30, make, [](const ScriptCase& c) {
    expect_open_script_law<Reads::words_and_routes>(c, wormhole);
  });
}

TEST(OpenMachineLaws, FaultsOnWords) {
  const auto make = [](Random& random) {
    constexpr FaultKind kinds[] = {FaultKind::drop, FaultKind::corrupt, FaultKind::duplicate,
                                   FaultKind::misroute};
    ScriptCase c = script_case(random, {.send = 30, .words = 30});
    c.job.fault = {.kind = kinds[uniform(random, 0, 3)],
                   .step = uniform(random, 0, c.script.steps()),
                   .sender = NodeId{uniform(random, 0, c.network.node_count() - 1)}};
    return c;
  };
  for_all(30, make,
          [](const ScriptCase& c) { expect_open_script_law<Reads::words>(c, every_channel); });
}

}  // namespace
}  // namespace lockstep::test
