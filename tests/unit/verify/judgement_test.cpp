// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/judgement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lockstep/cost/model.hpp"

namespace lockstep {
namespace {

const Expectations expectations{.promise = Cost{.startups = 3, .message_times = 5},
                                .footprint = Footprint{.steps = 3}};

/// As expected; six blocks.
RunRecord correct_record() {
  RunRecord record;
  record.steps = 3;
  record.startups = 3;
  record.message_times = 5;
  record.blocks_moved = 6;
  record.deliveries = {.delivered = 6, .verified = 6};
  return record;
}

DeliveryVerdict verified(std::uint64_t delivered) {
  return {.expected = 6,
          .tally = {.delivered = delivered, .verified = delivered},
          .missing = 6 - delivered};
}

[[nodiscard]] Judgement judged(const RunRecord& record, const DeliveryVerdict& deliveries,
                               const Expectations& said) {
  return judge(record, cost_of(record, 1), deliveries, said);
}

void break_rule(RunRecord& record, Rule rule) {
  record.violations = {{1, NodeId{4}, Port{0}, rule, 2, NodeId{9}}};
  record.violation_count = 1;
}

TEST(Judgement, ARunThatDidAllOfItIsComplete) {
  const Judgement judgement = judged(correct_record(), verified(6), expectations);
  EXPECT_EQ(judgement.outcome, Outcome::complete);
  EXPECT_EQ(judgement.sentence, "");
  EXPECT_TRUE(judgement.ok() && judgement.promises.kept() && judgement.deliveries.complete());
}

TEST(Judgement, EveryOutcomeSaysWhatIsWrong) {
  RunRecord record = correct_record();
  record.startups = 2;
  Judgement judgement = judged(record, verified(6), expectations);
  EXPECT_EQ(judgement.outcome, Outcome::not_as_promised);
  EXPECT_EQ(judgement.sentence, "2 start-ups counted, 3 predicted");
  EXPECT_FALSE(judgement.ok()) << "exit code 1";

  record = correct_record();
  record.blocks_moved = 4;
  record.blocks_loaded = 1;
  judgement = judged(record, verified(6), expectations);
  EXPECT_EQ(judgement.outcome, Outcome::not_delivered);
  EXPECT_EQ(judgement.sentence, "6 blocks delivered, but only 4 arrived and 1 were loaded");

  judgement = judged(correct_record(), verified(5), expectations);
  EXPECT_EQ(judgement.outcome, Outcome::not_delivered);
  EXPECT_EQ(judgement.sentence, "5 of 6 messages verified");
  EXPECT_FALSE(judgement.ok());

  record = correct_record();
  record.interrupted = true;
  judgement = judged(record, verified(5), expectations);
  EXPECT_EQ(judgement.outcome, Outcome::interrupted);
  EXPECT_EQ(judgement.sentence, "stopped after step 3");

  break_rule(record, Rule::sends);
  judgement = judged(record, verified(5), expectations);
  EXPECT_EQ(judgement.outcome, Outcome::rule_broken) << "before all others";
  EXPECT_EQ(judgement.sentence, text_of(record.violations.front()));
  break_rule(record, Rule::half_duplex);
  EXPECT_EQ(judged(record, verified(5), expectations).sentence, text_of(record.violations.front()));
}

/// Then the program did not communicate, or the bound is wrong: neither is a good run.
TEST(Judgement, ACountBelowAProvenBoundIsAFailure) {
  const auto with_bound = [](const Cost& bound) {
    return judged(correct_record(), verified(6), {.bound = bound});
  };
  EXPECT_EQ(with_bound({3, 5}).outcome, Outcome::complete);
  for (const Cost& bound : {Cost{4, 5}, Cost{3, 6}, Cost{3, Fraction(16, 3)}}) {
    const Judgement judgement = with_bound(bound);
    EXPECT_EQ(judgement.outcome, Outcome::below_bound);
    EXPECT_FALSE(judgement.ok());
  }
  EXPECT_EQ(with_bound({4, 5}).sentence, "3 start-ups counted, at least 4 necessary");
  // Rather than of what was promised.
  Expectations said = expectations;
  said.promise = Cost{2, 5};
  said.bound = Cost{4, 5};
  EXPECT_EQ(judged(correct_record(), verified(6), said).outcome, Outcome::below_bound);
  EXPECT_EQ(judged(correct_record(), verified(6), said).sentence,
            "3 start-ups counted, at least 4 necessary");
}

TEST(Judgement, AStoreOfWhatHadNotArrivedIsNoDelivery) {
  RunRecord record = correct_record();
  record.stores_without_message = 2;
  const Judgement judgement = judged(record, verified(6), expectations);
  EXPECT_EQ(judgement.outcome, Outcome::stores_without_message);
  EXPECT_EQ(judgement.sentence,
            "2 stores, combinations or deliveries of a message that did not arrive or has another "
            "length");
  EXPECT_FALSE(judgement.ok());
}

TEST(Judgement, WhatIsKnownToBeLeftOutIsNamedSo) {
  RunRecord record = correct_record();
  record.deliveries = {.delivered = 4, .verified = 4};
  Expectations known = expectations;
  known.footprint->deliveries = 4;
  DeliveryVerdict verdict = verified(4);
  verdict.received = Received{.least = 2, .most = 2, .expected = 3};
  Judgement judgement = judged(record, verdict, known);
  EXPECT_EQ(judgement.outcome, Outcome::incomplete_as_known);
  EXPECT_EQ(judgement.sentence, "delivers 2 of 3 messages to each processor (known erratum)");
  EXPECT_FALSE(judgement.ok());

  verdict = {.expected = 6, .tally = {.delivered = 4}, .checked = false};
  EXPECT_EQ(judged(record, verdict, known).sentence,
            "delivers 4 of 6 messages, not verified (known erratum)");
  EXPECT_EQ(judged(record, verdict, expectations).sentence, "4 of 6 messages delivered");

  record.stores_without_message = 1;
  EXPECT_EQ(judged(record, verified(4), known).outcome, Outcome::stores_without_message);
  record.stores_without_message = 0;
  verdict = verified(3);
  verdict.tally.delivered = 4;  // one of them is not what it should be
  EXPECT_EQ(judged(record, verdict, known).outcome, Outcome::not_delivered);
  record.deliveries.delivered = 3;
  EXPECT_EQ(judged(record, verified(3), known).outcome, Outcome::not_delivered);
}

TEST(Judgement, OutcomesHaveNames) {
  EXPECT_EQ(name_of(Outcome::complete), "complete");
  EXPECT_EQ(name_of(Outcome::below_bound), "below-bound");
  EXPECT_EQ(name_of(Outcome::stores_without_message), "unmet-stores");
  EXPECT_EQ(name_of(Outcome::rule_broken), "rule-broken");
}

}  // namespace
}  // namespace lockstep
