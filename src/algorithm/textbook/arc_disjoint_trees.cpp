// SPDX-License-Identifier: Apache-2.0

/// Broadcast over as many arc-disjoint spanning trees as there are: k, the least number of
/// arc-disjoint paths from the root to a node (Edmonds 1973). Part p takes tree p mod k. Each tree
/// grows breadth first; an arc is taken only if k - 1 paths to its head remain without it (Lovasz
/// 1976), so that the other trees can still be found. A local search then lowers the trees.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/topology/metrics.hpp"
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

/// The arcs of a tree, by the node that they lead to.
using ArcsInto = std::vector<std::uint32_t>;

[[nodiscard]] ArcsInto grown(ArcPaths& paths, std::uint64_t nodes, std::uint32_t root,
                             std::uint64_t others) {
  ArcsInto tree(nodes);
  std::vector<std::uint32_t> reached{root};
  std::vector<bool> seen(nodes);
  seen[root] = true;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const std::uint32_t number : paths.out_of(reached[i])) {
      DirectedArc& arc = paths.arcs()[number];
      if (!arc.is_free || seen[arc.to]) continue;
      arc.is_free = false;
      if (!paths.are(others, root, arc.to)) {
        arc.is_free = true;
        continue;
      }
      seen[arc.to] = true;
      tree[arc.to] = number;
      reached.push_back(arc.to);
    }
  expects(reached.size() == nodes, "a tree reaches every node");
  return tree;
}

/// Trees that exchange their arcs into a node, by simulated annealing: the fewer nodes deeper than
/// wanted, the better.
class LoweredTrees {
 public:
  LoweredTrees(const std::vector<DirectedArc>& arcs, std::uint32_t root,
               std::vector<ArcsInto> trees)
      : arcs_(arcs), root_(root), trees_(std::move(trees)), free_(trees_.front().size()) {
    for (std::uint32_t number = 0; number < arcs.size(); ++number)
      if (arcs[number].is_free) free_[arcs[number].to].push_back(number);
    for (const ArcsInto& tree : trees_) depths_.push_back(depths_of(tree));
  }

  /// Until no tree is higher than `least`, or for so many attempts.
  void lower(std::uint64_t least, std::uint64_t attempts) {
    for (aim(); wanted_ >= least && attempts > 0; --attempts) {
      const std::uint64_t v = random_() % free_.size();
      const std::uint64_t tree = random_() % trees_.size();
      const std::uint64_t other = random_() % (trees_.size() + free_[v].size());
      if (v != root_ && tree != other) exchange(v, tree, other);
      if (excess_ == 0) aim();
    }
  }

  [[nodiscard]] std::vector<PackedTree> packed() const {
    std::vector<PackedTree> all(best_.size());
    for (std::size_t t = 0; t < best_.size(); ++t) {
      const std::vector<std::uint32_t> depths = depths_of(best_[t]);
      for (std::uint32_t v = 0; v < depths.size(); ++v)
        if (v != root_) all[t].push_back({arcs_[best_[t][v]], depths[v] - std::uint64_t{1}});
      std::ranges::stable_sort(all[t], {}, &TreeArc::depth);
    }
    std::ranges::sort(all, {}, height_of);
    return all;
  }

 private:
  /// The trees are the best ones so far, and the highest should be lower.
  void aim() {
    best_ = trees_;
    wanted_ = 0;
    for (const auto& depths : depths_)
      wanted_ = std::max<std::uint64_t>(wanted_, *std::ranges::max_element(depths) - 1);
    excess_ = 0;
    for (const auto& depths : depths_) excess_ += excess_of(depths);
  }

