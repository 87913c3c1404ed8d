// SPDX-License-Identifier: Apache-2.0
#include "algorithm/run_trees.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <utility>

#include "lockstep/topology/metrics.hpp"
#include "topology/known_searches.hpp"

namespace lockstep {
namespace {

using Node = std::uint32_t;
constexpr Node no_node = std::numeric_limits<Node>::max();

using Neighbors = std::vector<std::vector<Node>>;

/// Those of the nearest numbers first, so that trees do not depend on the order of ports.
[[nodiscard]] Neighbors neighbors_of(const ErasedTopology& network) {
  Neighbors neighbors(network.node_count());
  for (Node u = 0; u < neighbors.size(); ++u) {
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      neighbors[u].push_back(static_cast<Node>(index(network.neighbor(NodeId{u}, port(p)))));
    std::ranges::sort(neighbors[u], {}, [u](Node there) {
      return std::pair(there < u ? u - there : there - u, there);
    });
  }
  return neighbors;
}

void shuffle(std::vector<Node>& nodes, std::mt19937_64& random) {
  for (std::size_t i = nodes.size(); i > 1; --i) std::swap(nodes[i - 1], nodes[random() % i]);
}

/// A spanning tree whose subtrees can be moved; at first breadth first. It is crowded where much
/// traffic meets at one node, or on one arc: crowding() is the sum of the fourth powers of the
/// blocks there. A move changes only what is above the two places of the subtree.
class MovableTree {
 public:
  MovableTree(const Neighbors& neighbors, Node processors, Ports ports, Node root)
      : processors_(processors),
        words_((processors + word_bits - 1) / word_bits),
        ports_(ports),
        root_(root),
        parent_(neighbors.size(), no_node),
        below_(neighbors.size() * words_),
        sent_(neighbors.size()),
        received_(neighbors.size()) {
    std::vector<Node> reached{root};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const Node there : neighbors[reached[i]]) {
        if (there == root || parent_[there] != no_node) continue;
        parent_[there] = reached[i];
        reached.push_back(there);
      }
    for (Node u = 0; u < processors; ++u)
      below_[u * words_ + u / word_bits] = std::uint64_t{1} << u % word_bits;
    for (std::size_t i = reached.size(); i-- > 1;) {
      const Node u = reached[i];
      change_below<std::bit_or<>>(parent_[u], u);
      count_link(u, 1);
    }
  }

  [[nodiscard]] Node parent(Node node) const { return parent_[node]; }
  [[nodiscard]] bool is_root(Node node) const { return node == root_; }
  [[nodiscard]] bool is_below(Node node, Node ancestor) const {
    while (node != ancestor && node != root_) node = parent_[node];
    return node == ancestor;
  }
  [[nodiscard]] std::uint64_t crowding() const noexcept { return crowding_; }
  void move(Node child, Node parent) {
    count_link(child, minus_one);
    change_above<std::bit_xor<>>(child);
    parent_[child] = parent;
    change_above<std::bit_or<>>(child);
    count_link(child, 1);
  }

  [[nodiscard]] std::uint64_t height() const {
    std::uint64_t height = 0;
    for (Node u = 0; u < parent_.size(); ++u) {
      std::uint64_t depth = 0;
      for (Node v = u; parent_[v] != no_node; v = parent_[v]) ++depth;
      height = std::max(height, depth);
    }
    return height;
  }
  /// Parents before their children, level by level; the children of a node by their numbers.
  [[nodiscard]] TreeLinks links() const {
    std::vector<Node> first(parent_.size(), no_node);
    std::vector<Node> next(parent_.size(), no_node);
    for (Node u = static_cast<Node>(parent_.size()); u-- > 0;)
      if (u != root_) next[u] = std::exchange(first[parent_[u]], u);
    TreeLinks links;
    const auto add_children = [&](Node u) {
      for (Node child = first[u]; child != no_node; child = next[child])
        links.push_back({u, child});
    };
    add_children(root_);
    for (std::size_t i = 0; i < links.size(); ++i) add_children(links[i].child);
    return links;
  }

