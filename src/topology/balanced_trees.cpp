// SPDX-License-Identifier: Apache-2.0
#include "topology/balanced_trees.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/metrics.hpp"
#include "topology/rule_trees.hpp"

namespace lockstep {
namespace {

/// [i, j] of section 3.4.2: i east and j north of the root.
struct PlanePoint {
  std::int64_t east;
  std::int64_t north;

  friend bool operator==(const PlanePoint&, const PlanePoint&) = default;
};

/// The four trees of the thesis: A north-east, B south-east, C south-west, D north-west. Their
/// roots are the neighbours [0,1], [1,0], [0,-1], [-1,0] of the root.
class TorusRegions {
 public:
  TorusRegions(std::int64_t rows, std::int64_t columns)
      : even_rows_(rows % 2 == 0),
        even_columns_(columns % 2 == 0),
        four_columns_(even_rows_ && columns == 4),
        north_(rows / 2),
        south_((rows - 1) / 2),
        west_((columns - 1) / 2) {}

  /// The parent of any point but the root.
  [[nodiscard]] PlanePoint parent(PlanePoint at) const {
    if (const std::optional<PlanePoint> moved = moved_corner(at)) return *moved;
    if (std::abs(at.east) + std::abs(at.north) == 1) return {0, 0};
    if (at.east == 0 || at.north == 0) return parent_on_axis(at);
    return parent_in_region(at);
  }

 private:
  /// The points that change their region for the sake of balance: errata E5.
  [[nodiscard]] std::optional<PlanePoint> moved_corner(PlanePoint at) const {
    if (four_columns_) {
      if (at == PlanePoint{1, north_}) return PlanePoint{1, -south_};
      if (at == PlanePoint{2, -south_}) return PlanePoint{-1, -south_};
      if (at == PlanePoint{2, 0}) return PlanePoint{1, 0};
      return std::nullopt;
    }
    if (even_rows_ && at == PlanePoint{-west_, 1}) return PlanePoint{-west_, 0};
    if (even_columns_ && at == PlanePoint{1, north_}) return PlanePoint{0, north_};
    return std::nullopt;
  }

  /// Which of its two regions a point of an axis hangs on.
  [[nodiscard]] PlanePoint parent_on_axis(PlanePoint at) const {
    const bool odd = (at.east + at.north) % 2 != 0;
    if (at.east == 0 && at.north > 0) return {!even_columns_ && odd ? 1 : -1, at.north};
    if (at.east == 0) return {!even_columns_ && !odd ? 1 : -1, at.north};
    if (at.east > 0) return {at.east, !even_rows_ && !odd ? 1 : -1};
    return {at.east, !even_rows_ && odd ? 1 : -1};
  }

  [[nodiscard]] static PlanePoint parent_in_region(PlanePoint at) {
    const std::int64_t inward_east = at.east > 0 ? -1 : 1;
    const std::int64_t inward_north = at.north > 0 ? -1 : 1;
    const bool spine_is_row = (at.east > 0) == (at.north > 0);  // of A and C; else a column
    if (spine_is_row ? at.north == -inward_north : at.east != -inward_east)
      return {at.east + inward_east, at.north};
    return {at.east, at.north + inward_north};
  }

