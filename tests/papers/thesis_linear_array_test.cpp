// SPDX-License-Identifier: Apache-2.0

/// Section 4.2 of the thesis: total exchange in linear arrays, counted by the machine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/total_exchange/linear_furthest_first.hpp"
#include "core/instrumented.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/build_network.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t largest = slowness == 1 ? 64 : 24;

[[nodiscard]] RunRequest request_on(std::uint64_t n) {
  return {.topology = "linear:" + std::to_string(n),
          .operation = Operation::total_exchange,
          .algorithm = "furthest-first",
          .block_bytes = 8};
}

/// The furthest destination first, then the smallest source: a queue of (destination, source) for
/// every place, which messages join in the step after they left the one before. InjectionSchedule
/// by (place, step), rightwards.
using InjectionSchedule =
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>>;
[[nodiscard]] InjectionSchedule departures_by_queues(std::uint64_t n) {
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> queues(n + 1);
  for (std::uint64_t k = 1; k <= n; ++k)
    for (std::uint64_t i = k + 1; i <= n; ++i) queues[k].emplace_back(i, k);
  InjectionSchedule departures;
  for (std::uint64_t t = 1, left = 1; left != 0; ++t) {
    left = 0;
    std::vector<std::pair<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>>> moved;
    for (std::uint64_t j = 1; j < n; ++j) {
      left += queues[j].size();
      if (queues[j].empty()) continue;
      const auto best =
          std::min_element(queues[j].begin(), queues[j].end(), [](const auto& a, const auto& b) {
            return std::pair(b.first, a.second) < std::pair(a.first, b.second);
          });
      departures[{j, t}] = *best;
      if (best->first != j + 1) moved.emplace_back(j + 1, *best);
      queues[j].erase(best);
    }
    for (const auto& [place, message] : moved) queues[place].push_back(message);
  }
  return departures;
}

TEST(ThesisSection4_2, LinearArraysExchangeAtTheBoundWhateverTheWorkers) {
  for (std::uint64_t n = 2; n <= largest; ++n)
    for (const std::size_t workers : {1U, 2U, 8U}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", workers " + std::to_string(workers));
      RunRequest request = request_on(n);
      request.workers = workers;
      const RunResult result = prepare(request)->execute();
      EXPECT_EQ(result.judgement.outcome, lockstep::Outcome::complete) << result.judgement.sentence;
      EXPECT_EQ(result.record.deliveries.verified, n * (n - 1));
      EXPECT_EQ(result.record.startups, (n * n - 1 + 3) / 4);  // ceil((n^2 - 1) / 4): the bound
      EXPECT_EQ(result.forecast.lower_bound->undivided.message_times, n * n / 4);
      EXPECT_EQ(result.record.startups, n * n / 4);
      EXPECT_EQ(result.record.message_times, n * n / 4);
      EXPECT_EQ(result.record.hops, n * (n * n - 1) / 3);
    }
}

/// Rightward sends of the machine are those of queues that are looked at.
TEST(ThesisSection4_2, LinearArraysSendAsTheirQueuesWould) {
  for (std::uint64_t n = 2; n <= 20; ++n) {
    SCOPED_TRACE(n);
    SendTrace trace;
    (void)prepare(request_on(n))->execute({.trace = &trace});
    InjectionSchedule sent;
    for (const SendEvent& send : trace)
      if (index(send.receiver) > index(send.sender))
        sent[{index(send.sender) + 1, send.step + 1}] = {};
    const InjectionSchedule expected = departures_by_queues(n);
    ASSERT_EQ(sent.size(), expected.size());
    for (const auto& [when, message] : expected) {
      const auto& [j, t] = when;
      const auto& [i, k] = message;
      EXPECT_TRUE(sent.count(when)) << j << " in step " << t;
      EXPECT_EQ(t, i < n ? j * (n - i) + k : j - k + 1) << k << " -> " << i << " from " << j;
    }
  }
}

TEST(ThesisSection4_2, LinearArraysHaveOneRecordWhateverRunsThem) {
  const LinearArray array(7);
  test::expect_reference_outcome(build_network(array), LinearFurthestFirst(array).program(),
                                 {.model = port_models::all_port},
                                 {ChannelKind::slot, ChannelKind::spsc});
}

TEST(ThesisSection4_2, LinearArraysOfOneNodeHaveNothingToExchange) {
  const RunResult result = prepare(request_on(1))->execute();
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.record.steps, 0U);
}

}  // namespace
}  // namespace lockstep
