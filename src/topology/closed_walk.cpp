// SPDX-License-Identifier: Apache-2.0
#include "topology/closed_walk.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>
#include <variant>

#include "lockstep/topology/network_shapes.hpp"
#include "lockstep/topology/spanning_tree.hpp"
#include "topology/known_searches.hpp"
#include "topology/product_factors.hpp"

namespace lockstep {
namespace {

/// A path through all nodes of a graph, and whether its ends are neighbours.
struct FoundPath {
  std::vector<std::uint64_t> nodes;
  bool is_cycle = false;
};

/// A path that grows, and turns where it cannot.
class PosaSearch {
 public:
  PosaSearch(const ErasedTopology& network, std::uint64_t start, std::uint64_t seed)
      : network_(network),
        place_(network.node_count(), outside),
        outside_neighbors_(network.node_count()),
        random_(seed) {
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      outside_neighbors_[u] = network.degree(NodeId{u});
    append(start);
  }

  [[nodiscard]] std::optional<FoundPath> run(bool cycle) {
    std::uint64_t turns = 200 + 10 * network_.node_count();
    while (true) {
      if (path_.size() == network_.node_count()) {
        const bool closed =
            path_.size() > 2 && port_to(network_, NodeId{path_.back()}, NodeId{path_.front()});
        if (closed || !cycle) return FoundPath{path_, closed};
      } else if (extend()) {
        continue;
      }
      if (turns-- == 0 || !turn()) return std::nullopt;
    }
  }

 private:
  static constexpr std::uint64_t outside = std::numeric_limits<std::uint64_t>::max();

  void append(std::uint64_t u) {
    place_[u] = path_.size();
    path_.push_back(u);
    for (std::size_t p = 0; p < network_.degree(NodeId{u}); ++p)
      --outside_neighbors_[index(network_.neighbor(NodeId{u}, port(p)))];
  }

  bool extend() {
    const NodeId end{path_.back()};
    std::uint64_t best = outside;
    for (std::size_t p = 0; p < network_.degree(end); ++p) {
      const std::uint64_t v = index(network_.neighbor(end, port(p)));
      if (place_[v] == outside &&
          (best == outside || outside_neighbors_[v] < outside_neighbors_[best]))
        best = v;
    }
    if (best == outside) return false;
    append(best);
    return true;
  }

  /// A neighbour of the end on the path gets the end behind it; what was behind it turns round.
  bool turn() {
    const NodeId end{path_.back()};
    std::vector<std::uint64_t> places;
    for (std::size_t p = 0; p < network_.degree(end); ++p) {
      const std::uint64_t at = place_[index(network_.neighbor(end, port(p)))];
      if (at != outside && at + 2 < path_.size()) places.push_back(at);
    }
    if (places.empty()) return false;
    const std::uint64_t at = places[random_() % places.size()];
    std::reverse(path_.begin() + static_cast<std::ptrdiff_t>(at) + 1, path_.end());
    for (std::uint64_t i = at + 1; i < path_.size(); ++i) place_[path_[i]] = i;
    return true;
  }

