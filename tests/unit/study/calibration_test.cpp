// SPDX-License-Identifier: Apache-2.0
#include "study/calibration.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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
#include "study/sweep.hpp"

namespace lockstep::study {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// A model of runs like star:4 total-exchange: a microsecond per step, 100 ns per message and
/// worker, 10 ns per byte of one.
Calibration made_up(const RunForecast& run) {
  Calibration made{.made = provenance({}), .caches = host_caches(), .date = "2026-11-23T21:05:00Z"};
  HostFit fit{.regime = regime_of(run, made.caches), .r_squared = 0.99, .samples = 40};
  fit.times[0] = {1e-6, 0.9e-6, 1.1e-6};
  fit.times[1] = {1e-7, 0.9e-7, 1.1e-7};
  fit.times[3] = {1e-8, 0.9e-8, 1.1e-8};
  made.model.fits.push_back(fit);
  made.model.samples.push_back({"a run", fit.regime, {1, 2, 3, 4, 5, 6}, 1.12e-6});  // as fitted
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

double expected_seconds(const RunRecord& record) {
  const auto hops = static_cast<double>(record.messages_sent);
  return 1e-6 * static_cast<double>(record.steps) + 1e-7 * hops / 2 +
         1e-8 * static_cast<double>(record.bytes_moved()) / 2;
}

TEST(CalibrationTest, PredictsARunFromItsCounts) {
  const auto run = prepare(star());
  const Calibration calibration = made_up(run->forecast());
  const RunResult result = run->execute();
  ASSERT_TRUE(calibration.seconds(result));
  EXPECT_DOUBLE_EQ(*calibration.seconds(result), expected_seconds(result.record));
  // A promise of every hop, and of blocks where all messages are alike.
  RunRequest single = star();
  single.settings["k"] = Numbers{1};
  const auto known = prepare(single);
  const RunResult counted = known->execute();
  EXPECT_EQ(expected_work(known->forecast()), work_of(counted.record));
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
        const HostWork expected = expected_work(run->forecast());
        const HostWork counted = work_of(run->execute().record);
        // A scan may load a vector twice.
        EXPECT_LE(expected[4], counted[4]) << "loads";
        EXPECT_LE(counted[4], 2 * expected[4]) << "loads";
        EXPECT_EQ(expected[5], counted[5]) << "deliveries";
        if (run->forecast().parts_per_message() != 1) ++in_parts;
      }
  EXPECT_GE(in_parts, 2U);
}

TEST(CalibrationTest, OneWorkerRunsAStepOfASmallNetwork) {
  const auto workers = [](const std::string& topology) {
    RunRequest request{.topology = topology, .workers = 2};
    return regime_of(prepare(request)->forecast(), host_caches()).workers;
  };
  EXPECT_EQ(workers("star:4"), 1U);
  EXPECT_EQ(workers("hypercube:8"), 1U);
  EXPECT_EQ(workers("hypercube:9"), 2U);
}

TEST(CalibrationTest, SaysNothingOfOtherRegimesAndExecutors) {
  const auto run = prepare(star());
  const Calibration calibration = made_up(run->forecast());
  for (void (*const change)(RunRequest&) :
       {+[](RunRequest& request) { request.workers = 1; },
        +[](RunRequest& request) { request.verify = VerifyKind::off; },
        +[](RunRequest& request) { request.executor = ExecutorKind::serial; },
        +[](RunRequest& request) { request.channel = ChannelKind::spsc; }}) {
    RunRequest other = star();
    change(other);
    const auto prepared = prepare(other);
    EXPECT_FALSE(calibration.seconds(prepared->forecast(), expected_work(prepared->forecast())));
  }
}

TEST(CalibrationTest, SurvivesItsFile) {
  const fs::path folder =
      fs::path(testing::TempDir()) / ("calibration_" + std::to_string(getpid()));
  const fs::path file = folder / "deep" / "calibration.json";
  const Calibration calibration = made_up(prepare(star())->forecast());
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
  const Json good = Json::parse(json_of(made_up(prepare(star())->forecast())));
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
  std::vector<std::string> numbers{"/host/cores",      "/host/l2_bytes",     "/fits/0/workers",
                                   "/fits/0/samples",  "/samples/0/seconds", "/samples/0/bytes",
                                   "/samples/0/spread"};
  for (const std::string_view term : host_term_names) {
    for (const std::string_view part : {"value", "low", "high"})
      numbers.push_back(fmt::format("/fits/0/seconds_per/{}/{}", term, part));
    numbers.push_back(fmt::format("/samples/0/work/{}", term));
  }
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
  json["/fits/0/seconds_per/byte/value"_json_pointer] = -1;
  EXPECT_THAT(refusal(json.dump()),
              HasSubstr("fits[0].seconds_per.byte.value is -1; expected a number from 9e-09 to"));
  for (const double absurd : {1e3, 1e300, 0.5e-8}) {  // the last one lies below its interval
    json["/fits/0/seconds_per/byte/value"_json_pointer] = absurd;
    EXPECT_THAT(refusal(json.dump()), HasSubstr("fits[0].seconds_per.byte.value is"));
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
  const Calibration calibration = made_up(prepare(star())->forecast());
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
  Calibration calibration = made_up(prepare(star())->forecast());
  write_file(calibration_path(), json_of(calibration));
  EXPECT_TRUE(known_calibration().calibration);
  calibration.made.cpu = "another CPU";
  write_file(calibration_path(), json_of(calibration));
  EXPECT_FALSE(known_calibration().calibration);
  EXPECT_THAT(known_calibration().note, HasSubstr("run `lockstep calibrate`"));
  fs::remove_all(folder);
}

TEST(CalibrationTest, SweepsAndComparisonsShowPredictions) {
  const Calibration calibration = made_up(prepare(star())->forecast());
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
  const Calibration calibration = made_up(forecast);
  const auto costs = host_costs(calibration, forecast);
  ASSERT_TRUE(costs);
  const double time = costs->t_s.seconds * static_cast<double>(forecast.predicted->startups) +
                      costs->t_m.seconds * forecast.predicted->message_times.value();
  EXPECT_NEAR(time, *calibration.seconds(forecast, expected_work(forecast)), 1e-12);
  EXPECT_LT(costs->t_s.low, costs->t_s.seconds);
  EXPECT_GT(costs->t_m.high, costs->t_m.seconds);
}

TEST(CalibrationTest, DesignedRunsAreOtherRunsThanThoseThatJudgeThem) {
  std::set<std::pair<std::string_view, std::string_view>> designed;
  for (const DesignedRun& run : calibration_runs()) designed.insert({run.topology, run.algorithm});
  for (const DesignedRun& run : check_runs())
    EXPECT_EQ(designed.count({run.topology, run.algorithm}), 0U);
}

TEST(CalibrationTest, DesignedRunsArePossible) {
  std::vector<DesignedRun> runs = check_runs();
  runs.insert(runs.end(), calibration_runs().begin(), calibration_runs().end());
  for (const DesignedRun& run : runs)
    EXPECT_NO_THROW((void)prepare(request_of(run, 8))) << run.topology << ' ' << run.algorithm;
}

/// A moment of each, without a look at how long it took.
TEST(CalibrationTest, MeasuresDesignedRuns) {
  constexpr std::array runs{
      DesignedRun{"star:4", Operation::total_exchange, "packing", "k=2", true},
      DesignedRun{"mesh:3x3", Operation::broadcast, "tree"},
      DesignedRun{"mesh:3x3", Operation::broadcast, "no such algorithm"}};
  const std::vector<HostSample> samples =
      measured(runs, {.seconds = 4, .repeats = 1, .workers = {1}, .block_bytes = {8, 64}});
  std::set<std::string> channels;
  for (const HostSample& sample : samples) {
    EXPECT_GT(sample.seconds, 0) << sample.run;
    EXPECT_GT(sample.work[0], 0) << sample.run;
    channels.insert(sample.regime.channel);
  }
  EXPECT_GE(samples.size(), 8U);
  EXPECT_EQ(channels.count("slot"), 1U);
  EXPECT_GE(channels.size(), 2U);
}

/// A microsecond per step; ten runs to fit a model to.
std::vector<HostSample> samples_to_fit() {
  std::vector<HostSample> samples;
  for (int i = 1; i <= 10; ++i)
    samples.push_back({.run = std::to_string(i),
                       .regime = {"slot", "groups", true, 1, "L2"},
                       .work = {100.0 * i},
                       .seconds = 1e-4 * i});
  return samples;
}

TEST(PredictionCheckTest, TellsErrorsAndDrawsThem) {
  std::vector<HostSample> samples = samples_to_fit();
  HostSample sample = samples[0];
  sample.judged = true;
  for (int i = 0; i < 10; ++i) {
    sample.seconds = i == 9 ? 1e-3 : 1e-4;  // one of ten is ten times as long
    samples.insert(samples.begin(), sample);
  }
  sample.run = "unknown";
  sample.regime.channel = "spsc";
  samples.push_back(sample);
  const PredictionCheck check = checked(samples, {});
  EXPECT_EQ(check.runs.size(), 10U);
  EXPECT_EQ(check.not_predicted.size(), 1U);
  EXPECT_NEAR(check.median_error(), 0, 1e-9);
  EXPECT_NEAR(check.worst_decile_error(), 0, 1e-9);
  EXPECT_TRUE(check.passes());
  EXPECT_FALSE(check.drift());
  const std::string text = text_of(check);
  EXPECT_THAT(text, HasSubstr("not calibrated: unknown"));
  EXPECT_THAT(text, HasSubstr("predicted\n"));
  EXPECT_THAT(text, HasSubstr("10 predictions: median 0.0 %"));
  EXPECT_EQ(std::count(text.begin(), text.end(), 'o') >= 2, true);
}

/// The saved calibration is of a faster hour: its runs tell, and the model is of now.
TEST(PredictionCheckTest, TellsHowMuchSlowerTheHostHasBecome) {
  const std::vector<HostSample> earlier = samples_to_fit();
  std::vector<HostSample> samples = earlier;
  for (HostSample& sample : samples) sample.seconds *= 1.5;
  samples[2].work = {1};  // fewer steps than then: tells nothing
  samples[2].seconds = 1.5e-6;
  samples.push_back(samples[0]);
  samples.back().judged = true;
  const PredictionCheck check = checked(samples, earlier);
  ASSERT_EQ(check.runs.size(), 1U);
  EXPECT_EQ(check.drifts.size(), 9U);
  EXPECT_NEAR(check.drift().value(), 1.5, 1e-12);
  EXPECT_NEAR(check.median_error(), 0, 1e-9);
  EXPECT_THAT(text_of(check),
              HasSubstr("9 runs of the saved calibration now take 1.50 times as long"));
}

/// Ten runs that take twice as long as similar runs let a model expect.
TEST(PredictionCheckTest, FailsWherePredictionsAreWrong) {
  std::vector<HostSample> samples = samples_to_fit();
  for (int i = 0; i < 10; ++i) {
    samples.push_back(samples[static_cast<std::size_t>(i)]);
    samples.back().judged = true;
    samples.back().seconds *= 2;
  }
  const PredictionCheck check = checked(samples, {});
  EXPECT_NEAR(check.median_error(), 0.5, 1e-9);
  EXPECT_FALSE(check.passes());
  EXPECT_THAT(text_of(check), HasSubstr("median 50.0 % (at most 20 %), worst decile 50.0 % "
                                        "(at most 50 %): NOT REACHED"));
  EXPECT_FALSE(PredictionCheck{}.passes());
}

TEST(PredictionCheckTest, WarnsOfRegimesThatAreNotExplained) {
  Calibration calibration = made_up(prepare(star())->forecast());
  EXPECT_TRUE(warnings_of(calibration).empty());
  calibration.model.fits[0].r_squared = 0.9;
  ASSERT_EQ(warnings_of(calibration).size(), 1U);
  EXPECT_THAT(warnings_of(calibration)[0],
              HasSubstr("row, groups, permutations, verified, 2 workers, L2"));
  EXPECT_THAT(text_of(calibration), HasSubstr("row"));
}

}  // namespace
}  // namespace lockstep::study
