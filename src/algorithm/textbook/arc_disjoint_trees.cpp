// SPDX-License-Identifier: Apache-2.0

/// Broadcast over as many arc-disjoint spanning trees as there are: k, the least number of
/// arc-disjoint paths from the root to a node (Edmonds 1973). Part p takes tree p mod k. Each tree
/// grows breadth first; an arc is taken only if k - 1 paths to its head remain without it (Lovasz
/// 1976), so that the other trees can still be found.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/expects.hpp"
#include "topology/known_searches.hpp"

namespace lockstep {
namespace {

struct DirectedArc {
  std::uint32_t from;
  std::uint32_t to;
  Port port;
  bool is_free = true;  ///< of no tree yet
};

/// Paths without a common arc, found anew for every question: thousands of them, of a few arcs
/// each.
class ArcPaths {
 public:
  explicit ArcPaths(const ErasedTopology& network)
      : out_(network.node_count()), into_(network.node_count()), by_(network.node_count()) {
    for (std::uint32_t u = 0; u < network.node_count(); ++u)
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
        const auto v = static_cast<std::uint32_t>(index(network.neighbor(NodeId{u}, port(p))));
        out_[u].push_back(static_cast<std::uint32_t>(arcs_.size()));
        into_[v].push_back(static_cast<std::uint32_t>(arcs_.size()));
        arcs_.push_back({u, v, port(p)});
      }
  }

