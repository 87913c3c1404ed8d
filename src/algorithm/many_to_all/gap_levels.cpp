// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/gap_levels.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lockstep {

std::vector<std::vector<GapService>> gap_levels(std::uint32_t gap, std::uint32_t ways) {
  std::vector<std::vector<GapService>> levels;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> gaps{{0, gap}};
  while (
      std::any_of(gaps.begin(), gaps.end(), [](const auto& g) { return g.second - g.first > 1; })) {
    std::vector<GapService> level;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> smaller;
    for (const auto& [a, b] : gaps) {
      std::vector<std::uint32_t> by_low;   // nearest first
      std::vector<std::uint32_t> by_high;  // farthest first
      std::uint32_t last = a;
      for (std::uint32_t t = 1; t < ways; ++t) {
        const std::uint32_t point = a + t * (b - a) / ways;
        if (point == last) continue;
        (t <= (ways - 1) / 2 ? by_low : by_high).push_back(point);
        smaller.emplace_back(last, point);
        last = point;
      }
      smaller.emplace_back(last, b);
      std::reverse(by_high.begin(), by_high.end());
      for (std::size_t i = 0; i < by_low.size(); ++i) level.push_back({a, by_low[i], i != 0});
      for (std::size_t i = 0; i < by_high.size(); ++i) level.push_back({b, by_high[i], i != 0});
    }
    gaps = std::move(smaller);
    levels.push_back(std::move(level));
  }
  return levels;
}

std::vector<std::vector<GapService>> bisection_levels(std::uint32_t gap) {
  std::vector<std::vector<GapService>> levels;
  std::vector<std::uint32_t> informed{0, gap};
  while (informed.size() < std::size_t{gap} + 1) {
    std::vector<GapService> level;
    std::vector<std::uint32_t> after{0};
    for (std::size_t i = 1; i < informed.size(); ++i) {
      const std::uint32_t a = informed[i - 1];
      const std::uint32_t b = informed[i];
      if (const std::uint32_t middle = (a + b) / 2; middle != a) {
        level.push_back({a, middle, false});
        level.push_back({b, middle, false});
        after.push_back(middle);
      }
      after.push_back(b);
    }
    informed = std::move(after);
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace lockstep
