// SPDX-License-Identifier: Apache-2.0
#include "topology/rule_trees.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/ring.hpp"
#include "topology/product_factors.hpp"

namespace lockstep {
namespace {

[[nodiscard]] bool is_extended_ring(const ErasedTopology& network) {
  return network.as<Ring>() != nullptr || network.as<ExtendedRing>() != nullptr ||
         network.as<CompleteGraph>() != nullptr || network.as<CyclicNeighbourhoods>() != nullptr;
}

/// Up to D rho nodes clockwise, the others counterclockwise.
[[nodiscard]] SpanningTree extended_ring_tree(const ErasedTopology& network, NodeId root) {
  const std::uint64_t n = network.node_count();
  const std::uint64_t rho = (network.max_degree() + 1) / 2;
  const std::uint64_t clockwise = (n / 2 + rho - 1) / rho * rho;
  return tree_by(network, root, [=](NodeId u) {
    const std::uint64_t up = (index(u) + n - index(root)) % n;
    if (up <= clockwise) return up <= rho ? root : NodeId{(index(u) + n - rho) % n};
    return n - up <= rho ? root : NodeId{(index(u) + rho) % n};
  });
}

}  // namespace

SpanningTree tree_by(const ErasedTopology& network, NodeId root,
                     const std::function<NodeId(NodeId)>& parent_of) {
  std::vector<Port> parents(network.node_count());
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    if (NodeId{u} == root) continue;
    const std::optional<Port> up = port_to(network, NodeId{u}, parent_of(NodeId{u}));
    expects(up.has_value(), "the parent of a node is its neighbour");
    parents[u] = *up;
  }
  return {network, root, parents};
}

SpanningTree rule_tree(const ErasedTopology& network, NodeId root) {
  const std::vector<ProductFactor> factors = product_factors(network);
  if (!factors.empty()) {
    std::vector<SpanningTree> trees;
    for (const ProductFactor& factor : factors)
      trees.push_back(rule_tree(factor.topology, factor.coordinate(root)));
    return tree_by(network, root, [&](NodeId u) {
      for (std::size_t d = 0;; ++d) {  // ends: u is not the root
        const ProductFactor& factor = factors[d];
        const NodeId c = factor.coordinate(u);
        if (c != factor.coordinate(root))
          return factor.with(u, factor.topology.neighbor(c, trees[d].parent_port(c)));
      }
    });
  }
  if (network.node_count() > 1 && is_extended_ring(network))
    return extended_ring_tree(network, root);
  return SpanningTree::of_processors(network, root);
}

}  // namespace lockstep
