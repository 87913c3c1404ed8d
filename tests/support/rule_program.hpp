// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A program written where it is used: a rule and a number of steps.
///
///     const auto program = rules(1, [](auto& here) { here.send(right, first_block); });

#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/program.hpp"
#include "support/ring_ports.hpp"

namespace lockstep::test {

/// Dense; two regions of two blocks; a counter for each processor.
template <class Rule>
struct Rules {
  using Memory = std::uint64_t;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  std::uint64_t steps;
  Rule rule;

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {2, 2}; }
  [[nodiscard]] std::uint64_t step_count() const { return steps; }
  void operator()(auto& here) const { rule(here); }
};

template <class Rule>
Rules<Rule> rules(std::uint64_t steps, Rule rule) {
  return {steps, rule};
}

inline constexpr Blocks first_block{Region{0}, 0, 1};

}  // namespace lockstep::test
