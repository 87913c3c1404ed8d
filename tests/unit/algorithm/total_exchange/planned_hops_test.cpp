// SPDX-License-Identifier: Apache-2.0

/// Plans hop by hop are refused before their hops are listed: the number that is checked is exact.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "algorithm/planned_algorithms.hpp"
#include "algorithm/total_exchange/factor_exchange.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

[[nodiscard]] std::string refusal(const std::function<void()>& plan) {
  try {
    plan();
  } catch (const InvalidParameter& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST(PlannedHops, OfARingAreAQuarterOfASquareForEachClass) {
  for (std::uint64_t n = 3; n <= 20; ++n)
    for (const QueueDiscipline discipline :
         {QueueDiscipline::fifo, QueueDiscipline::furthest_first, QueueDiscipline::closest_first,
          QueueDiscipline::message_shift})
      EXPECT_EQ(ring_exchange(n, discipline).list.size(), (n % 2 == 0 ? 2 : 1) * (n * n / 4)) << n;
}

TEST(PlannedHops, OfALinearArrayAreItsDistances) {
  for (std::uint64_t n = 1; n <= 12; ++n)
    for (const Ports ports : {Ports::one, Ports::all})
      EXPECT_EQ(linear_exchange(n, ports).list.size(), n * (n * n - 1) / 3) << n;
}

[[nodiscard]] Transfers parity_exchange(const char* torus) {
  const AnyTopology network(torus);
  return parity_colouring.plan({.network = network});
}

TEST(PlannedHops, OfATorusAreThoseOfTwoNodes) {
  EXPECT_EQ(parity_exchange("ring:4").list.size(), 2 * 4U);
  EXPECT_EQ(parity_exchange("torus:3x4").list.size(), 2 * (4 * 2 + 3 * 4U));
  EXPECT_EQ(parity_exchange("torus:5x4x3").list.size(), 2 * (12 * 6 + 15 * 4 + 20 * 2U));
}

TEST(PlannedHops, AreCountedBeforeTheyAreListed) {
  constexpr auto shift = QueueDiscipline::message_shift;
  EXPECT_EQ(refusal([] { (void)ring_exchange(4'098, shift); }),
            "ring of 4,098 nodes: the plan of 8,396,802 hops is too large (limit 8,388,608); use a "
            "smaller network or another algorithm");
  EXPECT_THAT(refusal([] { (void)ring_exchange(5'793, shift); }), HasSubstr("8,389,712 hops"));
  EXPECT_THAT(refusal([] { (void)linear_exchange(1'000'000, Ports::all); }),
              HasSubstr("333,333,333,333,000,000 hops"));
  EXPECT_THAT(refusal([] { (void)parity_exchange("torus:4x16383"); }),
              HasSubstr("parity-colouring on torus:4x16383: the plan of"));
  EXPECT_THAT(refusal([] { (void)exchange_of(AnyTopology("mesh:500x2"), Ports::one); }),
              HasSubstr("linear array of 500 nodes"));
}

}  // namespace
}  // namespace lockstep
