// SPDX-License-Identifier: Apache-2.0
#include "topology/prime_form.hpp"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <cstdint>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cartesian_product.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/ring.hpp"
#include "topology/graph_shapes.hpp"

namespace lockstep {
namespace {

using Node = std::uint32_t;
using JoinedSets = boost::disjoint_sets_with_storage<>;

struct NumberedLink {
  Node one;
  Node other;
};

/// Each link once.
[[nodiscard]] std::vector<NumberedLink> links_of(const Network& network) {
  std::vector<NumberedLink> links;
  for (Node u = 0; u < network.node_count(); ++u)
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      if (const auto v = static_cast<Node>(index(network.neighbor(NodeId{u}, port(p)))); u < v)
        links.push_back({u, v});
  return links;
}

/// Links that belong to one factor: the transitive closure of two relations (Feder 1992). Two links
/// are related if the distances between their ends differ, crosswise or not (Djokovic 1973); and
/// two links of a node x are, if x is the only common neighbour of their other ends.
class FactorsOfLinks {
 public:
  FactorsOfLinks(const Network& network, std::vector<NumberedLink> links)
      : nodes_(network.node_count()),
        links_(std::move(links)),
        sets_(links_.size()),
        factors_(links_.size()) {
    for (Node u = 0; u < nodes_; ++u) distances_.push_back(distances_from(network, NodeId{u}));
    join_by_distances();
    if (factors_ > 1) join_by_common_neighbours();
  }

  /// Those of each factor.
  [[nodiscard]] std::vector<std::vector<NumberedLink>> links() {
    std::vector<std::vector<NumberedLink>> all(links_.size());
    for (std::size_t i = 0; i < links_.size(); ++i) all[sets_.find_set(i)].push_back(links_[i]);
    std::erase_if(all, [](const auto& own) { return own.empty(); });
    return all;
  }

 private:
  void join(std::size_t i, std::size_t j) {
    if (sets_.find_set(i) == sets_.find_set(j)) return;
    sets_.union_set(i, j);
    --factors_;
  }

  void join_by_distances() {
    for (std::size_t i = 0; i < links_.size() && factors_ > 1; ++i) {
      const auto& from_one = distances_[links_[i].one];
      const auto& from_other = distances_[links_[i].other];
      for (std::size_t j = i + 1; j < links_.size(); ++j) {
        const auto [u, v] = links_[j];
        if (from_one[u] + from_other[v] != from_one[v] + from_other[u]) join(i, j);
      }
    }
  }
  void join_by_common_neighbours() {
    std::vector<std::vector<std::pair<Node, std::size_t>>> around(nodes_);  // end, link
    for (std::size_t i = 0; i < links_.size(); ++i) {
      around[links_[i].one].emplace_back(links_[i].other, i);
      around[links_[i].other].emplace_back(links_[i].one, i);
    }
    std::vector<std::size_t> common(nodes_);
    for (Node y = 0; y < nodes_; ++y) {
      std::ranges::fill(common, std::size_t{0});
      for (const auto& [x, first] : around[y])
        for (const auto& [z, second] : around[x]) ++common[z];
      for (const auto& [x, first] : around[y])
        for (const auto& [z, second] : around[x])
          if (z > y && common[z] == 1) join(first, second);
    }
  }

  std::uint64_t nodes_;
  std::vector<NumberedLink> links_;
  JoinedSets sets_;
  std::size_t factors_;
  std::vector<std::vector<std::uint32_t>> distances_;
};

enum class FactorKind : std::uint8_t { ring, complete, linear, other };

/// A factor through node 0: its nodes in the order in which they are numbered, and for every node
/// of the network which of them it is.
struct Factor {
  std::vector<Node> nodes{};
  FactorKind kind = FactorKind::other;
  std::vector<std::vector<Node>> around{};  // by place among the nodes
  std::vector<Node> coordinate{};           // by node of the network

