// SPDX-License-Identifier: Apache-2.0
#include "catalog/ranking.hpp"

#include <algorithm>
#include <numeric>

#include "lockstep/core/expects.hpp"

namespace lockstep::catalog {

bool ranks_before(const Ranked& a, const Ranked& b, const CostParameters& costs,
                  std::size_t block_bytes) {
  if (takes_less_time(a.charged, b.charged, costs, block_bytes)) return true;
  return a.declared && !b.declared && !takes_less_time(b.charged, a.charged, costs, block_bytes);
}

std::size_t first_of(std::span<const Ranked> ways, const CostParameters& costs,
                     std::size_t block_bytes) {
  expects(!ways.empty(), "first_of: there is a way");
  std::size_t first = 0;
  for (std::size_t i = 1; i < ways.size(); ++i)
    if (ranks_before(ways[i], ways[first], costs, block_bytes)) first = i;
  return first;
}

std::vector<std::size_t> ranking_of(std::span<const Ranked> ways, const CostParameters& costs,
                                    std::size_t block_bytes) {
  std::vector<std::size_t> order(ways.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return ranks_before(ways[a], ways[b], costs, block_bytes);
  });
  return order;
}

bool is_never_behind(const Ranked& way, const Ranked& other) noexcept {
  return way.declared >= other.declared && way.charged.startups <= other.charged.startups &&
         way.charged.message_times <= other.charged.message_times &&
         way.charged.control_words <= other.charged.control_words;
}

}  // namespace lockstep::catalog