 private:
  static constexpr std::uint64_t word_bits = 64;
  static constexpr std::uint64_t minus_one = ~std::uint64_t{0};

  [[nodiscard]] std::span<std::uint64_t> below(Node node) {
    return std::span(below_).subspan(node * words_, words_);
  }
  /// Adds the processors below `part` to those below `node`, or takes them away.
  template <class Change>
  void change_below(Node node, Node part) {
    const std::span<std::uint64_t> all = below(node);
    const std::span<const std::uint64_t> changed = below(part);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = Change{}(all[i], changed[i]);
  }
  template <class Change>
  void change_above(Node child) {
    for (Node u = parent_[child]; u != root_; u = parent_[u]) {
      count_link(u, minus_one);
      change_below<Change>(u, child);
      count_link(u, 1);
    }
  }
  /// Runs of consecutive numbers below the node.
  [[nodiscard]] std::uint64_t run_count(Node node) {
    std::uint64_t runs = 0;
    std::uint64_t carry = 0;  // whether the number before is below it
    for (const std::uint64_t word : below(node)) {
      runs += static_cast<std::uint64_t>(std::popcount(word & ~(word << 1U | carry)));
      carry = word >> (word_bits - 1);
    }
    return runs;
  }

  [[nodiscard]] static std::uint64_t fourth_power(std::uint64_t n) noexcept {
    return n * n * n * n;
  }
  void count_blocks(std::uint64_t& blocks, std::uint64_t change) noexcept {
    crowding_ -= fourth_power(blocks);
    blocks += change;
    crowding_ += fourth_power(blocks);
  }
  /// Adds the traffic between a node and its parent, or takes it away (`sign` minus_one).
  void count_link(Node node, std::uint64_t sign) {
    const std::span<const std::uint64_t> numbers = below(node);
    const std::uint64_t runs = run_count(node);
    const auto contains = [&](Node number) {
      return numbers[number / word_bits] >> number % word_bits & 1U;
    };
    const std::uint64_t up = runs - contains(processors_ - 1);
    const std::uint64_t down = runs - contains(0);
    if (ports_ == Ports::all) {
      crowding_ += sign * (fourth_power(up) + fourth_power(down));
      return;
    }
    count_blocks(sent_[node], sign * up);
    count_blocks(received_[node], sign * down);
    count_blocks(sent_[parent_[node]], sign * down);
    count_blocks(received_[parent_[node]], sign * up);
  }

