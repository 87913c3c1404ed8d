// SPDX-License-Identifier: Apache-2.0
#include "algorithm/broadcast/ej_single_port_tree.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "algorithm/broadcast/children_in_turn.hpp"
#include "core/invalid.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {
namespace {

struct ChildInDimension {
  Port port;
  std::uint64_t remaining;
};
using ChildrenInDimension = std::vector<ChildInDimension>;

/// The children, in the order in which they are served, of processors whose lowest dimension with a
/// displacement is d, counted from 0; by this displacement. `below`: those in all lower dimensions,
/// which every one of these processors has.
[[nodiscard]] std::vector<ChildrenInDimension> children_in_dimension(
    const EisensteinJacobi& alpha, const EisensteinJacobiTree& tree, std::size_t d,
    const ChildrenInDimension& below) {
  std::vector<ChildrenInDimension> all(tree.node_count());
  std::vector<std::uint64_t> remaining(tree.node_count());
  std::vector<NodeId> deepest_first;
  for (std::uint64_t r = 0; r < tree.node_count(); ++r) deepest_first.push_back(NodeId{r});
  std::ranges::stable_sort(deepest_first, std::ranges::greater(),
                           [&](NodeId r) { return tree.weight(r); });
  for (const NodeId displacement : deepest_first) {
    ChildrenInDimension& children = all[index(displacement)];
    children = below;
    for (std::size_t k = 0; k < ports_per_ej_dimension; ++k) {
      if ((tree.child_mask(displacement) >> k & 1U) == 0) continue;
      const NodeId child = alpha.neighbor(displacement, port(k));
      children.push_back({port(d * ports_per_ej_dimension + k), remaining[index(child)]});
    }
    sort_by_remaining(children);
    remaining[index(displacement)] = steps_to_serve(children);
  }
  return all;
}

[[nodiscard]] const EisensteinJacobiNetwork& checked(const EisensteinJacobiNetwork& network) {
  if (network.alpha().node_count() > EjSinglePortTree::max_lists / network.dimensions())
    throw invalid("{} on {}: {} times {} nodes; allowed: up to {} in total",
                  EjSinglePortTree::info.name, network.name(), network.dimensions(),
                  network.alpha().node_count(), EjSinglePortTree::max_lists);
  return network;
}

}  // namespace

EjSinglePortTree::Orders::Orders(const EisensteinJacobiNetwork& network) {
  const EisensteinJacobiTree tree(network.alpha());
  ChildrenInDimension below;
  const auto add = [&](const ChildrenInDimension& children) {
    first_.push_back(static_cast<std::uint32_t>(ports_.size()));
    for (const ChildInDimension& child : children) ports_.push_back(child.port);
  };
  for (std::size_t d = 0; d < network.dimensions(); ++d) {
    const auto orders = children_in_dimension(network.alpha(), tree, d, below);
    for (const ChildrenInDimension& children : orders) add(children);
    below = orders.front();  // a root in this dimension: the part of the next one below it
  }
  add(below);
  first_.push_back(static_cast<std::uint32_t>(ports_.size()));
  steps_ = steps_to_serve(below);
}

EjSinglePortTree::Program::Program(const EisensteinJacobiNetwork& network, NodeId root,
                                   std::shared_ptr<const Orders> orders)
    : root_(root), places_(network, root), orders_(std::move(orders)) {
  types_ = places_.table([&](std::size_t d, NodeId displacement) {
    return static_cast<std::uint32_t>(d * network.alpha().node_count() + index(displacement));
  });
}

EjSinglePortTree::EjSinglePortTree(const EisensteinJacobiNetwork& network, const Settings& settings)
    : RootBroadcast(info.name, network, settings),
      orders_(std::make_shared<const Orders>(checked(network))) {
  set_plan(orders_->steps(), orders_->bytes() + EjPlaces::bytes(network, sizeof(std::uint32_t)));
}

}  // namespace lockstep
