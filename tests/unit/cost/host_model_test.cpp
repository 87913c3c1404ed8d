// SPDX-License-Identifier: Apache-2.0
/// The fit of the host model, to made-up times: no clock is looked at.

#include "cost/host_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "support/cases.hpp"

namespace lockstep {
namespace {

constexpr HostCaches caches{std::uint64_t{1} << 20U, std::uint64_t{16} << 20U};
constexpr double cached = 4.0 * (1U << 20U);  // between the two

/// Two workers share a step; times as of a computer.
OfHostKinds<double> truth() {
  OfHostKinds<double> rates;
  for (std::size_t k = 0; k < host_kinds; ++k) rates.all.at(k) = 1e-9 * static_cast<double>(k + 1);
  rates[HostKind::whole_run] = 2e-6;
  rates[HostKind::step] = 3e-7;
  rates[HostKind::barrier] = 1e-6;
  rates[HostKind::handover] = 2e-6;
  rates[HostKind::far_byte] = 1e-10;
  rates[HostKind::farther_byte] = 1e-10;
  return rates;
}

double seconds_of(const HostWork& work, const OfHostKinds<double>& rates) {
  const auto beyond = [&](double held) { return std::max(0.0, 1 - held / work.memory_bytes); };
  const auto part = [&](HostKind kind) {
    if (kind == HostKind::farther_byte) return beyond(8 * cached);
    return kind == HostKind::far_byte || kind == HostKind::far_access ? beyond(cached) : 1;
  };
  const auto sum = [&](const OfHostKinds<double>& counts) {
    double seconds = 0;
    for (std::size_t k = 0; k < host_kinds; ++k) {
      const auto kind = static_cast<HostKind>(k);
      if (kind != HostKind::handover) seconds += counts[kind] * rates[kind] * part(kind);
    }
    return seconds;
  };
  const double shared = sum(work.shared);
  const double handovers = work.alone[HostKind::handover] * rates[HostKind::handover];
  return sum(work.alone) + std::min(shared, shared / work.parallelism + handovers);
}

/// Runs over decades of each kind of work, each off by at most `noise` of its time.
std::vector<HostSample> samples_of(const OfHostKinds<double>& rates, double noise,
                                   std::size_t count = 400) {
  test::Random random{7};
  const auto up_to = [&](std::uint64_t most) {
    return static_cast<double>(test::uniform(random, 1, most));
  };
  std::vector<HostSample> samples;
  for (std::size_t i = 0; i < count; ++i) {
    HostSample sample{.run = std::to_string(i)};
    HostWork& work = sample.work;
    work.alone[HostKind::whole_run] = 1;
    work.alone[HostKind::step] = up_to(1000);
    if (i % 2 == 0) {
      work.alone[HostKind::barrier] = work.alone[HostKind::handover] = work.alone[HostKind::step];
      work.parallelism = 1 + up_to(1000) / 1000;
    }
    const double scale = std::pow(10, up_to(4));
    for (auto k = static_cast<std::size_t>(HostKind::turn); k < host_kinds; ++k)
      if (test::uniform(random, 0, 3) == 0) work.shared.all.at(k) = scale * up_to(1000);
    work.memory_bytes = std::pow(2, 15 + up_to(13));
    sample.seconds = seconds_of(work, rates) * (1 + noise * (up_to(2001) - 1001) / 1000);
    samples.push_back(sample);
  }
  return samples;
}

TEST(HostModel, RecoversTheRatesOfANoiselessHost) {
  const HostModel model = model_of(samples_of(truth(), 0), caches);
  EXPECT_EQ(model.cached_bytes, std::uint64_t{4} << 20U);
  for (std::size_t k = 0; k < host_kinds; ++k)
    EXPECT_NEAR(model.rates.all.at(k).seconds, truth().all.at(k), 1e-4 * truth().all.at(k))
        << info_of(static_cast<HostKind>(k)).name;
  EXPECT_NEAR(model.worst_decile_error, 0, 1e-6);
  EXPECT_EQ(model.samples.size(), 400U);
  EXPECT_EQ(model.runs[HostKind::step], 400U);
  EXPECT_EQ(model.runs[HostKind::barrier], 200U);
}

TEST(HostModel, PredictsRunsOfANoisyHostThatItWasNotFittedTo) {
  std::vector<HostSample> samples = samples_of(truth(), 0.1);
  const std::vector<HostSample> others(samples.begin() + 300, samples.end());
  samples.resize(300);
  const HostModel model = model_of(samples, caches);
  EXPECT_LT(model.median_error, 0.1);
  std::size_t wrong = 0;
  for (const HostSample& other : others) {
    const double right = seconds_of(other.work, truth());
    wrong += static_cast<std::size_t>(std::abs(model.seconds(other.work) / right - 1) > 0.1);
  }
  EXPECT_LE(wrong, 5U);
}

TEST(HostModel, IntervalsHoldTheRatesOfANoisyHost) {
  const HostModel model = model_of(samples_of(truth(), 0.05), caches);
  for (std::size_t k = 0; k < host_kinds; ++k) {
    const HostTime& rate = model.rates.all.at(k);
    EXPECT_LE(rate.low, rate.seconds);
    EXPECT_LE(rate.seconds, rate.high);
    const double half = rate.high - rate.seconds;  // twice the interval: none by chance
    EXPECT_NEAR(rate.seconds, truth().all.at(k), 2 * half)
        << info_of(static_cast<HostKind>(k)).name;
  }
}

TEST(HostModel, DisturbedRunsCountLittle) {
  std::vector<HostSample> samples = samples_of(truth(), 0.01);
  for (std::size_t i = 0; i < samples.size(); i += 20) samples[i].seconds *= 5;
  const HostModel model = model_of(samples, caches);
  EXPECT_LT(model.median_error, 0.03);
  for (const std::size_t i : {1U, 11U, 51U, 201U})
    EXPECT_NEAR(model.seconds(samples[i].work), samples[i].seconds, 0.06 * samples[i].seconds) << i;
}

TEST(HostModel, NoRateIsNegative) {
  OfHostKinds<double> rates = truth();
  for (const HostKind kind : {HostKind::copy, HostKind::search, HostKind::row}) rates[kind] = 0;
  for (const HostTime& rate : model_of(samples_of(rates, 0.2), caches).rates.all)
    EXPECT_GE(rate.low, 0);
}

/// Ten messages in a step are not worth another worker; a million are.
TEST(HostModel, ShortStepsAreNotShared) {
  HostModel model;
  model.rates[HostKind::message].seconds = 1e-8;
  model.rates[HostKind::handover].seconds = 2e-6;
  HostWork work{.parallelism = 2};
  work.alone[HostKind::handover] = 1;
  work.shared[HostKind::message] = 10;
  EXPECT_DOUBLE_EQ(model.seconds(work), 1e-7);
  work.shared[HostKind::message] = 1e6;
  EXPECT_DOUBLE_EQ(model.seconds(work), 5e-3 + 2e-6);
}

TEST(HostModel, MemoryBeyondTheCachesIsSlower) {
  HostModel model{.cached_bytes = 1000};
  model.rates[HostKind::far_byte].seconds = 1e-9;
  HostWork work{.memory_bytes = 1000};
  work.shared[HostKind::far_byte] = 1e6;
  EXPECT_EQ(model.seconds(work), 0);
  work.memory_bytes = 4000;  // three quarters of the bytes
  EXPECT_DOUBLE_EQ(model.seconds(work), 0.75e-3);
  model.rates[HostKind::farther_byte].seconds = 1e-9;
  work.shared[HostKind::farther_byte] = 1e6;
  EXPECT_DOUBLE_EQ(model.seconds(work), 0.75e-3);
  work.memory_bytes = 32000;  // beyond 8000
  EXPECT_DOUBLE_EQ(model.seconds(work), (1 - 1.0 / 32) * 1e-3 + 0.75e-3);
}

TEST(HostModel, NamesWorkThatNoRunHad) {
  std::vector<HostSample> samples = samples_of(truth(), 0);
  for (HostSample& sample : samples) sample.work.shared[HostKind::routed_message] = 0;
  const HostModel model = model_of(samples, caches);
  EXPECT_EQ(model.unknown_kind(samples[3].work), "");
  HostWork work = samples[3].work;
  work.shared[HostKind::routed_message] = 1;
  EXPECT_EQ(model.unknown_kind(work), info_of(HostKind::routed_message).meaning);
}

TEST(HostModel, NeedsMoreRunsThanKinds) {
  EXPECT_THROW((void)model_of(samples_of(truth(), 0, host_kinds), caches), InvalidParameter);
}

TEST(HostModel, KindsHaveKeysOfTheirOwn) {
  std::set<std::string> keys;
  for (std::size_t k = 0; k < host_kinds; ++k) {
    const auto kind = static_cast<HostKind>(k);
    EXPECT_TRUE(keys.insert(key_of(kind)).second) << key_of(kind);
    EXPECT_EQ(key_of(kind).find(' '), std::string::npos);
    EXPECT_FALSE(info_of(kind).meaning.empty());
  }
  EXPECT_EQ(key_of(HostKind::far_byte), "far_byte");
  EXPECT_EQ(info_of(HostKind::routed_message).name, "routed message");
}

}  // namespace
}  // namespace lockstep