  void exchange(std::uint64_t v, std::uint64_t tree, std::uint64_t other) {
    const bool is_free = other >= trees_.size();
    std::uint32_t& own = trees_[tree][v];
    std::uint32_t& others = is_free ? free_[v][other - trees_.size()] : trees_[other][v];
    if (is_below(tree, arcs_[others].from, v)) return;
    if (!is_free && is_below(other, arcs_[own].from, v)) return;
    std::swap(own, others);
    std::vector<std::uint32_t> depths = depths_of(trees_[tree]);
    std::vector<std::uint32_t> other_depths =
        is_free ? std::vector<std::uint32_t>() : depths_of(trees_[other]);
    const std::uint64_t before =
        excess_of(depths_[tree]) + (is_free ? 0 : excess_of(depths_[other]));
    const std::uint64_t after = excess_of(depths) + excess_of(other_depths);
    // Worse by one: accepted once in 32 times; by two: once in 1,024.
    constexpr std::uint64_t bits_for_each = 5;
    const std::uint64_t bits = after > before ? (after - before) * bits_for_each : 0;
    if (bits > 60 || (random_() & ((std::uint64_t{1} << bits) - 1)) != 0) {
      std::swap(own, others);
      return;
    }
    excess_ = excess_ - before + after;
    depths_[tree] = std::move(depths);
    if (!is_free) depths_[other] = std::move(other_depths);
  }

  [[nodiscard]] bool is_below(std::uint64_t tree, std::uint32_t u, std::uint64_t v) const {
    while (u != v && u != root_) u = arcs_[trees_[tree][u]].from;
    return u == v;
  }
  [[nodiscard]] std::uint64_t excess_of(const std::vector<std::uint32_t>& depths) const {
    std::uint64_t excess = 0;
    for (const std::uint32_t depth : depths) excess += depth > wanted_ ? depth - wanted_ : 0;
    return excess;
  }
  [[nodiscard]] std::vector<std::uint32_t> depths_of(const ArcsInto& tree) const {
    std::vector<std::uint32_t> depths(tree.size());
    std::vector<std::uint32_t> way;
    for (std::uint32_t v = 0; v < tree.size(); ++v) {
      way.clear();
      for (std::uint32_t u = v; u != root_ && depths[u] == 0; u = arcs_[tree[u]].from)
        way.push_back(u);
      for (; !way.empty(); way.pop_back())
        depths[way.back()] = depths[arcs_[tree[way.back()]].from] + 1;
    }
    return depths;
  }

  const std::vector<DirectedArc>& arcs_;
  std::uint32_t root_;
  std::vector<ArcsInto> trees_;
  std::vector<std::vector<std::uint32_t>> free_;  // arcs of no tree, by the node they lead to
  std::vector<std::vector<std::uint32_t>> depths_;
  std::vector<ArcsInto> best_;
  std::uint64_t wanted_ = 0;
  std::uint64_t excess_ = 0;
  std::mt19937_64 random_{1973};
};

/// No packing is lower: with as many trees as the root has neighbours, each of these begins one.
[[nodiscard]] std::uint64_t least_height(const ErasedTopology& network, std::uint32_t root,
                                         std::uint64_t trees) {
  const std::size_t degree = network.degree(NodeId{root});
  if (trees < degree) return std::ranges::max(distances_from(network, NodeId{root}));
  std::uint64_t least = 0;
  for (std::size_t p = 0; p < degree; ++p) {
    std::vector<std::uint64_t> depth(network.node_count());
    std::vector<NodeId> reached{network.neighbor(NodeId{root}, port(p))};
    depth[index(reached.front())] = 1;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (std::size_t q = 0; q < network.degree(reached[i]); ++q) {
        const NodeId v = network.neighbor(reached[i], port(q));
        if (index(v) == root || depth[index(v)] != 0) continue;
        depth[index(v)] = depth[index(reached[i])] + 1;
        reached.push_back(v);
      }
    least = std::max(least, depth[index(reached.back())]);
  }
  return least;
}

[[nodiscard]] std::vector<PackedTree> packed_trees(const ErasedTopology& network,
                                                   std::uint32_t root) {
  const std::uint64_t nodes = network.node_count();
  if (nodes == 1) return {};
  ArcPaths paths(network);
  std::uint64_t count = network.degree(NodeId{root});
  for (std::uint32_t v = 0; v < nodes; ++v)
    while (v != root && !paths.are(count, root, v)) --count;
  std::vector<ArcsInto> trees;
  for (std::uint64_t others = count; others-- > 0;)
    trees.push_back(grown(paths, nodes, root, others));
  LoweredTrees lowered(paths.arcs(), root, std::move(trees));
  constexpr std::uint64_t most_looks = std::uint64_t{1} << 21U;  // at nodes: some hundredth second
  lowered.lower(least_height(network, root, count), most_looks / nodes);
  return lowered.packed();
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
  plan.sort_by_step();
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
