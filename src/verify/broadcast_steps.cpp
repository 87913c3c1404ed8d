// SPDX-License-Identifier: Apache-2.0
#include "verify/broadcast_steps.hpp"

#include <algorithm>
#include <cstddef>

#include "lockstep/core/fraction.hpp"

namespace lockstep {
namespace {

/// Whether, for every d, the processors that t steps over d links or more can inform are as many as
/// there are at distance d or more: those are reached with k = t - d steps in which the block does
/// not move on, and there are (t over 0) + .. + (t over k) ways to place these. Precondition: t is
/// at least the largest distance; at_least[d] processors are d or more links away.
bool can_inform(std::uint64_t t, const std::vector<std::uint64_t>& at_least) {
  const std::uint64_t all = at_least.front();
  WideCount ways = 1;  // (t over k)
  WideCount informed = 1;
  for (std::uint64_t k = 0; k <= t && informed < all; ++k) {
    if (t - k < at_least.size() && informed < at_least[t - k]) return false;
    ways = ways * (t - k) / (k + 1);
    informed += ways;
  }
  return true;
}

}  // namespace

std::uint64_t doubling_with_few_links(std::uint64_t processors, std::uint64_t degree,
                                      std::uint64_t sends) {
  const auto sent_in = [sends](std::uint64_t links, std::uint64_t step) {
    const std::uint64_t used = step * sends;
    return used >= links ? 0 : std::min(sends, links - used);
  };
  std::vector<WideCount> newly_informed;  // by step
  WideCount informed = 1;
  while (informed < processors) {
    const std::uint64_t step = newly_informed.size();
    WideCount now = sent_in(degree, step);
    for (std::uint64_t earlier = 0; earlier < step; ++earlier)
      now += newly_informed[earlier] * sent_in(degree - 1, step - 1 - earlier);
    newly_informed.push_back(now);
    informed += now;
  }
  return newly_informed.size();
}

std::uint64_t steps_for_all_distances(const std::vector<std::uint64_t>& levels) {
  std::vector<std::uint64_t> at_least = levels;
  for (std::size_t d = at_least.size() - 1; d > 0; --d) at_least[d - 1] += at_least[d];
  std::uint64_t steps = levels.size() - 1;
  while (!can_inform(steps, at_least)) ++steps;
  return steps;
}

}  // namespace lockstep
