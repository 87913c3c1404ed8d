// SPDX-License-Identifier: Apache-2.0
#include "lockstep/report/run_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "support/golden.hpp"
#include "support/run_reports.hpp"

namespace lockstep {
namespace {

using nlohmann::json;
using test::report_of;
using test::request_of;
using test::with_series;
using testing::HasSubstr;

/// The names of the schema that users rely on, and what is behind each.
void expect_types(const json& object, const std::map<std::string, std::string>& types) {
  for (const auto& [name, type] : types) {
    ASSERT_TRUE(object.contains(name)) << name;
    const json& value = object[name];
    const std::string found = value.is_number() ? "number" : value.type_name();
    EXPECT_EQ(found, type) << name;
  }
}

TEST(RunReportTest, QueuesAreNamedAndCounted) {
  RunRequest request = request_of("ring:9");
  request.settings = {{"discipline", "closest-first"}};
  const RunReport report = report_of(request);
  const json run = json::parse(to_json(report));
  EXPECT_EQ(run["parameters"]["discipline"], "closest-first");
  EXPECT_EQ(run["largest_queue"]["blocks"], 8);
  EXPECT_EQ(run["largest_queue"]["foreign"], 1);
  EXPECT_THAT(to_csv(report),
              HasSubstr(",discipline,plan_file,largest_queue_blocks,largest_queue_foreign,"));
  EXPECT_THAT(to_csv(report), HasSubstr(",closest-first,,8,1,"));
  EXPECT_THAT(to_text(report), HasSubstr("longest queue 8 blocks (1 in transit)"));
}

TEST(RunJsonTest, EveryNameOfTheSchemaIsThereWithItsType) {
  const json run = json::parse(to_json(with_series()));
  EXPECT_EQ(run["schema"], "lockstep.run/2");
  expect_types(run, {{"version", "string"},
                     {"command", "string"},
                     {"host", "object"},
                     {"seed", "number"},
                     {"threads", "number"},
                     {"workers_per_step", "number"},
                     {"channel", "string"},
                     {"block_size", "number"},
                     {"topology", "string"},
                     {"nodes", "number"},
                     {"processors", "number"},
                     {"links", "number"},
                     {"degree", "number"},
                     {"diameter", "number"},
                     {"operation", "string"},
                     {"algorithm", "string"},
                     {"parameters", "object"},
                     {"source", "string"},
                     {"port_model", "string"},
                     {"bytes", "number"},
                     {"envelope_bytes", "number"},
                     {"steps", "number"},
                     {"startups", "number"},
                     {"charged_startups", "number"},
                     {"message_times", "number"},
                     {"charged_message_times", "number"},
                     {"control_words", "number"},
                     {"phases", "array"},
                     {"queues", "array"},
                     {"predicted", "object"},
                     {"lower_bound", "object"},
                     {"model", "object"},
                     {"wall", "object"},
                     {"messages_sent", "number"},
                     {"hops", "number"},
                     {"bytes_moved", "number"},
                     {"hops_per_second", "number"},
                     {"bytes_per_second", "number"},
                     {"messages", "object"},
                     {"verify", "string"},
                     {"first_missing", "null"},
                     {"violations", "array"},
                     {"senders", "number"},
                     {"receivers", "number"},
                     {"largest_queue", "null"},
                     {"memory", "object"},
                     {"outcome", "string"},
                     {"ok", "boolean"},
                     {"series", "array"}});
  expect_types(
      run["host"],
      {{"cpu", "string"}, {"cores", "number"}, {"compiler", "string"}, {"build", "string"}});
  expect_types(run["parameters"], {{"k", "array"}, {"batch", "number"}});
  expect_types(run["predicted"], {{"startups", "number"}, {"message_times", "number"}});
  expect_types(run["lower_bound"], {{"startups", "number"},
                                    {"message_times", "number"},
                                    {"steps", "number"},
                                    {"name", "string"},
                                    {"undivided_blocks", "object"}});
  expect_types(run["lower_bound"]["undivided_blocks"],
               {{"startups", "number"}, {"message_times", "number"}, {"name", "string"}});
  expect_types(run["model"], {{"ts", "number"},
                              {"tm", "number"},
                              {"tw", "number"},
                              {"time", "number"},
                              {"lower_bound", "number"},
                              {"lower_bound_undivided_blocks", "number"},
                              {"predicted", "number"}});
  expect_types(run["wall"], {{"seconds", "number"},
                             {"step_seconds", "number"},
                             {"verify_seconds", "number"},
                             {"setup_seconds", "number"}});
  expect_types(run["messages"], {{"expected", "number"},
                                 {"delivered", "number"},
                                 {"verified", "number"},
                                 {"missing", "number"},
                                 {"duplicated", "number"},
                                 {"corrupted", "number"}});
  expect_types(run["memory"], {{"predicted_bytes", "number"}, {"peak_bytes", "number"}});
  ASSERT_FALSE(run["series"].empty());
  expect_types(run["series"][0], {{"step", "number"},
                                  {"senders", "number"},
                                  {"receivers", "number"},
                                  {"active", "number"},
                                  {"free", "number"},
                                  {"messages", "number"},
                                  {"bytes", "number"},
                                  {"largest_message_blocks", "number"},
                                  {"seconds", "number"},
                                  {"control_words", "number"},
                                  {"switch_senders", "number"},
                                  {"switch_receivers", "number"},
                                  {"switches_active", "number"},
                                  {"switches_free", "number"},
                                  {"verify_seconds", "number"}});
}

TEST(RunJsonTest, SaysWhatEveryPhaseCost) {
  EXPECT_EQ(json::parse(to_json(with_series()))["phases"], json::array());
  const RunReport report = report_of(
      {.topology = "ej:1+2^2", .operation = Operation::all_gather, .algorithm = "three-phase"});
  const json run = json::parse(to_json(report));
  ASSERT_EQ(run["phases"].size(), 3U);
  std::uint64_t startups = 0;
  for (const json& phase : run["phases"]) {
    expect_types(phase, {{"name", "string"},
                         {"first_step", "number"},
                         {"steps", "number"},
                         {"startups", "number"},
                         {"message_times", "number"},
                         {"largest_message_blocks", "number"},
                         {"control_words", "number"},
                         {"hops", "number"},
                         {"bytes", "number"},
                         {"seconds", "number"},
                         {"messages", "number"}});
    EXPECT_EQ(phase["first_step"], startups);
    startups += phase["startups"].get<std::uint64_t>();
  }
  EXPECT_EQ(run["phases"][1]["name"], "2: sectors 2, 3");
  EXPECT_EQ(startups, run["startups"].get<std::uint64_t>());
  EXPECT_EQ(to_csv(report).find("sectors"), std::string::npos);
}

/// The value of t_w and the cost of the words; there is a prediction only if there are any.
TEST(RunJsonTest, ControlWords) {
  RunReport report = with_series();
  json run = json::parse(to_json(report));
  EXPECT_EQ(run["control_words"], 0);
  EXPECT_EQ(run["model"]["tw"], 0.125) << "8 of 64 bytes at t_m = 1";
  EXPECT_FALSE(run["predicted"].contains("control_words"));
  EXPECT_EQ(run["series"][0]["control_words"], 0);
  report.result.cost.control_words = 12;
  report.result.record.control_words = 12;
  report.result.record.series[0].control_words = 7;
  report.result.forecast.predicted->control_words = 12;
  run = json::parse(to_json(report));
  EXPECT_EQ(run["control_words"], 12);
  EXPECT_EQ(run["model"]["time"], 229 * 100 + 474 + 1.5);
  EXPECT_EQ(run["predicted"]["control_words"], 12);
  EXPECT_EQ(run["series"][0]["control_words"], 7);
  report.costs.t_w = 2;
  EXPECT_EQ(json::parse(to_json(report))["model"]["time"], 229 * 100 + 474 + 24);
}

TEST(RunJsonTest, SaysWhatWasCounted) {
  const json run = json::parse(to_json(with_series()));
  EXPECT_EQ(run["topology"], "star:5");
  EXPECT_EQ(run["parameters"]["k"], json::array({3}));
  EXPECT_EQ(run["startups"], 229);
  EXPECT_EQ(run["message_times"], 474);
  EXPECT_EQ(run["predicted"]["startups"], 229);
  EXPECT_EQ(run["lower_bound"]["message_times"], 442);
  EXPECT_EQ(run["model"]["time"], 229 * 100 + 474);
  EXPECT_EQ(run["messages"]["verified"], 120 * 119);
  EXPECT_EQ(run["envelope_bytes"], 0);
  EXPECT_EQ(run["ok"], true);
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t senders = 0;
  std::uint64_t receivers = 0;
  for (const json& step : run["series"]) {
    messages += step["messages"].get<std::uint64_t>();
    bytes += step["bytes"].get<std::uint64_t>();
    EXPECT_EQ(step["active"].get<int>() + step["free"].get<int>(), 120);
    senders += step["senders"].get<std::uint64_t>();
    receivers += step["receivers"].get<std::uint64_t>();
  }
  EXPECT_EQ(run["senders"], senders);
  EXPECT_EQ(run["receivers"], receivers);
  EXPECT_EQ(run["series"].size(), 229U);
  EXPECT_EQ(run["hops"], messages);
  EXPECT_EQ(run["bytes_moved"], bytes);
}

TEST(RunJsonTest, WithoutTheSeriesThereIsNone) {
  EXPECT_FALSE(json::parse(to_json(report_of(request_of("star:4")))).contains("series"));
}

TEST(RunJsonTest, WhatIsNotKnownIsNull) {
  RunReport report = report_of(request_of("star:4"));
  report.result.forecast.predicted.reset();
  report.result.forecast.lower_bound.reset();
  report.result.forecast.diameter.reset();
  const json run = json::parse(to_json(report));
  EXPECT_TRUE(run["predicted"].is_null());
  EXPECT_TRUE(run["lower_bound"].is_null());
  EXPECT_TRUE(run["diameter"].is_null());
  EXPECT_TRUE(run["model"]["predicted"].is_null());
  EXPECT_TRUE(run["model"]["lower_bound"].is_null());
}

TEST(RunJsonTest, ABrokenRuleAndAMissingBlockAreNamed) {
  RunRequest request = request_of("star:4");
  request.algorithm = "packing";
  request.port_model = port_models::all_port_half_duplex;
  const json broken = json::parse(to_json(report_of(request)));
  ASSERT_FALSE(broken["violations"].empty());
  expect_types(broken["violations"][0], {{"step", "number"},
                                         {"node", "number"},
                                         {"port", "number"},
                                         {"rule", "string"},
                                         {"detail", "string"}});
  EXPECT_EQ(broken["violations"][0]["rule"], "half-duplex");
  EXPECT_EQ(broken["ok"], false);

  request = request_of("star:4");
  request.fault = {.kind = FaultKind::corrupt, .step = 0, .sender = NodeId{0}};
  const json harmed = json::parse(to_json(report_of(request)));
  EXPECT_EQ(harmed["ok"], false);
  EXPECT_EQ(harmed["messages"]["corrupted"], 1);
  expect_types(harmed["first_missing"], {{"source", "number"}, {"destination", "number"}});
}

TEST(RunJsonTest, ADryRunSaysWhatItWouldTake) {
  const auto run = prepare(request_of("star:5"));
  const json dry = json::parse(to_json(DryRunReport{.forecast = run->forecast(),
                                                    .probe = Probe{0.5, 1.5, 10, 34.5},
                                                    .costs = {.t_s = 100, .t_m = 1},
                                                    .provenance = provenance("x")}));
  EXPECT_EQ(dry["schema"], "lockstep.dry-run/2");
  EXPECT_EQ(dry["steps"], 229);
  EXPECT_EQ(dry["wall"]["estimated_seconds"], 34.5);
  EXPECT_EQ(dry["wall"]["measured"], true);
  EXPECT_EQ(dry["wall"]["trial_setup_seconds"], 0.5);
  EXPECT_EQ(dry["memory"]["fits"], true);
  EXPECT_EQ(dry["messages"]["expected"], 14'280);
}

TEST(RunJsonTest, AvailableMemoryThatIsNotKnownIsNoNumber) {
  DryRunReport report{.forecast = prepare(request_of("star:5"))->forecast()};
  EXPECT_THAT(to_text(report), HasSubstr(" available: fits"));
  report.forecast.available_bytes = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THAT(to_text(report), HasSubstr(" needed, available memory not known\n"));
  const json dry = json::parse(to_json(report));
  EXPECT_TRUE(dry["memory"]["available_bytes"].is_null());
  EXPECT_TRUE(dry["memory"]["fits"].is_null());
  EXPECT_TRUE(dry["memory"]["predicted_bytes"].is_number());
}

TEST(RunCsvTest, AHeadingAndARowOfEqualLength) {
  const RunReport report = report_of(request_of("star:4"));
  std::istringstream lines(to_csv(report));
  std::string heading, row;
  std::getline(std::getline(lines, heading), row);
  const std::string bare = std::regex_replace(row, std::regex("\"[^\"]*\""), "quoted");
  EXPECT_EQ(test::split(heading, ',').size(), test::split(bare, ',').size());
  EXPECT_THAT(row,
              testing::StartsWith("star:4,total-exchange,packing,3,1,64,single-port,24,24,36,"));
}

TEST(RunCsvTest, ColumnsAreStable) {
  // Scripts name them: one may be added behind the last, none renamed, moved or taken out.
  EXPECT_THAT(
      to_csv({}),
      testing::StartsWith(
          "topology,operation,algorithm,k,batch,bytes,port_model,nodes,processors,links,degree,"
          "diameter,steps,startups,message_times,predicted_startups,predicted_message_times,"
          "lower_bound_startups,lower_bound_message_times,ts,tm,time,time_predicted,time_lower_"
          "bound,"
          "messages_expected,messages_delivered,messages_verified,messages_missing,"
          "messages_duplicated,messages_corrupted,verify,violations,interrupted,ok,wall_seconds,"
          "step_seconds,verify_seconds,setup_seconds,hops,bytes_moved,hops_per_second,"
          "bytes_per_second,memory_predicted_bytes,memory_peak_bytes,seed,threads,executor,channel,"
          "block_size,version,cpu,cores,compiler,build,command"));
}

TEST(RunCsvTest, TheSeriesIsARowPerStep) {
  const RunReport report = with_series();
  const std::string table = to_csv(report);
  EXPECT_THAT(table,
              testing::StartsWith("step,senders,receivers,active,free,messages,bytes,"
                                  "largest_message_blocks,seconds,control_words,"
                                  "switch_senders,switch_receivers,switches_active,"
                                  "switches_free,verify_seconds,hops\n0,120,120,120,0,120,"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 229);
}

}  // namespace
}  // namespace lockstep
