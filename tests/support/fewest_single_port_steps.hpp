// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A broadcast over a tree with one send per node and step, by trying every order.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lockstep::test {

/// The fewest steps below a node, by trying every order of its children. Up to 8 children.
[[nodiscard]] inline std::uint64_t fewest_single_port_steps(
    const std::vector<std::vector<std::uint64_t>>& children, std::uint64_t node) {
  std::vector<std::uint64_t> below;
  for (const std::uint64_t child : children[node])
    below.push_back(fewest_single_port_steps(children, child));
  std::sort(below.begin(), below.end());
  std::uint64_t fewest = below.empty() ? 0 : ~std::uint64_t{0};
  if (below.empty()) return 0;
  do {
    std::uint64_t steps = 0;
    for (std::size_t i = 0; i < below.size(); ++i) steps = std::max(steps, i + 1 + below[i]);
    fewest = std::min(fewest, steps);
  } while (std::next_permutation(below.begin(), below.end()));
  return fewest;
}

}  // namespace lockstep::test
