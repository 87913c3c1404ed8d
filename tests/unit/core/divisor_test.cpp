// SPDX-License-Identifier: Apache-2.0

/// Multiplication by the reciprocal against the hardware's division, where rounding could go wrong.

#include "lockstep/core/detail/divisor.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace lockstep {
namespace {

constexpr std::uint64_t limit = std::uint64_t{1} << 63;

void expect_exact(const Divisor& divisor, std::uint64_t number) {
  ASSERT_EQ(divisor.quotient(number), number / divisor.value())
      << number << " / " << divisor.value();
}

/// The numbers at which a quotient steps up, and their neighbours, near 0, in the middle and at the
/// top.
void expect_exact_at_steps(std::uint64_t value) {
  const Divisor divisor(value);
  const std::uint64_t last = (limit - 1) / value;
  for (const std::uint64_t quotient :
       {std::uint64_t{1}, std::uint64_t{2}, last / 2, last - 1, last}) {
    const std::uint64_t step = quotient * value;  // below 2^63, or far above for last - 1 of 0
    for (const std::uint64_t number : {step - 1, step, step + 1})
      if (number < limit) expect_exact(divisor, number);
  }
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, limit - 2, limit - 1})
    expect_exact(divisor, number);
}

TEST(Divisor, EverySmallDivisor) {
  for (std::uint64_t value = 1; value <= 20'000; ++value) expect_exact_at_steps(value);
}

TEST(Divisor, AroundPowersOfTwo) {
  for (std::uint32_t bit = 1; bit <= 63; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (std::uint64_t below = 0; below < 40 && below < power; ++below)
      expect_exact_at_steps(power - below);
    for (std::uint64_t above = 1; above < 40 && power + above <= limit; ++above)
      expect_exact_at_steps(power + above);
  }
}

TEST(Divisor, PowersOfNorms) {
  for (const std::uint64_t norm : {7U, 12U, 19U, 37U, 61U, 91U})
    for (std::uint64_t value = norm; value <= limit / norm; value *= norm)
      expect_exact_at_steps(value);
}

TEST(Divisor, RandomDivisorsOfEveryLength) {
  std::mt19937_64 random(4);  // NOLINT(cert-msc51-cpp): the same numbers every time
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t value = random() >> (1 + random() % 63);
    if (value == 0) continue;
    const Divisor divisor(value);
    expect_exact(divisor, random() >> (1 + random() % 63));
    expect_exact_at_steps(value);
  }
}

TEST(Divisor, AtCompileTime) {
  static_assert(Divisor{37}.quotient(1369) == 37);
  static_assert(Divisor{1}.quotient(limit - 1) == limit - 1);
  static_assert(Divisor{limit}.quotient(limit - 1) == 0);
}

}  // namespace
}  // namespace lockstep