  [[nodiscard]] std::vector<DirectedArc>& arcs() noexcept { return arcs_; }
  /// All arcs are free again, and come in another order.
  void begin_again(std::mt19937_64& random) {
    for (DirectedArc& arc : arcs_) arc.is_free = true;
    for (std::vector<std::uint32_t>& out : out_) std::ranges::shuffle(out, random);
  }
  [[nodiscard]] const std::vector<std::uint32_t>& out_of(std::uint32_t u) const { return out_[u]; }
  /// Whether there are so many over free arcs.
  [[nodiscard]] bool are(std::uint64_t wanted, std::uint32_t from, std::uint32_t to) {
    flow_.assign(arcs_.size(), std::uint8_t{0});
    std::uint64_t found = 0;
    while (found < wanted && augment(from, to)) ++found;
    return found == wanted;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// By breadth-first search over free arcs, and backwards over those of other paths.
  [[nodiscard]] bool augment(std::uint32_t from, std::uint32_t to) {
    std::ranges::fill(by_, none);
    reached_.assign(1, from);
    const auto reach = [&](std::uint32_t v, std::uint32_t arc) {
      if (v == from || by_[v] != none) return;
      by_[v] = arc;
      reached_.push_back(v);
    };
    for (std::size_t i = 0; i < reached_.size() && by_[to] == none; ++i) {
      const std::uint32_t u = reached_[i];
      for (const std::uint32_t arc : out_[u])
        if (arcs_[arc].is_free && flow_[arc] == 0) reach(arcs_[arc].to, arc);
      for (const std::uint32_t arc : into_[u])
        if (flow_[arc] != 0) reach(arcs_[arc].from, arc);
    }
    if (by_[to] == none) return false;
    for (std::uint32_t v = to; v != from;) {
      const std::uint32_t arc = by_[v];
      const bool forwards = arcs_[arc].to == v && flow_[arc] == 0;
      flow_[arc] = forwards ? 1 : 0;
      v = forwards ? arcs_[arc].from : arcs_[arc].to;
    }
    return true;
  }

  std::vector<DirectedArc> arcs_;
  std::vector<std::vector<std::uint32_t>> out_;
  std::vector<std::vector<std::uint32_t>> into_;
  std::vector<std::uint8_t> flow_;  // whether a path takes the arc
  std::vector<std::uint32_t> by_;   // the arc over which a node was reached
  std::vector<std::uint32_t> reached_;
};

struct TreeArc {
  DirectedArc arc;
  std::uint64_t depth;  ///< of its tail
};
/// Its arcs by rising depth.
using PackedTree = std::vector<TreeArc>;

[[nodiscard]] std::uint64_t height_of(const PackedTree& tree) { return tree.back().depth + 1; }

[[nodiscard]] PackedTree grown(ArcPaths& paths, std::uint64_t nodes, std::uint32_t root,
                               std::uint64_t others) {
  PackedTree tree;
  std::vector<bool> seen(nodes);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> reached{{root, 0}};
  seen[root] = true;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const auto [u, depth] = reached[i];
    for (const std::uint32_t number : paths.out_of(u)) {
      DirectedArc& arc = paths.arcs()[number];
      if (!arc.is_free || seen[arc.to]) continue;
      arc.is_free = false;
      if (!paths.are(others, root, arc.to)) {
        arc.is_free = true;
        continue;
      }
      seen[arc.to] = true;
      tree.push_back({arc, depth});
      reached.emplace_back(arc.to, depth + 1);
    }
  }
  expects(reached.size() == nodes, "a tree reaches every node");
  return tree;
}

/// The best of several attempts, in which the highest tree is the lowest.
[[nodiscard]] std::vector<PackedTree> packed_trees(const ErasedTopology& network,
                                                   std::uint32_t root) {
  const std::uint64_t nodes = network.node_count();
  ArcPaths paths(network);
  std::uint64_t count = network.degree(NodeId{root});
  for (std::uint32_t v = 0; v < nodes; ++v)
    while (v != root && !paths.are(count, root, v)) --count;
  const std::uint64_t tries = std::clamp<std::uint64_t>(4'096 / nodes, 1, 256);
  std::mt19937_64 random{1973};
  std::vector<PackedTree> trees;
  for (std::uint64_t i = 0; nodes > 1 && i < tries; ++i) {
    if (i > 0) paths.begin_again(random);
    std::vector<PackedTree> grown_now;
    for (std::uint64_t others = count; others-- > 0;)
      grown_now.push_back(grown(paths, nodes, root, others));
    std::ranges::sort(grown_now, {}, height_of);
    if (trees.empty() || height_of(grown_now.back()) < height_of(trees.back()))
      trees = std::move(grown_now);
  }
  return trees;
}

[[nodiscard]] Transfers over_trees(const PlanRequest& asked) {
  const std::uint64_t nodes = asked.network.node_count();
  const auto root = static_cast<std::uint32_t>(index(asked.root));
  static KnownSearches<std::uint32_t, std::vector<PackedTree>> known;
  const std::vector<PackedTree> trees =
      known.of(asked.network, root, [&] { return packed_trees(asked.network, root); });
  Transfers plan = every_node_a_class(nodes);
  plan.parts = asked.parts;
  // The last parts take the lowest trees.
  for (std::uint32_t part = 0; nodes > 1 && part < asked.parts; ++part)
    for (const auto& [arc, depth] : trees[part % trees.size()])
      plan.move_part(part / trees.size() + depth, {.source = root,
                                                   .destination = everyone,
                                                   .from = arc.from,
                                                   .to = arc.to,
                                                   .port = arc.port,
                                                   .part = static_cast<std::uint16_t>(part)});
  std::ranges::stable_sort(plan.list, {}, &Transfer::step);
  return plan;
}

}  // namespace

const PlannedAlgorithm arc_disjoint_trees = searched_in_prime_form(
    {.info = {.name = "arc-disjoint-trees",
              .operation = Operation::broadcast,
              .model = port_models::all_port,
              .source = "Edmonds 1973; Lovasz 1976",
              .costs = "ceil(P/k) - 1 + h steps of 1/P, k trees of height at most h",
              .summary = "parts take as many arc-disjoint spanning trees as there are"},
     .networks = shapes::switchless.up_to_nodes(128),
     .plan = over_trees,
     .parts = Parts::open});

}  // namespace lockstep
