// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The variants of an algorithm that laws run: all, but of the numbers of parts only a few, which
/// differ in the way that a plan depends on them: one, even, odd, more than most networks have
/// ports.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "lockstep/program/algorithm.hpp"

namespace lockstep::test {

[[nodiscard]] inline std::vector<Settings> tested_variants(const Variants& variants) {
  constexpr std::array<std::uint64_t, 4> numbers_of_parts{1, 2, 3, 12};
  std::vector<Settings> tested = variants.all;
  for (const std::vector<Settings>& list : variants.cheapest_of)
    for (const Settings& settings : list)
      if (settings.find("parts") == nullptr ||
          std::ranges::find(numbers_of_parts, settings.number("parts")) != numbers_of_parts.end())
        tested.push_back(settings);
  return tested;
}

}  // namespace lockstep::test
