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

/// What the run would come to without a series.
inline Outcome without_series(Outcome outcome) {
  outcome.record.series.clear();
  return outcome;
}

inline std::string described(const MessageName& message) {
  return std::to_string(index(message.sender)) + ":" + std::to_string(index(message.port)) +
         (message.arrives ? " that ends there" : "");
}

inline std::string described(const Violation& v) {
  return "step " + std::to_string(v.step) + " node " + std::to_string(index(v.node)) + " port " +
         std::to_string(index(v.port)) + " " + std::string(name_of(v.rule)) + " " +
         std::to_string(v.count) +
         (v.rule != Rule::link_held ? ""
                                    : " by " + described(v.one) + " and " + described(v.other));
}

inline std::vector<std::string> described(const std::vector<Violation>& violations) {
  std::vector<std::string> lines;
  for (const Violation& v : violations) lines.push_back(described(v));
  return lines;
}

inline void expect_same_step(const StepRecord& got, const StepRecord& wanted) {
  SCOPED_TRACE("step " + std::to_string(wanted.step));
  EXPECT_EQ(got.step, wanted.step);
  EXPECT_EQ(got.senders, wanted.senders);
  EXPECT_EQ(got.receivers, wanted.receivers);
  EXPECT_EQ(got.active, wanted.active);
  EXPECT_EQ(got.messages, wanted.messages);
  EXPECT_EQ(got.links_held, wanted.links_held);
  EXPECT_EQ(got.control_words, wanted.control_words);
  EXPECT_EQ(got.largest_control_words, wanted.largest_control_words);
  EXPECT_EQ(got.blocks, wanted.blocks);
  EXPECT_EQ(got.largest_message_blocks, wanted.largest_message_blocks);
  EXPECT_EQ(got.ports_used, wanted.ports_used);
}

/// Field by field, so that a failure says which.
inline void expect_same_record(const RunRecord& got, const RunRecord& wanted) {
  EXPECT_EQ(described(got.violations), described(wanted.violations));
  EXPECT_EQ(got.violation_count, wanted.violation_count);
  EXPECT_EQ(got.steps, wanted.steps);
  EXPECT_EQ(got.startups, wanted.startups);
  EXPECT_EQ(got.message_times, wanted.message_times);
  EXPECT_EQ(got.hops, wanted.hops);
  EXPECT_EQ(got.links_held, wanted.links_held);
  EXPECT_EQ(got.control_words, wanted.control_words);
  EXPECT_EQ(got.control_words_moved, wanted.control_words_moved);
  EXPECT_EQ(got.envelope_bytes, wanted.envelope_bytes);
  EXPECT_EQ(got.blocks_moved, wanted.blocks_moved);
  EXPECT_EQ(got.senders, wanted.senders);
  EXPECT_EQ(got.receivers, wanted.receivers);
  EXPECT_EQ(got.deliveries.delivered, wanted.deliveries.delivered);
  EXPECT_EQ(got.deliveries.verified, wanted.deliveries.verified);
  EXPECT_EQ(got.deliveries.corrupted, wanted.deliveries.corrupted);
  EXPECT_EQ(got.deliveries.duplicated, wanted.deliveries.duplicated);
  ASSERT_EQ(got.series.size(), wanted.series.size());
  for (std::size_t i = 0; i < wanted.series.size(); ++i) {
    expect_same_step(got.series[i], wanted.series[i]);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(got.phases, wanted.phases);
  EXPECT_TRUE(got.same_facts(wanted));
}

inline void expect_same(const Outcome& got, const Outcome& wanted) {
  ASSERT_NO_FATAL_FAILURE(expect_same_record(got.record, wanted.record));
  EXPECT_EQ(got.missing, wanted.missing);
  EXPECT_EQ(got.verdict.missing, wanted.verdict.missing);
  EXPECT_EQ(got.verdict.tally, wanted.verdict.tally);
  EXPECT_EQ(got.digest, wanted.digest);
}

/// A program whose processors run one by one, whatever it offers.
template <Program P>
class OneByOne {
 public:
  using Memory = typename P::Memory;
  static constexpr Activity activity = P::activity;

  explicit OneByOne(const P& program) : program_(program) {}
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return program_.regions(); }
  [[nodiscard]] std::uint64_t step_count() const { return program_.step_count(); }
  [[nodiscard]] std::vector<Phase> phases() const { return phases_of(program_); }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList list) const {
    return program_.gather_list(list);
  }
  template <class StepView>
  void operator()(StepView& here) const {
    run_rule(program_, here);
  }

 private:
  const P& program_;
};

/// The job comes to `expected` (of a job with a series) under all the conditions, with a series and
/// without. Stops at the first failure.
template <Topology Net, Program Prog>
void expect_outcome(const Net& network, const Prog& program, Job job, const Outcome& expected,
                    const std::vector<Conditions>& all) {
  const Outcome plain = without_series(expected);
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
    const Outcome expected = run_reference(network, program, job, channel, &sent);
    ASSERT_NO_FATAL_FAILURE(
        expect_outcome(network, program, job, expected, some_conditions({channel})));
    for (Conditions conditions : some_conditions({channel})) {
      SendTrace trace;
      conditions.trace = &trace;
      ASSERT_NO_FATAL_FAILURE(expect_same(run(network, program, job, conditions), expected));
      // What a fault sends once more is nobody's send.
      ASSERT_TRUE(job.fault.kind == FaultKind::duplicate || trace == sent);
    }
  }
}

}  // namespace lockstep::test