  bool even_rows_;
  bool even_columns_;
  bool four_columns_;
  std::int64_t north_;
  std::int64_t south_;
  std::int64_t west_;
};

/// The tree of a torus whose numbers are row and column.
[[nodiscard]] SpanningTree torus_tree(const ErasedTopology& network, std::int64_t rows,
                                      std::int64_t columns, NodeId root) {
  const TorusRegions regions(rows, columns);
  const auto row = static_cast<std::int64_t>(index(root)) / columns;
  const auto column = static_cast<std::int64_t>(index(root)) % columns;
  const auto centred = [](std::int64_t distance, std::int64_t side) {  // -(side - 1)/2 .. side/2
    const std::int64_t up = (distance % side + side) % side;
    return up <= side / 2 ? up : up - side;
  };
  return tree_by(network, root, [&](NodeId u) {
    const auto number = static_cast<std::int64_t>(index(u));
    const PlanePoint parent = regions.parent(
        {centred(number % columns - column, columns), centred(row - number / columns, rows)});
    const std::int64_t r = (row - parent.north + rows) % rows;
    const std::int64_t c = (column + parent.east + columns) % columns;
    return NodeId{static_cast<std::uint64_t>(r * columns + c)};
  });
}

/// Every node joins one of the subtrees of the neighbours that are one level closer to the root.
class EvenSubtrees {
 public:
  EvenSubtrees(const ErasedTopology& network, NodeId root)
      : network_(network),
        root_(root),
        distances_(distances_from(network, root)),
        subtree_(network.node_count(), none),
        sizes_(network.degree(root)),
        parents_(network.node_count()) {
    std::vector<std::vector<std::uint32_t>> levels;
    for (std::uint32_t u = 0; u < distances_.size(); ++u) {
      if (levels.size() <= distances_[u]) levels.resize(distances_[u] + std::size_t{1});
      levels[distances_[u]].push_back(u);
    }
    for (std::size_t level = 1; level < levels.size(); ++level) join(levels[level]);
    constexpr std::uint64_t most_looks = 4'000'000;
    constexpr std::size_t most_subtrees = 256;
    if (sizes_.size() < 2 || sizes_.size() > most_subtrees) return;
    moves_.resize(sizes_.size() * sizes_.size());
    for (std::uint64_t looks = 0; looks < most_looks; looks += network.node_count())
      if (!push_leaves()) return;
  }

  [[nodiscard]] const std::vector<Port>& parents() const noexcept { return parents_; }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] bool is_closer(NodeId u, Port p) const {
    return distances_[index(network_.neighbor(u, p))] + 1 == distances_[index(u)];
  }
  /// Through this port of u. Precondition: is_closer(u, p).
  [[nodiscard]] std::uint32_t subtree_through(NodeId u, Port p) const {
    const NodeId parent = network_.neighbor(u, p);
    return parent == root_ ? index(network_.reverse_port(u, p)) : subtree_[index(parent)];
  }

  void join(const std::vector<std::uint32_t>& level) {
    std::vector<std::pair<std::size_t, std::uint32_t>> by_choices;
    for (const std::uint32_t u : level) {
      std::vector<std::uint32_t> choices;
      for (std::size_t p = 0; p < network_.degree(NodeId{u}); ++p)
        if (is_closer(NodeId{u}, port(p))) choices.push_back(subtree_through(NodeId{u}, port(p)));
      std::ranges::sort(choices);
      choices.erase(std::unique(choices.begin(), choices.end()), choices.end());
      by_choices.emplace_back(choices.size(), u);
    }
    std::ranges::sort(by_choices);
    for (const auto& [choices, u] : by_choices) join(NodeId{u});
  }

  void join(NodeId u) {
    std::uint32_t best = none;
    for (std::size_t p = 0; p < network_.degree(u); ++p) {
      if (!is_closer(u, port(p))) continue;
      const std::uint32_t subtree = subtree_through(u, port(p));
      if (best != none && sizes_[subtree] >= sizes_[best]) continue;
      best = subtree;
      parents_[index(u)] = port(p);
    }
    subtree_[index(u)] = best;
    sizes_[best] += static_cast<std::uint64_t>(index(u) < network_.processor_count());
  }

  /// A leaf of the tree, and the port to a parent in another subtree.
  struct Move {
    NodeId leaf;
    Port to;
  };
  using Moves = std::vector<Move>;

  [[nodiscard]] Moves& moves(std::uint32_t from, std::uint32_t to) {
    return moves_[from * sizes_.size() + to];
  }

  /// Leaves that can change their subtree, for each pair of subtrees a limited number.
  void find_moves() {
    constexpr std::size_t most_of_all = std::size_t{1} << 20U;
    const std::size_t most = std::max<std::size_t>(most_of_all / moves_.size(), 1);
    for (Moves& of_a_pair : moves_) of_a_pair.clear();
    children_.assign(network_.node_count(), 0);
    for (std::uint64_t u = 0; u < network_.node_count(); ++u)
      if (NodeId{u} != root_) ++children_[index(network_.neighbor(NodeId{u}, parents_[u]))];
    for (std::uint64_t i = 0; i < network_.processor_count(); ++i) {
      const NodeId u{i};
      if (children_[i] != 0 || u == root_) continue;
      for (std::size_t p = 0; p < network_.degree(u); ++p) {
        if (!is_closer(u, port(p)) || network_.neighbor(u, port(p)) == root_) continue;
        Moves& found = moves(subtree_[i], subtree_through(u, port(p)));
        if (found.size() < most) found.push_back({u, port(p)});
      }
    }
  }

