// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Trees for scans. The processors below a node have consecutive numbers, or form several runs of
/// consecutive numbers. For every run, its sum goes up and the sum of all smaller numbers comes
/// down, so that a tree is as good as its runs are few.
///
///     for (const RunTree& tree : run_trees(network, Ports::one))
///       tree.runs[tree.links.front().child];   // runs of the subtree of that child

#include <cstdint>
#include <vector>

#include "algorithm/pipeline.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Processors first, first + 1, .., last.
struct NumberRun {
  std::uint32_t first;
  std::uint32_t last;
};

struct RunTree {
  TreeLinks links{};
  /// The runs of the subtree of each node, in the order of the numbers.
  std::vector<std::vector<NumberRun>> runs{};

  /// Precondition: the network has a node.
  [[nodiscard]] std::uint32_t root() const { return links.empty() ? 0 : links.front().parent; }
  [[nodiscard]] std::size_t bytes() const {
    return links.size() * sizeof links[0] + runs.size() * (sizeof runs[0] + sizeof(NumberRun));
  }
};

inline constexpr std::uint64_t most_searched_run_trees = 128;  ///< nodes: a tenth of a second

/// Trees worth trying: breadth-first trees and, on up to most_searched_run_trees nodes, those that
/// a local search makes of them by moving subtrees until little traffic meets at a node
/// (Ports::one) or on an arc (Ports::all). The same for the same network.
[[nodiscard]] std::vector<RunTree> run_trees(const ErasedTopology& network, Ports ports);

/// Whether the numbers below every node of one of these trees are consecutive.
[[nodiscard]] bool has_tree_of_single_runs(const ErasedTopology& network);

}  // namespace lockstep
