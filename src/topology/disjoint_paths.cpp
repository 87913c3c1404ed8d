// SPDX-License-Identifier: Apache-2.0
#include "topology/disjoint_paths.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "core/invalid.hpp"
#include "core/max_flow.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/expects.hpp"
#include "topology/product_factors.hpp"

namespace lockstep {
namespace {

/// Each once, whatever the lanes.
[[nodiscard]] std::vector<NodeId> neighbors_of(const ErasedTopology& network, NodeId u) {
  std::vector<NodeId> all;
  for (std::size_t p = 0; p < network.degree(u); ++p) all.push_back(network.neighbor(u, port(p)));
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Two nodes of a graph, and what lies between them: disjoint paths, the shortest first; or the
/// neighbours of the node, where both are the same.
struct Ends {
  NodeId from{};
  NodeId to{};
  std::vector<Path> paths{};
  std::vector<NodeId> neighbors{};

  [[nodiscard]] bool differ() const noexcept { return from != to; }
};

[[nodiscard]] NodeId at(NodeId one, NodeId other) { return NodeId{index(one) + index(other)}; }

/// Walks through the product: `path` in one factor, the coordinate of the other kept.
void walk(Path& all, std::span<const NodeId> path, NodeId other) {
  for (const NodeId u : path)
    if (const NodeId next = at(u, other); all.empty() || all.back() != next) all.push_back(next);
}

/// A path of the first graph that leaves the row of `b` at once: one hop, `across` in the column of
/// that node, the rest in the row of `b_to`.
[[nodiscard]] Path by_way_of(const Path& path, const Path& across) {
  Path all;
  walk(all, std::span(path).first(2), across.front());
  walk(all, across, path[1]);
  walk(all, std::span(path).subspan(1), across.back());
  return all;
}

/// The paths if one graph's nodes differ and the other's do not: all its paths, and its shortest
/// one from every neighbour of the other's node.
void only_one_differs(const Ends& one, const Ends& other, std::vector<Path>& paths) {
  for (const Path& path : one.paths) walk(paths.emplace_back(), path, other.from);
  for (const NodeId z : other.neighbors) {
    Path& all = paths.emplace_back();
    all.push_back(at(one.from, other.from));
    walk(all, one.paths.front(), z);
    all.push_back(at(one.to, other.from));
  }
}

/// The ends in the product of two graphs. A node of the product is the sum of its coordinates.
[[nodiscard]] Ends folded(const Ends& a, const Ends& b) {
  Ends both{.from = at(a.from, b.from), .to = at(a.to, b.to)};
  if (!a.differ() && !b.differ()) {
    for (const NodeId y : a.neighbors) both.neighbors.push_back(at(y, b.from));
    for (const NodeId z : b.neighbors) both.neighbors.push_back(at(a.from, z));
    return both;
  }
  if (!b.differ()) {
    only_one_differs(a, b, both.paths);
  } else if (!a.differ()) {
    only_one_differs(b, a, both.paths);
  } else {
    const Path& p = a.paths.front();
    const Path& q = b.paths.front();
    Path& rows_first = both.paths.emplace_back();
    walk(rows_first, p, b.from);
    walk(rows_first, q, a.to);
    Path columns_first;
    walk(columns_first, q, a.from);
    walk(columns_first, p, b.to);
    both.paths.push_back(std::move(columns_first));
    for (const Path& other : std::span(a.paths).subspan(1))
      both.paths.push_back(by_way_of(other, q));
    for (const Path& other : std::span(b.paths).subspan(1))
      both.paths.push_back(by_way_of(other, p));
  }
  std::ranges::stable_sort(both.paths, {}, &Path::size);
  return both;
}

void check_ends(const ErasedTopology& network, NodeId from, NodeId to) {
  for (const NodeId end : {from, to})
    if (index(end) >= network.node_count())
      throw invalid("{}: node {} is not valid; allowed: 0..{}", network.name(), index(end),
                    network.node_count() - 1);
  if (from == to)
    throw invalid("{}: two different nodes are needed, but both are {}", network.name(),
                  network.label(from));
}

}  // namespace

/// Every node but the ends lets one unit pass: it is two nodes of the flow, with an arc of capacity
/// 1 from its entry 2u to its exit 2u + 1.
std::vector<Path> most_disjoint_paths(const ErasedTopology& network, NodeId from, NodeId to) {
  check_ends(network, from, to);
  constexpr std::uint64_t most_nodes = 100'000;
  if (network.node_count() > most_nodes)
    throw invalid("{}: disjoint paths by a flow through {} nodes; allowed: {}", network.name(),
                  grouped(network.node_count()), grouped(most_nodes));
  const std::uint64_t nodes = network.node_count();
  FlowNetwork flow(2 * nodes);
  for (std::uint64_t u = 0; u < nodes; ++u) flow.add_arc(2 * u, 2 * u + 1, 1);
  std::vector<std::vector<std::pair<std::size_t, NodeId>>> arcs(nodes);
  for (std::uint64_t u = 0; u < nodes; ++u)
    for (const NodeId v : neighbors_of(network, NodeId{u}))
      if (v != from && NodeId{u} != to)
        arcs[u].emplace_back(flow.add_arc(2 * u + 1, 2 * index(v), 1), v);
  const std::int64_t count = flow.maximum(2 * index(from) + 1, 2 * index(to));
  std::vector<Path> paths;
  for (auto& [arc, first] : arcs[index(from)]) {
    if (flow.through(arc) == 0) continue;
    Path& path = paths.emplace_back(Path{from, first});
    while (path.back() != to)
      for (const auto& [next, v] : arcs[index(path.back())])
        if (flow.through(next) != 0) {
          path.push_back(v);
          break;
        }
  }
  expects(static_cast<std::int64_t>(paths.size()) == count, "a unit of flow is a path");
  std::ranges::stable_sort(paths, {}, &Path::size);
  return paths;
}

std::vector<Path> disjoint_paths(const ErasedTopology& network, NodeId from, NodeId to) {
  check_ends(network, from, to);
  const std::vector<ProductFactor> factors = product_factors(network);
  if (factors.size() < 2) return most_disjoint_paths(network, from, to);
  std::optional<Ends> all;
  for (const ProductFactor& factor : factors) {
    const auto scaled = [&](NodeId u) { return NodeId{index(u) * factor.stride}; };
    const NodeId a = factor.coordinate(from);
    const NodeId b = factor.coordinate(to);
    Ends own{.from = scaled(a), .to = scaled(b)};
    if (a == b)
      for (const NodeId u : neighbors_of(factor.topology, a)) own.neighbors.push_back(scaled(u));
    else
      own.paths = disjoint_paths(factor.topology, a, b);
    for (Path& path : own.paths) std::ranges::transform(path, path.begin(), scaled);
    all = all ? folded(*all, own) : std::move(own);
  }
  return all->paths;
}

}  // namespace lockstep