  [[nodiscard]] std::size_t size() const { return nodes.size(); }
  /// A single link is of all kinds, a triangle is a ring, too.
  [[nodiscard]] bool is(FactorKind wanted) const {
    return kind == wanted || size() == 2 ||
           (size() == 3 && kind == FactorKind::complete && wanted == FactorKind::ring);
  }
};

/// From `first` on, each beside the one before; of two ways the one to the lower number.
[[nodiscard]] std::vector<Node> walk(const std::vector<std::vector<Node>>& around, Node first) {
  std::vector<Node> order{first};
  std::vector<bool> seen(around.size());
  for (Node at = first;;) {
    seen[at] = true;
    const auto next = std::ranges::find_if(around[at], [&](Node v) { return !seen[v]; });
    if (next == around[at].end()) return order;
    order.push_back(at = *next);
  }
}

/// Rings and linear arrays are numbered along, others as the network numbers them.
[[nodiscard]] std::vector<Node> usual_order(Factor& factor) {
  const auto& around = factor.around;
  const std::size_t size = factor.size();
  const auto degree = [&](Node u) { return around[u].size(); };
  std::vector<Node> all(size);
  std::iota(all.begin(), all.end(), Node{0});
  if (std::ranges::all_of(all, [&](Node u) { return degree(u) + 1 == size; })) {
    factor.kind = FactorKind::complete;
    return all;
  }
  if (std::ranges::any_of(all, [&](Node u) { return degree(u) > 2; })) return all;
  const auto end = std::ranges::find_if(all, [&](Node u) { return degree(u) == 1; });
  factor.kind = end == all.end() ? FactorKind::ring : FactorKind::linear;
  return walk(around, end == all.end() ? 0 : *end);
}

/// Nodes that links of the other factors join have the same coordinate.
[[nodiscard]] Factor factor_of(std::size_t own, std::uint64_t nodes,
                               const std::vector<std::vector<NumberedLink>>& links) {
  JoinedSets alike(nodes);
  JoinedSets through(nodes);
  for (std::size_t x = 0; x < links.size(); ++x)
    for (const auto [u, v] : links[x]) (x == own ? through : alike).union_set(u, v);
  const auto is_own = [&](Node u) { return through.find_set(u) == through.find_set(Node{0}); };
  Factor factor;
  for (Node u = 0; u < nodes; ++u)
    if (is_own(u)) factor.nodes.push_back(u);
  std::vector<Node> place(nodes);
  for (Node i = 0; i < factor.size(); ++i) place[factor.nodes[i]] = i;
  factor.around.resize(factor.size());
  for (const auto [u, v] : links[own])
    if (is_own(u)) {
      factor.around[place[u]].push_back(place[v]);
      factor.around[place[v]].push_back(place[u]);
    }
  for (std::vector<Node>& others : factor.around) std::ranges::sort(others);
  std::vector<Node> of_set(nodes);
  const std::vector<Node> order = usual_order(factor);
  for (Node i = 0; i < factor.size(); ++i) of_set[alike.find_set(factor.nodes[order[i]])] = i;
  for (Node u = 0; u < nodes; ++u) factor.coordinate.push_back(of_set[alike.find_set(u)]);
  return factor;
}

[[nodiscard]] ErasedTopology topology_of(const Factor& factor) {
  const std::uint64_t size = factor.size();
  if (size == 2) return ErasedTopology(topology_model(Hypercube(1)));
  if (factor.kind == FactorKind::ring) return ErasedTopology(topology_model(Ring(size)));
  if (factor.kind == FactorKind::linear) return ErasedTopology(topology_model(LinearArray(size)));
  if (factor.kind == FactorKind::complete)
    return ErasedTopology(topology_model(CompleteGraph(size)));
  std::vector<Link> links;
  for (Node u = 0; u < size; ++u)
    for (const Node v : factor.around[u])
      if (u < v) links.push_back({NodeId{u}, NodeId{v}});
  return ErasedTopology(topology_model(build_network("factor", size, links)));
}

/// The product in the family that products of such factors have, if there is one.
[[nodiscard]] ErasedTopology product_of(const std::vector<Factor>& factors) {
  if (factors.size() == 1) return topology_of(factors.front());
  const auto are_all = [&](const auto& holds) { return std::ranges::all_of(factors, holds); };
  const auto are = [&](FactorKind kind) {
    return are_all([kind](const Factor& factor) { return factor.is(kind); });
  };
  std::vector<std::uint64_t> sizes;
  for (const Factor& factor : factors) sizes.push_back(factor.size());
  if (are_all([](const Factor& factor) { return factor.size() == 2; }))
    return ErasedTopology(topology_model(Hypercube(factors.size())));
  if (are(FactorKind::ring)) return ErasedTopology(topology_model(Torus(sizes)));
  if (are(FactorKind::complete)) return ErasedTopology(topology_model(GeneralizedHypercube(sizes)));
  if (are(FactorKind::linear)) return ErasedTopology(topology_model(Mesh(sizes)));
  std::vector<ErasedTopology> topologies;
  std::vector<AnyCayley> groups;
  for (const Factor& factor : factors) {
    topologies.push_back(topology_of(factor));
    if (const auto group = topologies.back().cayley()) groups.push_back(*group);
  }
  constexpr auto first = FirstDimension::most_significant;
  return groups.size() == factors.size()
             ? ErasedTopology(topology_model(CartesianProduct(std::move(groups), first)))
             : ErasedTopology(topology_model(CartesianProduct(std::move(topologies), first)));
}

[[nodiscard]] bool has_same_links(const Network& network, const PrimeForm& form) {
  for (std::uint64_t i = 0; i < form.nodes.size(); ++i) {
    const auto ends = [](const auto& topology, NodeId u, const auto& named) {
      std::vector<NodeId> all;
      for (std::size_t p = 0; p < topology.degree(u); ++p)
        all.push_back(named(topology.neighbor(u, port(p))));
      std::ranges::sort(all);
      return all;
    };
    if (ends(form.network, NodeId{i}, [&](NodeId v) { return form.nodes[index(v)]; }) !=
        ends(network, form.nodes[i], std::identity()))
      return false;
  }
  return true;
}

}  // namespace

std::optional<PrimeForm> prime_form(const Network& network) {
  const std::uint64_t nodes = network.node_count();
  if (nodes < 4 || nodes > most_factored_nodes || network.processor_count() != nodes ||
      nodes * network.max_degree() > 2 * most_factored_links || has_lanes(network))
    return std::nullopt;
  FactorsOfLinks by_links(network, links_of(network));
  const std::vector<std::vector<NumberedLink>> links = by_links.links();
  std::vector<Factor> factors;
  for (std::size_t x = 0; x < links.size(); ++x) factors.push_back(factor_of(x, nodes, links));
  if (factors.size() == 1 &&
      (factors.front().kind == FactorKind::other || factors.front().kind == FactorKind::complete))
    return std::nullopt;
  // The same order for all names; of equal factors, that of the numbers. Linear arrays first: in
  // these, all-gathers under one port do not keep all nodes busy, which matters least while few
  // blocks have come.
  const auto place = [](const Factor& factor) {
    return std::tuple(factor.kind != FactorKind::linear, factor.size(), factor.kind);
  };
  std::ranges::sort(factors, [&](const Factor& one, const Factor& other) {
    return std::pair(place(one), other.nodes[1]) < std::pair(place(other), one.nodes[1]);
  });
  PrimeForm form{.network = product_of(factors),
                 .nodes = std::vector<NodeId>(nodes),
                 .factors = factors.size()};
  if (form.network.node_count() != nodes) return std::nullopt;
  for (Node u = 0; u < nodes; ++u) {
    std::uint64_t number = 0;
    for (const Factor& factor : factors) number = number * factor.size() + factor.coordinate[u];
    form.nodes[number] = NodeId{u};
  }
  if (!has_same_links(network, form)) return std::nullopt;
  return form;
}

}  // namespace lockstep
