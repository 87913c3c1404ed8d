// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Random: numbers of a seed, the same with every standard library, whose distributions and
/// std::shuffle may differ.
///
///     Random random(seed);
///     const Network& network = random.one_of(networks);

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <utility>

namespace lockstep::reference {

class Random {
 public:
  using result_type = std::mt19937_64::result_type;

  explicit Random(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] static constexpr result_type min() { return std::mt19937_64::min(); }
  [[nodiscard]] static constexpr result_type max() { return std::mt19937_64::max(); }
  result_type operator()() { return engine_(); }

  /// From low to high, both included; the bias of the remainder is far below what matters here.
  [[nodiscard]] std::uint64_t number(std::uint64_t low, std::uint64_t high) {
    const std::uint64_t numbers = high - low + 1;  // 0: all there are
    return numbers == 0 ? engine_() : low + engine_() % numbers;
  }
  [[nodiscard]] bool happens(std::uint64_t percent) { return number(1, 100) <= percent; }
  template <class List>
  [[nodiscard]] const auto& one_of(const List& list) {
    return list[number(0, std::size(list) - 1)];
  }
  template <class List>
  void shuffle(List& list) {
    for (std::size_t left = std::size(list); left > 1; --left)
      std::swap(list[left - 1], list[number(0, left - 1)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace lockstep::reference
