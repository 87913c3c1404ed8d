// SPDX-License-Identifier: Apache-2.0
#include "study/calibration.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "study/calibration_report.hpp"
#include "study/comparison.hpp"
#include "study/drawn_runs.hpp"
#include "study/sweep.hpp"

namespace lockstep::study {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// A microsecond per step; for each worker, 100 ns per copy or message of a row, and 10 ns per
/// byte.
Calibration made_up() {
  Calibration made{.made = provenance({}), .caches = host_caches(), .date = "2026-11-23T21:05:00Z"};
  HostModel& model = made.model;
  model.rates[HostKind::step] = {1e-6, 0.9e-6, 1.1e-6};
  model.rates[HostKind::row_block] = {1e-7, 0.9e-7, 1.1e-7};
  model.rates[HostKind::copied_byte] = {1e-8, 0.9e-8, 1.1e-8};
  model.cached_bytes = std::uint64_t{1} << 20U;
  model.median_error = 0.1;
  model.worst_decile_error = 0.3;
  for (std::uint64_t& runs : model.runs.all) runs = 40;
  HostSample sample{.run = "a run", .seconds = 1.12e-6, .spread = 0.1};
  sample.work.alone[HostKind::step] = 1;
  sample.work.shared[HostKind::copied_byte] = 12;
  model.samples.push_back(sample);
  return made;
}

void write_file(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

RunRequest star(std::size_t bytes = 8) {
  RunRequest request{.topology = "star:4", .algorithm = "packing", .block_bytes = bytes};
  request.workers = 2;
  request.processors_per_task = 12;  // which the workers share
  return request;
}

TEST(CalibrationTest, PredictsARunFromItsCounts) {
  const auto run = prepare(star());
  const Calibration calibration = made_up();
  const RunResult result = run->execute();
  const RunRecord& record = result.record;
  ASSERT_TRUE(calibration.seconds(result));
  ASSERT_GT(record.work.rows, 0U);
  const double parallelism =
      static_cast<double>(record.work.turns) / static_cast<double>(record.wall.longest_turns);
  EXPECT_NEAR(parallelism, 2, 0.1);
  const double shared = 1e-7 * static_cast<double>(record.messages_sent + record.work.copies) +
                        1e-8 * static_cast<double>(record.work.copied * record.block_bytes);
  EXPECT_DOUBLE_EQ(*calibration.seconds(result),
                   1e-6 * static_cast<double>(record.steps) + shared / parallelism);
  EXPECT_EQ(calibration.no_prediction(result), "");
}

/// The footprint and the promise say all: a message in every step, of one length.
TEST(CalibrationTest, ExpectsTheWorkThatTheMachineCounts) {
  RunRequest single = star();
  single.settings["k"] = Numbers{1};
  const auto known = prepare(single);
  const HostWork expected = catalog::expected_work(known->forecast());
  const RunResult result = known->execute();
  const HostWork counted = catalog::host_work(result.forecast, result.record);
  EXPECT_EQ(expected.alone[HostKind::step], counted.alone[HostKind::step]);
  EXPECT_EQ(expected.shared[HostKind::row_load], counted.shared[HostKind::row_load]);
  EXPECT_EQ(expected.shared[HostKind::loaded_byte], counted.shared[HostKind::loaded_byte]);
  EXPECT_EQ(expected.shared[HostKind::checked_byte], counted.shared[HostKind::checked_byte]);
  const auto about = [&](HostKind kind) {
    EXPECT_LE(0.6 * expected.shared[kind], counted.shared[kind]) << info_of(kind).name;
    EXPECT_GE(1.7 * expected.shared[kind], counted.shared[kind]) << info_of(kind).name;
  };
  about(HostKind::row_block);
  about(HostKind::copied_byte);
  EXPECT_NEAR(expected.parallelism, counted.parallelism, 0.1);
}

/// Also where they travel in parts, which are delivered together.
TEST(CalibrationTest, ExpectsTheResultsOfReductionsThatTheMachineCounts) {
  std::size_t in_parts = 0;
  for (const std::string network : {"star:4", "hypercube:4", "torus:4x4", "ej:1+2^2", "linear:5",
                                    "fat-tree:2^3", "xgft:2;3,2;2,1", "petersen"})
    for (const OperationInfo& info : operation_catalog())
      for (const AlgorithmInfo& algorithm : algorithms_for(AnyTopology(network), info.operation)) {
        if (!is_reduction(info.operation) ||
            std::ranges::any_of(algorithm.parameters, &Parameter::required))
          continue;
        SCOPED_TRACE(fmt::format("{} {} {}", network, name_of(info.operation), algorithm.name));
        const RunRequest request{.topology = network,
                                 .operation = info.operation,
                                 .algorithm = std::string(algorithm.name)};
        const auto run = prepare(request);
        const HostWork expected = catalog::expected_work(run->forecast());
        const RunResult result = run->execute();
        const HostWork counted = catalog::host_work(result.forecast, result.record);
        const auto loads = [](const HostWork& work) {
          return work.shared[HostKind::load] + work.shared[HostKind::row_load];
        };
        // A scan may load a vector twice.
        EXPECT_LE(loads(expected), loads(counted)) << "loads";
        EXPECT_LE(loads(counted), 2 * loads(expected)) << "loads";
        EXPECT_EQ(expected.shared[HostKind::checked_byte], counted.shared[HostKind::checked_byte])
            << "deliveries";
        EXPECT_EQ(expected.alone[HostKind::contribution], counted.alone[HostKind::contribution]);
        if (run->forecast().parts_per_message() != 1) ++in_parts;
      }
  EXPECT_GE(in_parts, 2U);
}

TEST(CalibrationTest, SaysWhyATimeIsNotPredicted) {
  const auto run = prepare(star());
  Calibration calibration = made_up();
  const HostWork work = catalog::expected_work(run->forecast());
  EXPECT_TRUE(calibration.seconds(run->forecast(), work));
  calibration.model.runs[HostKind::row_load] = 0;
  EXPECT_FALSE(calibration.seconds(run->forecast(), work));
  EXPECT_THAT(calibration.no_prediction(run->forecast(), work),
              HasSubstr("no run of the calibration had such work: a block that a host gives"));
  RunRequest other = star();
  other.executor = ExecutorKind::serial;
  const auto serial = prepare(other);
  EXPECT_FALSE(made_up().seconds(serial->forecast(), catalog::expected_work(serial->forecast())));
  EXPECT_THAT(made_up().no_prediction(serial->forecast(), work), HasSubstr("executor serial"));
  EXPECT_EQ(made_up().no_prediction(run->forecast(), {}), "the run has no steps");
}

/// Channels, workers and checks add work of their own; the rest is the same.
TEST(CalibrationTest, WorkDependsOnChannelsAndChecks) {
  const auto work = [](void (*const change)(RunRequest&)) {
    RunRequest request = star();
    change(request);
    const RunResult result = prepare(request)->execute();
    return catalog::host_work(result.forecast, result.record);
  };
  const HostWork usual = work([](RunRequest&) {});
  EXPECT_GT(usual.shared[HostKind::checked_byte], 0);
  EXPECT_EQ(usual.shared[HostKind::queued_message], 0);
  EXPECT_GT(usual.alone[HostKind::barrier], 0);
  const HostWork unchecked = work([](RunRequest& r) { r.verify = VerifyKind::off; });
  EXPECT_EQ(unchecked.shared[HostKind::checked_byte], 0);
  EXPECT_EQ(unchecked.shared[HostKind::loaded_byte], usual.shared[HostKind::loaded_byte]);
  const HostWork queued = work([](RunRequest& r) { r.channel = ChannelKind::spsc; });
  EXPECT_GT(queued.shared[HostKind::queued_message], 0);
  EXPECT_EQ(queued.shared[HostKind::copied_byte], usual.shared[HostKind::copied_byte]);
  const HostWork alone = work([](RunRequest& r) { r.workers = 1, r.processors_per_task = 0; });
  EXPECT_EQ(alone.alone[HostKind::barrier], 0);
  EXPECT_EQ(alone.parallelism, 1);
  EXPECT_EQ(alone.shared[HostKind::row_block], usual.shared[HostKind::row_block]);
}

/// A broadcast that the machine of single receptions runs.
TEST(CalibrationTest, NodesThatReceiveOnceAreAKindOfTheirOwn) {
  const RunResult result =
      prepare({.topology = "ej:1+2^2", .operation = Operation::broadcast, .algorithm = "improved"})
          ->execute();
  ASSERT_TRUE(result.forecast.receive_once);
  const HostWork work = catalog::host_work(result.forecast, result.record);
  EXPECT_EQ(work.shared[HostKind::once_turn], 49);
  EXPECT_EQ(work.shared[HostKind::message], 0);
  EXPECT_EQ(work.shared[HostKind::checked_byte], 48.0 * 64);
  EXPECT_EQ(catalog::expected_work(result.forecast).shared[HostKind::once_turn], 48);
}

TEST(CalibrationTest, SurvivesItsFile) {
  const fs::path folder =
      fs::path(testing::TempDir()) / ("calibration_" + std::to_string(getpid()));
  const fs::path file = folder / "deep" / "calibration.json";
  const Calibration calibration = made_up();
  write_file(file, json_of(calibration));
  const Calibration read = loaded(file);
  EXPECT_EQ(json_of(read), json_of(calibration));
  EXPECT_EQ(read.refusal(provenance({}), host_caches()), "");
  std::ofstream(file) << "{";
  EXPECT_THROW((void)loaded(file), InvalidParameter);
  fs::remove_all(folder);
}

/// A number that no calibration writes is named; the file is not used, and says so.
TEST(CalibrationTest, TrustsNoNumber) {
  using Json = nlohmann::ordered_json;
  const fs::path folder = fs::path(testing::TempDir()) / ("trust_" + std::to_string(getpid()));
  ASSERT_EQ(setenv("XDG_CONFIG_HOME", folder.c_str(), 1), 0);
  const Json good = Json::parse(json_of(made_up()));
  const auto refusal = [&](const std::string& text) -> std::string {
    write_file(calibration_path(), text);
    try {
      (void)loaded(calibration_path());
    } catch (const InvalidParameter& refused) {
      EXPECT_FALSE(known_calibration().calibration);
      EXPECT_THAT(known_calibration().note, HasSubstr(refused.what()));
      EXPECT_THAT(refused.what(), testing::Not(HasSubstr("\n")));
      return refused.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(good.dump()), "accepted");
  EXPECT_EQ(refusal("\xEF\xBB\xBF" + good.dump()), "accepted");
  std::vector<std::string> numbers{"/host/cores",        "/host/l2_bytes",
                                   "/cached_bytes",      "/median_error",
                                   "/samples/0/seconds", "/samples/0/memory_bytes",
                                   "/samples/0/spread",  "/samples/0/parallelism"};
  for (std::size_t k = 0; k < host_kinds; ++k)
    for (const std::string_view part : {"value", "low", "high", "runs"})
      numbers.push_back(fmt::format("/seconds_per/{}/{}", key_of(static_cast<HostKind>(k)), part));
  for (const std::string& number : numbers) {
    for (const Json& wrong : {Json(-1), Json(-1e-9), Json(), Json("1"), Json(true)}) {
      Json json = good;
      json[Json::json_pointer(number)] = wrong;
      EXPECT_THAT(refusal(json.dump()), HasSubstr("is damaged (")) << number << " " << wrong;
    }
    Json json = good;
    const Json::json_pointer place(number);
    json[place.parent_pointer()].erase(place.back());
    EXPECT_THAT(refusal(json.dump()), HasSubstr("is damaged (")) << number;
  }
  Json json = good;
  json["/samples/0/shared/copied_byte"_json_pointer] = -1;
  EXPECT_THAT(refusal(json.dump()), HasSubstr("samples[0].shared.copied_byte is -1; expected"));
  json = good;
  json["/seconds_per/copied_byte/value"_json_pointer] = -1;
  EXPECT_THAT(refusal(json.dump()),
              HasSubstr("seconds_per.copied_byte.value is -1; expected a number from 9e-09 to"));
  for (const double absurd : {1e3, 1e300, 0.5e-8}) {  // the last one lies below its interval
    json["/seconds_per/copied_byte/value"_json_pointer] = absurd;
    EXPECT_THAT(refusal(json.dump()), HasSubstr("seconds_per.copied_byte.value is"));
  }
  std::string text = good.dump();
  text.replace(text.find("1e-07"), 5, "1e999");
  EXPECT_THAT(refusal(text), HasSubstr("is damaged ("));
  for (std::size_t end = 0; end < good.dump().size(); end += 37)
    EXPECT_NE(refusal(good.dump().substr(0, end)), "accepted") << end;
  fs::remove(calibration_path());
  fs::create_directories(calibration_path());
  EXPECT_THAT(known_calibration().note, HasSubstr("is no regular file"));
  fs::remove_all(folder);
}

TEST(CalibrationTest, OfAnotherHostOrBuildDoesNotCount) {
  const Calibration calibration = made_up();
  Provenance other = provenance({});
  other.cpu = "another CPU";
  EXPECT_THAT(calibration.refusal(other, host_caches()), HasSubstr("on another host"));
  EXPECT_THAT(calibration.refusal(provenance({}), {1, 2}), HasSubstr("on another host"));
  other = provenance({});
  other.build += " -O0";
  EXPECT_THAT(calibration.refusal(other, host_caches()), HasSubstr("by another build"));
}

TEST(CalibrationTest, IsKeptInTheFolderOfTheUser) {
  const fs::path folder = fs::path(testing::TempDir()) / ("config_" + std::to_string(getpid()));
  ASSERT_EQ(setenv("XDG_CONFIG_HOME", folder.c_str(), 1), 0);
  EXPECT_EQ(calibration_path(), folder / "lockstep/calibration.json");
  EXPECT_FALSE(known_calibration().calibration);
  EXPECT_EQ(known_calibration().note, "");
  Calibration calibration = made_up();
  write_file(calibration_path(), json_of(calibration));
  EXPECT_TRUE(known_calibration().calibration);
  calibration.made.cpu = "another CPU";
  write_file(calibration_path(), json_of(calibration));
  EXPECT_FALSE(known_calibration().calibration);
  EXPECT_THAT(known_calibration().note, HasSubstr("run `lockstep calibrate`"));
  fs::remove_all(folder);
}

TEST(CalibrationTest, SweepsAndComparisonsShowPredictions) {
  const Calibration calibration = made_up();
  for (const bool calibrated : {false, true}) {
    RunSeries series({star()}, {.calibration = calibrated ? &calibration : nullptr});
    Sweep sweep(series, {});
    std::string text;
    (void)sweep.json([&](const std::string& json) { text += json; }, {});
    EXPECT_EQ(text.find("wall_predicted_seconds") != std::string::npos, calibrated);
    RunSeries again({star()}, {.calibration = calibrated ? &calibration : nullptr});
    const Comparison comparison = compare(again, {});
    EXPECT_EQ(csv_of(comparison).find("wall_measured_over_predicted") != std::string::npos,
              calibrated);
    EXPECT_EQ(text_of(comparison).find("measured/predicted") != std::string::npos, calibrated);
  }
}

/// t_s and t_m of the host give the time that the model predicts.
TEST(CalibrationTest, TheHostsOwnCostsAddUpToThePrediction) {
  RunRequest request = star(64);
  request.settings["k"] = Numbers{2};
  const auto run = prepare(request);
  const RunForecast& forecast = run->forecast();
  const Calibration calibration = made_up();
  const auto costs = host_costs(calibration, forecast);
  ASSERT_TRUE(costs);
  const double time = costs->t_s.seconds * static_cast<double>(forecast.predicted->startups) +
                      costs->t_m.seconds * forecast.predicted->message_times.value();
  EXPECT_NEAR(time, *calibration.seconds(forecast, catalog::expected_work(forecast)), 1e-12);
  EXPECT_LT(costs->t_s.low, costs->t_s.seconds);
  EXPECT_GT(costs->t_m.high, costs->t_m.seconds);
}

TEST(CalibrationTest, TheSameSeedDrawsTheSameRuns) {
  const auto names = [](std::uint64_t seed) {
    RunDraws draws(seed, {1, 2});
    std::vector<std::string> drawn;
    for (int i = 0; i < 40; ++i) drawn.push_back(describe(draws.next()));
    return drawn;
  };
  EXPECT_EQ(names(1), names(1));
  EXPECT_NE(names(1), names(2));
}

/// Every algorithm that runs without something of the user's own is drawn before one is drawn
/// again, but for the few that none of the networks drawn for it supports.
TEST(CalibrationTest, DrawsFromTheWholeCatalogue) {
  RunDraws draws(1, {1});
  std::set<std::pair<Operation, std::string>> drawn;
  std::set<std::pair<Operation, std::string>> all;
  for (const AlgorithmEntry& entry : algorithm_catalog())
    all.insert({entry.info.operation, std::string(entry.info.name)});
  for (std::size_t i = 0; i < algorithm_catalog().size(); ++i) {
    const RunRequest request = draws.next();
    drawn.insert({request.operation, request.algorithm});
  }
  EXPECT_GT(10 * drawn.size(), 8 * all.size()) << drawn.size() << " of " << all.size();
}

/// A moment of each, without a look at how long it took.
TEST(CalibrationTest, MeasuresDrawnRuns) {
  const std::vector<HostSample> samples =
      measured({.seconds = 1, .repeats = 1, .workers = {1, 2}, .judged = 5, .judge_seed = 3});
  std::set<std::string> names;
  std::size_t judged = 0;
  for (const HostSample& sample : samples) {
    EXPECT_GT(sample.seconds, 0) << sample.run;
    EXPECT_GT(sample.work.alone[HostKind::step], 0) << sample.run;
    EXPECT_TRUE(names.insert(sample.run).second) << sample.run;
    judged += static_cast<std::size_t>(sample.judged);
  }
  EXPECT_EQ(judged, 5U);
  EXPECT_GT(samples.size(), host_kinds + 5);  // enough for a fit, however slow the host is
}

TEST(CalibrationTest, WarnsOfAModelThatDoesNotExplainItsRuns) {
  Calibration calibration = made_up();
  EXPECT_EQ(warning_of(calibration), "");
  calibration.model.median_error = 0.25;
  EXPECT_THAT(warning_of(calibration), HasSubstr("median error of 25 %, above 20 %"));
  EXPECT_THAT(text_of(calibration), HasSubstr("a copy or message of a node in a row"));
}

}  // namespace
}  // namespace lockstep::study
