// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Seeded cases for property tests. A failure names its seed; LOCKSTEP_SEED=<seed> repeats it as
/// the first case.
///
///     for_all(100, [](Random& random) { return random_permutation(random, 7); },
///             [](Permutation x) { EXPECT_EQ(unrank(7, rank(x)), x); });

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "core/instrumented.hpp"
#include "lockstep/core/permutation.hpp"
#include "reference/random.hpp"

namespace lockstep::test {

using reference::Random;

/// LOCKSTEP_SEED where it is set, else always the same.
inline std::uint64_t base_seed() {
  const char* const given = std::getenv("LOCKSTEP_SEED");
  return given != nullptr ? std::stoull(given) : 1'987;
}

/// Similar cases take the same paths through the program, and a sanitizer makes each of them about
/// twenty times slower: a fifth of `count` under a sanitizer, all elsewhere.
constexpr std::size_t cases_here(std::size_t count) {
  return slowness == 1 ? count : (count + 4) / 5;
}

/// Selects from a list of similar cases: one in `stride` under a sanitizer, all elsewhere. A stride
/// that has no factor in common with the length of an inner list selects from all of that list.
class SomeCases {
 public:
  explicit constexpr SomeCases(std::size_t stride) : stride_(slowness == 1 ? 1 : stride) {}

  /// Called once per case: whether the test tries it. It always tries the first.
  constexpr bool take() { return count_++ % stride_ == 0; }

 private:
  std::size_t stride_;
  std::size_t count_ = 0;
};

/// Case i is made from the seed base_seed() + i. Stops at the first fatal failure.
template <class Make, class Check>
void for_all(std::size_t count, Make make, Check check) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t seed = base_seed() + i;
    SCOPED_TRACE("to repeat: LOCKSTEP_SEED=" + std::to_string(seed));
    Random random{seed};
    const auto made = make(random);
    check(made);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// From low to high, both included.
inline std::uint64_t uniform(Random& random, std::uint64_t low, std::uint64_t high) {
  return random.number(low, high);
}

inline Permutation random_permutation(Random& random, std::size_t n) {
  std::vector<std::uint8_t> symbols(n);
  std::iota(symbols.begin(), symbols.end(), std::uint8_t{0});
  std::shuffle(symbols.begin(), symbols.end(), random);
  return Permutation::from_symbols(symbols);
}

}  // namespace lockstep::test
