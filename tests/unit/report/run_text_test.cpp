// SPDX-License-Identifier: Apache-2.0

/// A run as text; as JSON and CSV: run_report_test.cpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lockstep/report/run_report.hpp"
#include "support/run_reports.hpp"

namespace lockstep {
namespace {

using test::report_of;
using test::request_of;
using test::with_series;
using testing::HasSubstr;
using testing::Not;

TEST(RunTextTest, TenLinesOfOneRun) {
  const std::string text = to_text(report_of(request_of("star:5")));
  EXPECT_THAT(text, HasSubstr("star:5: 120 processors, 240 links, degree 4, diameter 6"));
  EXPECT_THAT(text, HasSubstr("counted      229 start-ups, 474 message times in 229 steps"));
  EXPECT_THAT(text, HasSubstr("formula      229 start-ups, 474 message times (as counted)"));
  EXPECT_THAT(text, HasSubstr("lower bound  8 start-ups, 442 message times"));
  EXPECT_THAT(text, HasSubstr("counted 23,374, formula 23,374, lower bound 1,242 time units"));
  EXPECT_THAT(text, HasSubstr("14,280 of 14,280 messages (excluding messages to self)"));
  EXPECT_THAT(text, HasSubstr("result       ok: all messages delivered and verified"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 14);
  EXPECT_THAT(to_text(report_of(request_of("star:4")), Colour::yes),
              HasSubstr("\x1b[32mok\x1b[0m"));
}

TEST(RunTextTest, TheSeriesIsALinePerStep) {
  const std::string text = to_text(with_series());
  EXPECT_THAT(text, HasSubstr("\n\nstep  senders  receivers  active  free  messages "));
  EXPECT_THAT(text, HasSubstr("\n   0      120        120     120     0       120  "));
  EXPECT_THAT(text, HasSubstr("\n 228      120        120     120     0       120  "));
}

RunRequest in_phases() {
  RunRequest request{.topology = "star:4",
                     .operation = Operation::all_gather,
                     .algorithm = "levelwise",
                     .block_bytes = 8,
                     .workers = 2};
  return request;
}

TEST(RunTextTest, PhasesAreALineEach) {
  EXPECT_THAT(
      to_text(report_of(in_phases())),
      HasSubstr("counted      6 start-ups, 23 message times in 6 steps\n"
                "phases       phase                  steps  start-ups  message times  hops  bytes\n"
                "             substars of 2 symbols      1          1              1    24    192\n"
                "             substars of 3 symbols      2          2              4    48    768\n"
                "             substars of 4 symbols      3          3             18    72  3,456\n"
                "formula      6 start-ups"));
  EXPECT_THAT(to_text(report_of(request_of("star:4"))), Not(HasSubstr("phase")));
}

/// Words that programs compute with are said where there are any.
TEST(RunTextTest, ControlWords) {
  RunReport report = report_of(in_phases());
  EXPECT_THAT(to_text(report), Not(HasSubstr("control")));
  report.result.cost.control_words = 1'000;
  report.result.record.phases[1].control_words = 1'000;
  report.result.forecast.predicted->control_words = 999;
  report.costs.t_w = 0.5;
  EXPECT_THAT(to_text(report), HasSubstr(" 23 message times, 1,000 control words in 6 steps"));
  EXPECT_THAT(to_text(report), HasSubstr("message times  control words  hops"));
  EXPECT_THAT(to_text(report), HasSubstr("23 message times, 999 control words"));
  EXPECT_THAT(to_text(report), HasSubstr("t_m = 1 per block, t_w = 0.5 per control word:"));
  EXPECT_THAT(to_text(report), HasSubstr("counted 1,123,"));
}

TEST(RunTextTest, NothingThatWentWrongIsPassedOver) {
  RunReport report = report_of(request_of("star:4"));
  const RunRecord& record = report.result.record;
  report.result.judgement = judge(record, report.result.cost, report.result.judgement.deliveries,
                                  {.promise = Cost{.startups = 1, .message_times = 66}});
  EXPECT_THAT(to_text(report), HasSubstr("DIFFERS: 41 start-ups counted, 1 predicted"));
  EXPECT_THAT(to_text(report), HasSubstr("NOT AS PREDICTED"));

  RunRequest request = request_of("star:4");
  request.verify = VerifyKind::off;
  EXPECT_THAT(to_text(report_of(request)), HasSubstr("NOT VERIFIED (--verify off)"));

  request = request_of("star:4");
  request.algorithm = "packing";
  request.port_model = port_models::all_port_half_duplex;
  EXPECT_THAT(to_text(report_of(request)), HasSubstr("RULE VIOLATED"));
  const std::string broken = to_text(report_of(request));
  EXPECT_THAT(broken, HasSubstr("used in both directions in one step (rule half-duplex)"));
  EXPECT_THAT(broken, HasSubstr("message times (complete run)"));
  EXPECT_THAT(broken, Not(HasSubstr("\nrate ")));

  request = request_of("star:4");
  request.fault = {.kind = FaultKind::drop, .step = 0, .sender = NodeId{0}};
  request.stop_at_violation = false;
  const std::string harmed = to_text(report_of(request));
  EXPECT_THAT(harmed, HasSubstr("NOT DELIVERED: 6 of 552 messages missing, 6 corrupted"));
  EXPECT_THAT(harmed, HasSubstr("first missing: from node"));
}

}  // namespace
}  // namespace lockstep
