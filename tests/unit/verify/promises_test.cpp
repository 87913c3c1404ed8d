// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "lockstep/cost/model.hpp"
#include "lockstep/verify/judgement.hpp"

namespace lockstep {
namespace {

using Kind = BrokenPromise::Kind;
using testing::ElementsAre;
using testing::IsEmpty;

/// Packing with k = 3 on S_5.
RunRecord promised_record() {
  RunRecord record;
  record.steps = 229;
  record.startups = 229;
  record.message_times = 474;
  record.messages_sent = 229 * 120;
  return record;
}

const Expectations promised{
    .promise = Cost{.startups = 229, .message_times = 474},
    .footprint = Footprint{.steps = 229, .hops = 27'480, .blocks_per_processor = 12},
    .bound = Cost{.startups = 7, .message_times = 442}};

[[nodiscard]] PromiseVerdict judged(const RunRecord& record, const Expectations& said,
                                    std::uint64_t parts_per_block = 1) {
  return judge_promises(record, cost_of(record, parts_per_block), said);
}

TEST(Promises, ACorrectRunKeepsThem) {
  const PromiseVerdict verdict = judged(promised_record(), promised);
  EXPECT_TRUE(verdict.judged);
  EXPECT_TRUE(verdict.kept());
  EXPECT_THAT(verdict.broken, IsEmpty());
}

TEST(Promises, EveryFieldThatDiffersIsNamed) {
  RunRecord record = promised_record();
  record.startups = 230;
  EXPECT_THAT(judged(record, promised).broken,
              ElementsAre(BrokenPromise{"start-ups", Kind::differs, 230, 229}));

  record = promised_record();
  record.message_times = 473;
  EXPECT_THAT(judged(record, promised).broken,
              ElementsAre(BrokenPromise{"message times", Kind::differs, 473, 474}));

  record = promised_record();
  record.steps = 231;
  EXPECT_THAT(judged(record, promised).broken,
              ElementsAre(BrokenPromise{"steps", Kind::differs, 231, 229}));

  record = promised_record();
  record.messages_sent = 1;
  const PromiseVerdict verdict = judged(record, promised);
  EXPECT_THAT(verdict.broken,
              ElementsAre(BrokenPromise{"messages sent", Kind::differs, 1, 27'480}));
  EXPECT_FALSE(verdict.kept());
}

TEST(Promises, NothingIsCheaperThanTheBound) {
  RunRecord record = promised_record();
  record.startups = 6;
  record.message_times = 441;
  EXPECT_THAT(judged(record, {.bound = promised.bound}).broken,
              ElementsAre(BrokenPromise{"start-ups", Kind::below_bound, 6, 7},
                          BrokenPromise{"message times", Kind::below_bound, 441, 442}));
  record.startups = 7;
  record.message_times = 442;
  EXPECT_TRUE(judged(record, {.bound = promised.bound}).kept());
}

/// Blocks that travel in parts are promised and bounded as blocks.
TEST(Promises, AreOfWholeBlocks) {
  RunRecord record = promised_record();
  EXPECT_THAT(judged(record, promised, 2).broken,
              ElementsAre(BrokenPromise{"message times", Kind::differs, 237, 474},
                          BrokenPromise{"message times", Kind::below_bound, 237, 442}));
  record.message_times = 948;
  EXPECT_TRUE(judged(record, promised, 2).kept());
  record.message_times = 949;
  EXPECT_EQ(judged(record, promised, 2).broken.front().sentence(),
            "474.5 message times counted, 474 predicted");
}

TEST(Promises, ControlWordsAreHeldToThePromise) {
  RunRecord record = promised_record();
  record.control_words = 3;
  EXPECT_THAT(judged(record, promised).broken,
              ElementsAre(BrokenPromise{"control words", Kind::differs, 3, 0}));
  EXPECT_TRUE(judged(record, {.promise = Cost{229, 474, 3}}).kept());
}

TEST(Promises, AllThatDiffersIsListed) {
  RunRecord record = promised_record();
  record.startups = 1;
  record.message_times = 2;
  EXPECT_EQ(judged(record, promised).broken.size(), 4U);
}

TEST(Promises, WhatWasNotSaidIsNotJudged) {
  EXPECT_TRUE(judged(promised_record(), {}).kept());
  Expectations unknown_hops{.footprint = Footprint{.steps = 229}};
  EXPECT_TRUE(judged(promised_record(), unknown_hops).kept());
  unknown_hops.footprint->hops = 1;
  EXPECT_FALSE(judged(promised_record(), unknown_hops).kept());
}

TEST(Promises, ARunThatStoppedEarlyIsNotJudged) {
  RunRecord interrupted = promised_record();
  interrupted.interrupted = true;
  EXPECT_FALSE(judged(interrupted, promised).judged);
  RunRecord illegal = promised_record();
  illegal.violation_count = 1;
  EXPECT_FALSE(judged(illegal, promised).judged);
  EXPECT_FALSE(judged(illegal, promised).kept());
}

/// An algorithm that leaves blocks out may cost less than one that does not.
TEST(Promises, WhatIsKnownToLeaveBlocksOutIsHeldToWhatItDelivers) {
  RunRecord record = promised_record();
  record.message_times = 441;
  record.deliveries.delivered = 504;
  Expectations known{.footprint = Footprint{.steps = 229, .deliveries = 504},
                     .bound = promised.bound};
  EXPECT_TRUE(judged(record, known).kept());
  record.deliveries.delivered = 503;
  EXPECT_THAT(judged(record, known).broken,
              ElementsAre(BrokenPromise{"deliveries", Kind::differs, 503, 504}));
  known.footprint->deliveries = 0;
  EXPECT_THAT(judged(record, known).broken,
              ElementsAre(BrokenPromise{"message times", Kind::below_bound, 441, 442}));
}

TEST(Promises, Sentences) {
  EXPECT_EQ((BrokenPromise{"start-ups", Kind::differs, 230, 229}).sentence(),
            "230 start-ups counted, 229 predicted");
  EXPECT_EQ((BrokenPromise{"message times", Kind::below_bound, 441, 442}).sentence(),
            "441 message times counted, at least 442 necessary");
}

}  // namespace
}  // namespace lockstep