  /// Moves leaves along chains of subtrees, each from a largest one to one that is smaller by two
  /// or more, until there is no such chain. Whether any leaf moved.
  [[nodiscard]] bool push_leaves() {
    find_moves();
    bool any = false;
    for (;;) {
      const auto largest =
          static_cast<std::uint32_t>(std::ranges::max_element(sizes_) - sizes_.begin());
      std::vector<std::uint32_t> before(sizes_.size(), none);
      std::vector<std::uint32_t> reached{largest};
      before[largest] = largest;
      std::uint32_t last = largest;
      for (std::size_t i = 0; i < reached.size() && last == largest; ++i) {
        if (sizes_[reached[i]] + 1 < sizes_[largest]) last = reached[i];
        for (std::uint32_t to = 0; to < sizes_.size(); ++to)
          if (before[to] == none && !moves(reached[i], to).empty()) {
            before[to] = reached[i];
            reached.push_back(to);
          }
      }
      if (last == largest) return any;
      any |= push_along(before, largest, last);
    }
  }

  /// As many as make the ends of the chain equal, or as there are. Each of the chain's lists loses
  /// a leaf at least, so that the search ends.
  [[nodiscard]] bool push_along(const std::vector<std::uint32_t>& before, std::uint32_t largest,
                                std::uint32_t last) {
    bool any = false;
    for (std::uint64_t rest = (sizes_[largest] - sizes_[last]) / 2; rest != 0; --rest)
      for (std::uint32_t to = last; to != largest; to = before[to]) {
        Moves& possible = moves(before[to], to);
        if (possible.empty()) return any;
        const Move move = possible.back();
        possible.pop_back();
        if (!apply(move, before[to], to)) return any;
        any = true;
      }
    return any;
  }

  /// Whether the leaf, and its new parent, are still where they were.
  [[nodiscard]] bool apply(Move move, std::uint32_t from, std::uint32_t to) {
    const std::uint64_t leaf = index(move.leaf);
    if (subtree_[leaf] != from || children_[leaf] != 0 || subtree_through(move.leaf, move.to) != to)
      return false;
    --children_[index(network_.neighbor(move.leaf, parents_[leaf]))];
    ++children_[index(network_.neighbor(move.leaf, move.to))];
    parents_[leaf] = move.to;
    subtree_[leaf] = to;
    --sizes_[from];
    ++sizes_[to];
    return true;
  }

  const ErasedTopology& network_;
  NodeId root_;
  std::vector<std::uint32_t> distances_;
  std::vector<std::uint32_t> subtree_;  // the root's port that leads to it
  std::vector<std::uint64_t> sizes_;
  std::vector<Port> parents_;
  std::vector<std::uint32_t> children_;  // of each node
  std::vector<Moves> moves_;             // by the subtree they leave and the one they join
};

/// The sides of a torus of two dimensions, both of 3 or more; otherwise 0.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> sides_of(const ErasedTopology& network) {
  const Torus* const torus = network.as<Torus>();
  const NodeId zero{0};
  if (torus == nullptr || torus->max_degree() != 4 ||
      torus->reverse_port(zero, Port{0}) != Port{1} ||
      torus->reverse_port(zero, Port{2}) != Port{3})
    return {0, 0};
  const std::uint64_t columns = index(torus->neighbor(zero, Port{0}));
  return {static_cast<std::int64_t>(torus->node_count() / columns),
          static_cast<std::int64_t>(columns)};
}

}  // namespace

SpanningTree balanced_tree(const ErasedTopology& network, NodeId root) {
  constexpr std::int64_t least_side = 4;
  if (const auto [rows, columns] = sides_of(network); std::min(rows, columns) >= least_side)
    return torus_tree(network, rows, columns, root);
  SpanningTree tree(network, root, EvenSubtrees(network, root).parents());
  tree.keep_processors(network.processor_count());
  return tree;
}

}  // namespace lockstep