  const ErasedTopology& network_;
  std::vector<std::uint64_t> place_;
  std::vector<std::uint64_t> outside_neighbors_;
  std::vector<std::uint64_t> path_;
  std::mt19937_64 random_;
};

/// A cycle where one is found, else a path.
[[nodiscard]] std::optional<FoundPath> searched(const ErasedTopology& network) {
  const std::uint64_t nodes = network.node_count();
  if (nodes > most_walked_nodes && network.max_degree() > 2) return std::nullopt;
  std::uint64_t end = 0;  // a path ends where there are the fewest links
  for (std::uint64_t u = 1; u < nodes; ++u)
    if (network.degree(NodeId{u}) < network.degree(NodeId{end})) end = u;
  constexpr std::uint64_t tries = 3;
  for (const bool cycle : {true, false}) {
    if (cycle && (nodes < 3 || network.degree(NodeId{end}) < 2)) continue;
    for (std::uint64_t i = 0; i < tries; ++i)
      if (auto found = PosaSearch(network, i == 0 ? end : i * nodes / tries, i).run(cycle))
        return found;
  }
  return std::nullopt;
}

/// Row by row through the grid of two paths. With a way back: along the first column, in the end.
[[nodiscard]] std::vector<std::uint64_t> snake(const FoundPath& rows, const FoundPath& columns,
                                               bool with_way_back) {
  std::vector<std::uint64_t> nodes;
  const std::size_t first = with_way_back ? 1 : 0;
  const std::size_t width = columns.nodes.size();
  if (with_way_back) nodes.push_back(rows.nodes.front() + columns.nodes.front());
  for (std::size_t r = 0; r < rows.nodes.size(); ++r)
    for (std::size_t c = first; c < width; ++c)
      nodes.push_back(rows.nodes[r] + columns.nodes[r % 2 == 0 ? c : width - 1 - (c - first)]);
  for (std::size_t r = rows.nodes.size(); with_way_back && --r > 0;)
    nodes.push_back(rows.nodes[r] + columns.nodes.front());
  return nodes;
}

/// If the number of rows is even, the snake ends beside the column of its way back; where it is
/// odd, at the other end of its row, from where a cycle of columns leads there.
[[nodiscard]] FoundPath of_product(const FoundPath& a, const FoundPath& b) {
  const auto even = [](const FoundPath& path) { return path.nodes.size() % 2 == 0; };
  if (a.nodes.size() == 1 || b.nodes.size() == 1)
    return {snake(a, b, false), a.nodes.size() == 1 ? b.is_cycle : a.is_cycle};
  if (even(a) || b.is_cycle) return {snake(a, b, true), true};
  if (even(b) || a.is_cycle) return {snake(b, a, true), true};
  return {snake(a, b, false), false};
}

[[nodiscard]] std::optional<FoundPath> path_through(const ErasedTopology& network) {
  const std::vector<ProductFactor> factors = product_factors(network);
  if (factors.size() < 2) return searched(network);
  std::optional<FoundPath> all;
  for (const ProductFactor& factor : factors) {
    std::optional<FoundPath> own = path_through(factor.topology);
    if (!own) return searched(network);
    for (std::uint64_t& u : own->nodes) u *= factor.stride;
    all = all ? of_product(*all, *own) : *std::move(own);
  }
  return all;
}

/// Empty where none is found.
[[nodiscard]] ClosedWalk searched_cycle(const ErasedTopology& network) {
  std::optional<FoundPath> found = path_through(network);
  if (!found || !found->is_cycle) found = searched(network);
  ClosedWalk walk;
  if (!found || !found->is_cycle) return walk;
  for (const std::uint64_t u : found->nodes) walk.push_back(NodeId{u});
  return walk;
}

}  // namespace

std::optional<ClosedWalk> hamiltonian_cycle(const ErasedTopology& network) {
  if (network.processor_count() != network.node_count()) return std::nullopt;
  static KnownSearches<std::monostate, ClosedWalk> known;
  ClosedWalk walk = known.of(network, std::monostate{}, [&] { return searched_cycle(network); });
  if (walk.empty()) return std::nullopt;
  return walk;
}

std::optional<ClosedWalk> hamiltonian_cycle_from(const ErasedTopology& network, NodeId start) {
  std::optional<ClosedWalk> cycle = hamiltonian_cycle(network);
  if (cycle) std::rotate(cycle->begin(), std::ranges::find(*cycle, start), cycle->end());
  return cycle;
}

bool admits_cycle(const ErasedTopology& network) {
  return network.node_count() <= most_searched_nodes && shapes::hamiltonian.holds(network);
}

ClosedWalk tree_walk(const ErasedTopology& network) {
  const SpanningTree tree = SpanningTree::of_processors(network, NodeId{0});
  ClosedWalk walk{tree.root()};
  std::vector<std::size_t> next(network.node_count());  // child
  for (NodeId u = tree.root();;) {
    const auto children = tree.children(u);
    if (next[index(u)] < children.size())
      u = NodeId{children[next[index(u)]++].node};
    else if (u != tree.root())
      u = network.neighbor(u, tree.parent_port(u));
    else
      break;
    walk.push_back(u);
  }
  if (walk.size() > 1) walk.pop_back();  // the root again
  return walk;
}

}  // namespace lockstep
