// SPDX-License-Identifier: Apache-2.0

/// Timings of random pipelines: arcs follow those that they wait for, and no node exceeds its
/// ports, whatever the number of parts.

#include "algorithm/pipeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "support/cases.hpp"

namespace lockstep {
namespace {

using test::for_all;
using test::Random;
using test::uniform;

constexpr std::uint32_t pipeline_nodes = 8;

[[nodiscard]] std::vector<Pipeline::Arc> random_arcs(Random& random) {
  std::vector<Pipeline::Arc> arcs(uniform(random, 1, 30));
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    arcs[i].from = static_cast<std::uint32_t>(uniform(random, 0, pipeline_nodes - 1));
    arcs[i].to = static_cast<std::uint32_t>(
        (arcs[i].from + uniform(random, 1, pipeline_nodes - 1)) % pipeline_nodes);
    for (std::uint64_t waits = uniform(random, 0, 2); waits != 0 && i != 0; --waits)
      arcs[i].after.push_back(uniform(random, 0, i - 1));
  }
  return arcs;
}

[[nodiscard]] Pipeline::Timing timing_of(const std::vector<Pipeline::Arc>& arcs,
                                         std::uint64_t parts, Ports ports) {
  Pipeline pipeline(pipeline_nodes);
  for (const Pipeline::Arc& arc : arcs) (void)pipeline.add(arc);
  return pipeline.timing(parts, ports);
}

/// The most arcs that leave or reach a node; with all ports, that join two pipeline_nodes.
[[nodiscard]] std::uint64_t shortest_period(const std::vector<Pipeline::Arc>& arcs, Ports ports) {
  std::uint64_t most = 0;
  for (const Pipeline::Arc& one : arcs) {
    const auto count = [&](auto alike) {
      return static_cast<std::uint64_t>(std::ranges::count_if(arcs, alike));
    };
    const auto sent = count([&](const Pipeline::Arc& arc) { return arc.from == one.from; });
    const auto received = count([&](const Pipeline::Arc& arc) { return arc.to == one.to; });
    const auto equal =
        count([&](const Pipeline::Arc& arc) { return arc.from == one.from && arc.to == one.to; });
    most = std::max(most, ports == Ports::one ? std::max(sent, received) : equal);
  }
  return most;
}

void expect_legal(const std::vector<Pipeline::Arc>& arcs, const Pipeline::Timing& timing,
                  std::uint64_t parts, Ports ports) {
  using Place = std::pair<std::uint64_t, std::uint64_t>;  // a step, and who works in it
  std::set<Place> sends;
  std::set<Place> receives;
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    for (const std::size_t before : arcs[i].after)
      EXPECT_GT(timing.first[i], timing.first[before]) << i;
    for (std::uint64_t p = 0; p < parts; ++p) {
      const std::uint64_t step = timing.first[i] + p * timing.period;
      steps = std::max(steps, step + 1);
      const std::uint64_t arc = arcs[i].from * pipeline_nodes + arcs[i].to;
      EXPECT_TRUE(sends.insert({step, ports == Ports::one ? arcs[i].from : arc}).second) << i;
      EXPECT_TRUE(receives.insert({step, ports == Ports::one ? arcs[i].to : arc}).second) << i;
    }
  }
  EXPECT_EQ(timing.steps(parts), steps);
}

TEST(PipelineTimings, KeepThePortsAndTheOrder) {
  for_all(200, random_arcs, [](const std::vector<Pipeline::Arc>& arcs) {
    for (const Ports ports : {Ports::one, Ports::all})
      for (const std::uint64_t parts : {1U, 2U, 7U, 64U}) {
        const Pipeline::Timing timing = timing_of(arcs, parts, ports);
        expect_legal(arcs, timing, parts, ports);
        EXPECT_GE(timing.steps(parts), shortest_period(arcs, ports) * (parts - 1) + 1);
      }
  });
}

TEST(PipelineTimings, OfManyPartsHaveTheShortestPeriod) {
  for_all(200, random_arcs, [](const std::vector<Pipeline::Arc>& arcs) {
    constexpr std::uint64_t many = 100'000;
    for (const Ports ports : {Ports::one, Ports::all})
      EXPECT_EQ(timing_of(arcs, many, ports).period, shortest_period(arcs, ports));
  });
}

TEST(PipelineTimings, OfOnePartAreOverAtOnceOnAPath) {
  std::vector<Pipeline::Arc> path;
  for (std::uint32_t u = 0; u + 1 < pipeline_nodes; ++u)
    path.push_back({.from = u, .to = u + 1, .after = {}});
  for (std::size_t i = 1; i < path.size(); ++i) path[i].after = {i - 1};
  EXPECT_EQ(timing_of(path, 1, Ports::one).steps(1), pipeline_nodes - 1);
  EXPECT_EQ(timing_of(path, 10, Ports::one).steps(10), pipeline_nodes - 1 + 9);
  EXPECT_EQ(timing_of({}, 10, Ports::one).steps(10), 0U);
}

}  // namespace
}  // namespace lockstep
