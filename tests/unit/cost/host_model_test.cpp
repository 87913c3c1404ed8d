// SPDX-License-Identifier: Apache-2.0
/// The fit of the host model, to made-up times: no clock is looked at.

#include "cost/host_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

const HostRegime regime{"slot", "groups", true, 2, "L2"};

/// The times of a host with these times per unit for runs over five decades of bytes, each off by
/// at most `noise` of its time.
std::vector<HostSample> samples_of(const HostWork& times, double noise, std::size_t count = 60) {
  test::Random random{7};
  std::vector<HostSample> samples;
  for (std::size_t i = 0; i < count; ++i) {
    const auto up_to = [&](std::uint64_t most) {
      return static_cast<double>(test::uniform(random, 1, most));
    };
    const double messages = up_to(1'000'000);
    const double blocks = messages * up_to(20);
    const double bytes = blocks * std::pow(10, up_to(5));
    const double deliveries = blocks / up_to(6);
    const double loads = deliveries / up_to(9);
    HostSample sample{.run = std::to_string(i),
                      .regime = regime,
                      .work = {up_to(10'000), messages, blocks, bytes, loads, deliveries,
                               (loads + deliveries) * bytes / blocks}};
    for (std::size_t t = 0; t < host_terms; ++t)
      sample.seconds += times.at(t) * sample.work.at(t) / (t == 0 ? 1 : 2);
    sample.seconds *= 1 + noise * (up_to(2001) - 1001) / 1000;
    samples.push_back(sample);
  }
  return samples;
}

constexpr HostWork truth{2e-6, 5e-9, 2e-9, 3e-11, 9e-9, 7e-9, 6e-11};

TEST(HostModel, RecoversTheTimesOfANoiselessHost) {
  const HostFit fit = fitted(samples_of(truth, 0)).front();
  for (std::size_t t = 0; t < host_terms; ++t)
    EXPECT_NEAR(fit.times.at(t).seconds, truth.at(t), 1e-6 * truth.at(t)) << host_term_names.at(t);
  EXPECT_NEAR(fit.r_squared, 1, 1e-9);
  EXPECT_EQ(fit.samples, 60U);
  EXPECT_EQ(fit.outliers, 0U);
}

TEST(HostModel, IntervalsHoldTheTimesOfANoisyHost) {
  const HostFit fit = fitted(samples_of(truth, 0.05, 300)).front();
  for (std::size_t t = 0; t < host_terms; ++t) {
    const HostTime& time = fit.times.at(t);
    EXPECT_LE(time.low, time.seconds);
    EXPECT_LE(time.seconds, time.high);
    const double half = time.high - time.seconds;  // twice the interval: 7 of them, none by chance
    EXPECT_NEAR(time.seconds, truth.at(t), 2 * half) << host_term_names.at(t);
  }
  EXPECT_GT(fit.r_squared, 0.95);
  EXPECT_LT(fit.median_error, 0.05);
}

TEST(HostModel, LeavesOutliersOut) {
  std::vector<HostSample> samples = samples_of(truth, 0.01);
  for (const std::size_t late : {3U, 17U, 40U}) samples[late].seconds *= 3;
  const HostFit fit = fitted(samples).front();
  EXPECT_GE(fit.outliers, 3U);
  EXPECT_LE(fit.outliers, 6U);
  EXPECT_EQ(fit.samples + fit.outliers, samples.size());
  for (const std::size_t i : {0U, 10U, 20U, 50U})
    EXPECT_NEAR(fit.seconds(samples[i].work), samples[i].seconds, 0.05 * samples[i].seconds) << i;
}

TEST(HostModel, NoTimeIsNegative) {
  const HostWork without{2e-6, 5e-9, 0, 3e-11, 0, 0, 0};
  const HostFit fit = fitted(samples_of(without, 0.1)).front();
  for (const HostTime& time : fit.times) EXPECT_GE(time.low, 0);
  EXPECT_NEAR(fit.times[3].seconds, 3e-11, 3e-12);
}

TEST(HostModel, TimesThatDoNotDependOnTheWorkAreNotExplained) {
  std::vector<HostSample> samples = samples_of(truth, 0);
  test::Random random{11};
  for (HostSample& sample : samples)
    sample.seconds = static_cast<double>(test::uniform(random, 1, 1000));
  EXPECT_LT(fitted(samples).front().r_squared, least_r_squared);
}

TEST(HostModel, NeedsMoreRunsThanTimes) {
  EXPECT_THROW((void)fitted(samples_of(truth, 0, host_terms)), InvalidParameter);
}

TEST(HostModel, MemoriesShareTheTimesOfTheProcessor) {
  // Runs in memory differ in bytes only; those in L2 tell the other times.
  std::vector<HostSample> samples = samples_of(truth, 0);
  HostWork slower = truth;
  slower[3] *= 3;
  for (HostSample far : samples_of(slower, 0, 8)) {
    far.regime.memory = "memory";
    samples.push_back(far);
  }
  const std::vector<HostFit> fits = fitted(samples);
  ASSERT_EQ(fits.size(), 2U);
  EXPECT_EQ(fits[0].regime, regime);
  EXPECT_EQ(fits[1].regime.memory, "memory");
  EXPECT_EQ(fits[0].samples, 60U);
  EXPECT_EQ(fits[1].samples, 8U);
  for (std::size_t t = 0; t < host_terms; ++t) {
    EXPECT_NEAR(fits[0].times.at(t).seconds, truth.at(t), 1e-5 * truth.at(t)) << host_term_names[t];
    EXPECT_NEAR(fits[1].times.at(t).seconds, slower.at(t), 1e-5 * slower.at(t))
        << host_term_names[t];
  }
}

TEST(HostModel, LargerMemoriesAreNotFaster) {
  std::vector<HostSample> samples = samples_of(truth, 0.05);
  for (HostSample far : samples_of(truth, 0.05, 30)) {
    far.regime.memory = "L3";
    far.seconds *= 0.9;
    samples.push_back(far);
  }
  const std::vector<HostFit> fits = fitted(samples);
  ASSERT_EQ(fits.size(), 2U);
  for (std::size_t t = 0; t < host_terms; ++t)
    EXPECT_GE(fits[1].times.at(t).seconds, fits[0].times.at(t).seconds) << host_term_names[t];
}

TEST(HostModel, PredictsSumsOfWork) {
  const HostFit fit = fitted(samples_of(truth, 0)).front();
  EXPECT_NEAR(fit.seconds({10, 0, 0, 0, 0, 0}), 20e-6, 1e-10);
  EXPECT_NEAR(fit.seconds({0, 1000, 0, 0, 0, 0}), 2.5e-6, 1e-11);  // two workers
}

/// Runs of one kind take twice the fitted time, those of another kind take the fitted time.
TEST(HostModel, CorrectsPredictionsByWhatSimilarRunsTook) {
  HostModel model{{HostFit{.regime = regime}}};
  model.fits[0].times[1] = {2e-9, 2e-9, 2e-9};  // 1 ns per message and worker
  const HostWork slow{10, 1000, 8000, 64000, 1000, 1000};
  const HostWork usual{10, 1000, 1000, 1000000, 10, 10};
  for (int i = 0; i < 4; ++i) {
    model.samples.push_back({.regime = regime, .work = slow, .seconds = 2e-6, .bytes = 4096});
    model.samples.push_back({.regime = regime, .work = usual, .seconds = 1e-6, .bytes = 4096});
  }
  const auto ten_times = [](HostWork work) {
    for (double& x : work) x *= 10;
    return work;
  };
  EXPECT_NEAR(*model.seconds(regime, ten_times(slow), 4096), 2e-5, 1e-6);
  EXPECT_NEAR(*model.seconds(regime, ten_times(usual), 4096), 1e-5, 1e-7);
  HostWork other = slow;
  other[2] = 1e9;  // blocks: like no run that was measured
  EXPECT_NEAR(*model.seconds(regime, other, 4096), 1e-6, 1e-9);
  HostRegime unknown = regime;
  unknown.loop = "routes";
  EXPECT_FALSE(model.seconds(unknown, slow, 4096));
  EXPECT_EQ(model.correction(unknown, slow, 4096), 1);
}

TEST(HostModel, IsFittedByRegime) {
  std::vector<HostSample> samples = samples_of(truth, 0);
  for (HostSample other : samples_of(truth, 0, 20)) {
    other.regime.loop = "nodes";
    samples.push_back(other);
  }
  samples.push_back({.regime = {"spsc", "nodes", true, 1, "L2"}, .work = {1}, .seconds = 1});
  const HostModel model = model_of(samples);
  ASSERT_EQ(model.fits.size(), 2U);  // one run is not enough for a third
  EXPECT_FALSE(model.seconds(samples.back().regime, samples.back().work, 0));
  EXPECT_EQ(model.samples.size(), 81U);
  EXPECT_NEAR(*model.seconds(samples[3].regime, samples[3].work, 0), samples[3].seconds,
              1e-6 * samples[3].seconds);
}

TEST(HostModel, TakesTheNextMemoryWhereOneIsNotCalibrated) {
  const auto of = [](const std::string& memory) {
    HostRegime other = regime;
    other.memory = memory;
    return other;
  };
  const HostModel model{{HostFit{.regime = of("L2")}, HostFit{.regime = of("memory")}}};
  EXPECT_EQ(model.fit_of(of("L2"))->regime.memory, "L2");
  EXPECT_EQ(model.fit_of(of("L3"))->regime.memory, "memory");
  EXPECT_EQ(model.fit_of(of("memory"))->regime.memory, "memory");
  HostRegime unknown = regime;
  unknown.loop = "routes";
  EXPECT_EQ(model.fit_of(unknown), nullptr);
  unknown = regime;
  unknown.workers = 1;
  EXPECT_EQ(model.fit_of(unknown), nullptr);
}

TEST(HostModel, MemoriesAreThoseOfTheCoresThatWork) {
  const HostCaches caches{1000, 10000};
  EXPECT_EQ(caches.memory_of(1000, 1), "L2");
  EXPECT_EQ(caches.memory_of(1001, 1), "L3");
  EXPECT_EQ(caches.memory_of(2000, 2), "L2");
  EXPECT_EQ(caches.memory_of(10000, 2), "L3");
  EXPECT_EQ(caches.memory_of(10001, 2), "memory");
}

TEST(HostModel, CachesAreThoseThatTheKernelShows) {
  namespace fs = std::filesystem;
  const fs::path cpus = fs::path(testing::TempDir()) / "host_model_test_cpus";
  const auto write = [&](unsigned cpu, unsigned index, const char* level, const char* size,
                         const char* shared) {
    const fs::path cache =
        cpus / ("cpu" + std::to_string(cpu)) / "cache" / ("index" + std::to_string(index));
    fs::create_directories(cache);
    std::ofstream(cache / "level") << level << '\n';
    std::ofstream(cache / "size") << size << '\n';
    std::ofstream(cache / "shared_cpu_list") << shared << '\n';
  };
  fs::remove_all(cpus);
  const HostCaches typical = host_caches(cpus);
  EXPECT_GT(typical.l2_bytes, 0U);
  EXPECT_GT(typical.l3_bytes, typical.l2_bytes);
  for (unsigned cpu = 0; cpu < 4; ++cpu) {
    write(cpu, 0, "1", "32K", "0");
    write(cpu, 1, "2", "512K", "0");
    write(cpu, 2, "3", "16384K", cpu < 2 ? "0-1" : "2-3");
  }
  EXPECT_EQ(host_caches(cpus), (HostCaches{512U << 10U, 32U << 20U}));  // two caches of level 3
  fs::remove_all(cpus);
}

}  // namespace
}  // namespace lockstep
