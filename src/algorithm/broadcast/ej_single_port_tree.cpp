// SPDX-License-Identifier: Apache-2.0
#include "algorithm/broadcast/ej_single_port_tree.hpp"

#include <algorithm>

#include "algorithm/broadcast/children_in_turn.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {
namespace {

constexpr std::size_t units = eisenstein_units.size();

struct ChildInDimension {
  Port port;
  std::uint64_t remaining;
};

/// Processors whose lowest dimension with a displacement is a given one, counted from 0.
class DimensionOrders {
 public:
  /// `below`: the children in all lower dimensions, which every one of these processors has.
  DimensionOrders(const EisensteinJacobi& alpha, const EisensteinJacobiTree& tree, std::size_t d,
                  std::vector<ChildInDimension> below)
      : alpha_(alpha), tree_(tree), dimension_(d), below_(std::move(below)) {
    children_.resize(tree.node_count());
    remaining_.resize(tree.node_count());
    std::vector<NodeId> by_depth;
    for (std::uint64_t r = 0; r < tree.node_count(); ++r) by_depth.push_back(NodeId{r});
    std::ranges::stable_sort(by_depth,
                             [&](NodeId a, NodeId b) { return tree.weight(a) > tree.weight(b); });
    for (const NodeId displacement : by_depth) order(displacement);
  }

  [[nodiscard]] std::span<const ChildInDimension> children_of(std::uint64_t displacement) const {
    return children_[displacement];
  }
  /// The children of a root in this dimension: the part of the next dimension below it.
  [[nodiscard]] const std::vector<ChildInDimension>& children_of_root() const {
    return children_[0];
  }

 private:
  /// Its children in this dimension have been ordered before.
  void order(NodeId displacement) {
    std::vector<ChildInDimension>& children = children_[index(displacement)];
    children = below_;
    for (std::size_t k = 0; k < units; ++k) {
      if ((tree_.child_mask(displacement) >> k & 1U) == 0) continue;
      const NodeId child = alpha_.neighbor(displacement, port(k));
      children.push_back({port(dimension_ * units + k), remaining_[index(child)]});
    }
    sort_by_remaining(children);
    remaining_[index(displacement)] = steps_to_serve(children);
  }

  const EisensteinJacobi& alpha_;
  const EisensteinJacobiTree& tree_;
  std::size_t dimension_;
  std::vector<ChildInDimension> below_;
  std::vector<std::vector<ChildInDimension>> children_;  // by displacement
  std::vector<std::uint64_t> remaining_;
};

[[nodiscard]] const EisensteinJacobiNetwork& checked(const EisensteinJacobiNetwork& network) {
  if (network.alpha().node_count() > EjSinglePortTree::max_lists / network.dimensions())
    throw InvalidParameter(fmt::format("{} on {}: {} times {} nodes; allowed: up to {} in total",
                                       EjSinglePortTree::info.name, network.name(),
                                       network.dimensions(), network.alpha().node_count(),
                                       EjSinglePortTree::max_lists));
  return network;
}

}  // namespace

EjSinglePortTree::Orders::Orders(const EisensteinJacobiNetwork& network) {
  const EisensteinJacobiTree tree(network.alpha());
  std::vector<ChildInDimension> below;
  const auto add = [&](std::span<const ChildInDimension> children) {
    first_.push_back(static_cast<std::uint32_t>(ports_.size()));
    for (const ChildInDimension& child : children) ports_.push_back(child.port);
  };
  for (std::size_t d = 0; d < network.dimensions(); ++d) {
    const DimensionOrders orders(network.alpha(), tree, d, std::move(below));
    for (std::uint64_t r = 0; r < tree.node_count(); ++r) add(orders.children_of(r));
    below = orders.children_of_root();
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
  set_plan(orders_->steps(), orders_->bytes() +
                                 EjPlaces::entry_count(network.alpha(), network.dimensions()) *
                                     sizeof(std::uint32_t) +
                                 network.dimensions() * sizeof(std::uint64_t));
}

}  // namespace lockstep
