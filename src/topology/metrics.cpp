// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/metrics.hpp"

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {

std::vector<std::uint64_t> product_level_sizes(std::span<const std::uint64_t> one,
                                               std::span<const std::uint64_t> other) {
  std::vector<std::uint64_t> levels(one.size() + other.size() - 1, 0);
  for (std::size_t i = 0; i < one.size(); ++i)
    for (std::size_t j = 0; j < other.size(); ++j) levels[i + j] += one[i] * other[j];
  return levels;
}

Cut narrower(const Cut& one, const Cut& other, std::uint64_t node_count) {
  if (one.links == 0 || other.links == 0) return one.links == 0 ? other : one;
  const auto pairs_per_link = [node_count](const Cut& cut) {
    return static_cast<double>(cut.nodes) * static_cast<double>(node_count - cut.nodes) /
           static_cast<double>(cut.links);
  };
  return pairs_per_link(other) > pairs_per_link(one) ? other : one;
}

Cut cut_of_copies(const Cut& cut, std::uint64_t copies) {
  const WideCount links = WideCount{cut.links} * copies;
  if (links > std::numeric_limits<std::uint64_t>::max()) return {};
  return {cut.nodes * copies, static_cast<std::uint64_t>(links)};
}

namespace metrics_detail {

void check_searchable(const std::string& name, std::uint64_t node_count) {
  if (node_count < 1 || node_count >= unreachable)
    throw invalid("{}: breadth-first search over {}; allowed: 1..{}", name,
                  counted(node_count, "node"), grouped(unreachable - 1));
}

std::vector<std::uint64_t> histogram(const std::vector<std::uint32_t>& distances) {
  std::vector<std::uint64_t> levels;
  for (const std::uint32_t d : distances) {
    if (d == unreachable) continue;
    if (d >= levels.size()) levels.resize(std::size_t{d} + 1, 0);
    ++levels[d];
  }
  return levels;
}

std::uint64_t sum(const std::vector<std::uint64_t>& levels) noexcept {
  std::uint64_t total = 0;
  for (std::size_t d = 0; d < levels.size(); ++d) total += d * levels[d];
  return total;
}

}  // namespace metrics_detail

}  // namespace lockstep