  Node processors_;
  std::uint64_t words_;  // of the processors below a node, one bit each
  Ports ports_;
  Node root_;
  std::vector<Node> parent_;
  std::vector<std::uint64_t> below_;
  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> received_;
  std::uint64_t crowding_ = 0;
};

struct FoundTree {
  std::uint64_t crowding;
  std::uint64_t height;
  TreeLinks links;
};

/// Moves subtrees to other neighbours as long as that makes the tree less crowded.
[[nodiscard]] FoundTree less_crowded(MovableTree tree, const Neighbors& neighbors,
                                     std::mt19937_64& random) {
  std::uint64_t least = tree.crowding();
  std::vector<Node> order(neighbors.size());
  std::iota(order.begin(), order.end(), Node{0});
  for (bool is_better = true; std::exchange(is_better, false);) {
    shuffle(order, random);
    for (const Node u : order) {
      if (tree.is_root(u)) continue;
      for (const Node there : neighbors[u]) {
        const Node before = tree.parent(u);
        if (there == before || tree.is_below(there, u)) continue;
        tree.move(u, there);
        if (tree.crowding() < least) {
          least = tree.crowding();
          is_better = true;
        } else {
          tree.move(u, before);
        }
      }
    }
  }
  return {least, tree.height(), tree.links()};
}

[[nodiscard]] RunTree with_runs(const ErasedTopology& network, TreeLinks links) {
  RunTree tree{.links = std::move(links),
               .runs = std::vector<std::vector<NumberRun>>(network.node_count())};
  for (Node u = 0; u < network.processor_count(); ++u) tree.runs[u] = {{u, u}};
  const auto join = [](std::vector<NumberRun>& runs) {
    std::ranges::sort(runs, {}, &NumberRun::first);
    std::size_t last = 0;
    for (std::size_t i = 1; i < runs.size(); ++i) {
      if (runs[i].first == runs[last].last + 1)
        runs[last].last = runs[i].last;
      else
        runs[++last] = runs[i];
    }
    if (!runs.empty()) runs.resize(last + 1);
  };
  for (auto link = tree.links.rbegin(); link != tree.links.rend(); ++link) {
    std::vector<NumberRun>& below = tree.runs[link->child];
    join(below);
    std::vector<NumberRun>& all = tree.runs[link->parent];
    all.insert(all.end(), below.begin(), below.end());
  }
  join(tree.runs[tree.root()]);
  return tree;
}

/// The node from which the farthest processor is least far away.
[[nodiscard]] NodeId centre(const ErasedTopology& network) {
  NodeId best{};
  std::uint32_t least = no_node;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    const std::vector<std::uint32_t> distances = distances_from(network, NodeId{u});
    const auto end = distances.begin() + static_cast<std::ptrdiff_t>(network.processor_count());
    const std::uint32_t farthest = *std::max_element(distances.begin(), end);
    if (farthest >= least) continue;
    least = farthest;
    best = NodeId{u};
  }
  return best;
}

[[nodiscard]] std::vector<RunTree> searched_trees(const ErasedTopology& network, Ports ports) {
  const std::uint64_t nodes = network.node_count();
  const auto processors = static_cast<Node>(network.processor_count());
  std::mt19937_64 random;
  Neighbors neighbors = neighbors_of(network);
  auto root = static_cast<Node>(index(centre(network)));
  const auto lowest = [&] { return MovableTree(neighbors, processors, ports, root); };
  const auto reverse_all = [&] {
    for (std::vector<Node>& around : neighbors) std::ranges::reverse(around);
  };
  std::vector<RunTree> trees{with_runs(network, lowest().links())};
  if (nodes == 1) return trees;
  reverse_all();
  trees.push_back(with_runs(network, lowest().links()));
  if (nodes > most_searched_run_trees) return trees;

  constexpr std::uint64_t most_work = std::uint64_t{1} << 20U;  // a tenth of a second
  const std::uint64_t tries = std::clamp<std::uint64_t>(most_work / (nodes * nodes), 16, 512);
  std::vector<FoundTree> found;
  for (std::uint64_t i = 0; i < tries; ++i) {
    found.push_back(less_crowded(lowest(), neighbors, random));
    if (i == 0) {
      reverse_all();
      continue;
    }
    root = static_cast<Node>(random() % nodes);
    for (std::vector<Node>& around : neighbors) shuffle(around, random);
  }
  constexpr std::size_t most_kept = 16;
  std::ranges::stable_sort(
      found, {}, [](const FoundTree& tree) { return std::pair(tree.crowding, tree.height); });
  found.resize(std::min(found.size(), most_kept));
  for (auto& [crowding, height, links] : found)
    trees.push_back(with_runs(network, std::move(links)));
  return trees;
}

}  // namespace

std::vector<RunTree> run_trees(const ErasedTopology& network, Ports ports) {
  static KnownSearches<Ports, std::vector<RunTree>> known;
  return known.of(network, ports, [&] { return searched_trees(network, ports); });
}

bool has_tree_of_single_runs(const ErasedTopology& network) {
  return std::ranges::any_of(run_trees(network, Ports::all), [](const RunTree& tree) {
    return std::ranges::all_of(tree.runs, [](const auto& runs) { return runs.size() <= 1; });
  });
}

}  // namespace lockstep
