// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/bubble_sort_graph.hpp"

#include "lockstep/topology/metrics.hpp"

namespace lockstep {

std::vector<std::uint64_t> BubbleSortGraph::level_sizes() const {
  std::vector<std::uint64_t> levels{1};
  for (std::size_t i = 1; i < symbols(); ++i)
    levels = product_level_sizes(levels, std::vector<std::uint64_t>(i + 1, 1));
  return levels;
}

}  // namespace lockstep
