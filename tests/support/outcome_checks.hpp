// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Whether two runs came to the same, field by field, so that a failure says which one differs.
///
///     expect_same(run(network, program, job), run_reference(network, program, job));
///     expect_reference_outcome(network, program, job, every_channel);

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/jobs.hpp"

namespace lockstep::test {

/// The outcome of the run without a series.
inline RunOutcome without_series(RunOutcome outcome) {
  outcome.record.series.clear();
  return outcome;
}

inline std::vector<std::string> described(const std::vector<Violation>& violations) {
  std::vector<std::string> lines;
  for (const Violation& v : violations) lines.push_back(described(v));
  return lines;
}

inline void expect_same_record(const RunRecord& got, const RunRecord& wanted) {
  EXPECT_EQ(study::differences(got, wanted), std::vector<std::string>{});
}

inline void expect_same(const RunOutcome& got, const RunOutcome& wanted) {
  EXPECT_EQ(study::differences(got, wanted), std::vector<std::string>{});
}

/// The job comes to `expected` (of a job with a series) under all the conditions, with a series and
/// without. Stops at the first failure.
template <Topology Net, Program Prog>
void expect_outcome(const Net& network, const Prog& program, Job job, const RunOutcome& expected,
                    const std::vector<Conditions>& all) {
  const RunOutcome plain = without_series(expected);
  for (const Conditions& conditions : all)
    for (const bool series : {true, false}) {
      SCOPED_TRACE(described(conditions) + (series ? ", series" : ", no series"));
      job.keep_series = series;
      expect_same(run(network, program, job, conditions), series ? expected : plain);
      ASSERT_FALSE(testing::Test::HasFailure());
    }
}

/// The same for every kind of channel, and the same messages in the same order. Those that keep one
/// message per node are judged by a reference machine that does.
template <Topology Net, Program Prog>
void expect_reference_outcome(const Net& network, const Prog& program, const Job& job,
                              const std::vector<ChannelKind>& channels) {
  for (const ChannelKind channel : channels) {
    SendTrace sent;
    const RunOutcome expected = run_reference(network, program, job, channel, &sent);
    ASSERT_NO_FATAL_FAILURE(
        expect_outcome(network, program, job, expected, some_conditions({channel})));
    for (Conditions conditions : some_conditions({channel})) {
      SendTrace trace;
      conditions.trace = &trace;
      ASSERT_NO_FATAL_FAILURE(expect_same(run(network, program, job, conditions), expected));
      // A copy that a fault sends is nobody's send.
      ASSERT_TRUE(job.fault.kind == FaultKind::duplicate || trace == sent);
    }
  }
}

}  // namespace lockstep::test
