// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What cartesian_product.hpp declares and the walk from node to node does not need inlined.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "lockstep/topology/cartesian_product.hpp"

namespace lockstep {

template <Topology Factor>
CartesianProduct<Factor>::CartesianProduct(std::vector<Factor> factors, FirstDimension first)
    : first_(first) {
  std::vector<std::uint64_t> sizes;
  for (const Factor& factor : factors) {
    name_ += (name_.empty() ? "product(" : ",") + factor.name();
    sizes.push_back(factor.node_count());
    max_degree_ += factor.max_degree();
  }
  name_ += ')';
  const std::vector<std::uint64_t> strides = product_detail::strides(name_, sizes, first);
  product_detail::check_ports(name_, max_degree_);
  for (std::size_t d = 0; d < factors.size(); ++d) {
    dimensions_.push_back(
        {std::move(factors[d]), sizes[d], Divisor(strides[d]), Divisor(strides[d] * sizes[d])});
    node_count_ *= sizes[d];
    if constexpr (CayleyTopology<Factor>)
      for (std::size_t p = 0; p < dimensions_[d].factor.max_degree(); ++p)
        places_.push_back({d, port(p)});
  }
}

template <Topology Factor>
std::size_t CartesianProduct<Factor>::degree(NodeId u) const {
  if constexpr (CayleyTopology<Factor>) return max_degree_;
  std::size_t degree = 0;
  for (std::size_t d = 0; d < dimensions(); ++d) degree += factor(d).degree(coordinate(u, d));
  return degree;
}

/// A switch in any dimension makes it a switch.
template <Topology Factor>
NodeKind CartesianProduct<Factor>::kind(NodeId u) const {
  for (std::size_t d = 0; d < dimensions(); ++d)
    if (factor(d).kind(coordinate(u, d)) == NodeKind::switch_only) return NodeKind::switch_only;
  return NodeKind::processor;
}

template <Topology Factor>
template <class Make>
NodeId CartesianProduct<Factor>::composed(Make make) const {
  std::uint64_t number = 0;
  for (std::size_t d = 0; d < dimensions(); ++d)
    number += index(NodeId{make(factor(d), d)}) * stride(d);
  return NodeId{number};
}

template <Topology Factor>
NodeId CartesianProduct<Factor>::node_of(std::span<const NodeId> coordinates) const noexcept {
  return composed([&](const Factor&, std::size_t d) { return coordinates[d]; });
}

template <Topology Factor>
auto CartesianProduct<Factor>::place(NodeId u, Port p) const -> Place {
  if constexpr (CayleyTopology<Factor>) return places_[index(p)];
  std::size_t before = index(p);
  for (std::size_t d = 0;; ++d) {  // ends: p < degree(u)
    const std::size_t degree = factor(d).degree(coordinate(u, d));
    if (before < degree) return {d, port(before)};
    before -= degree;
  }
}

template <Topology Factor>
std::string CartesianProduct<Factor>::label(NodeId u) const {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < dimensions(); ++i) {
    const std::size_t d = dimension_of_part(i);
    parts.push_back(factor(d).label(coordinate(u, d)));
  }
  return product_detail::joined(parts);
}

template <Topology Factor>
std::optional<NodeId> CartesianProduct<Factor>::find(const std::string& label) const requires
    FindsLabels<Factor> {
  const std::vector<std::string> parts = product_detail::split(label, dimensions());
  if (parts.empty()) return std::nullopt;
  std::vector<NodeId> coordinates(dimensions());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t d = dimension_of_part(i);
    const std::optional<NodeId> found = factor(d).find(parts[i]);
    if (!found) return std::nullopt;
    coordinates[d] = *found;
  }
  return node_of(coordinates);
}

template <Topology Factor>
std::string CartesianProduct<Factor>::port_label(NodeId u, Port p) const {
  const auto [d, local] = place(u, p);
  std::string own = "port " + std::to_string(index(local));
  if constexpr (requires(const Factor& factor) { factor.port_label(u, p); })
    own = factor(d).port_label(coordinate(u, d), local);
  else if constexpr (requires(const Factor& factor) { factor.port_label(p); })
    own = factor(d).port_label(local);
  if (dimensions() == 1) return own;
  return "dimension " + std::to_string(d + 1) + ", " + own;
}

template <Topology Factor>
NodeId CartesianProduct<Factor>::identity() const requires CayleyTopology<Factor> {
  return composed([](const Factor& factor, std::size_t) { return factor.identity(); });
}

template <Topology Factor>
NodeId CartesianProduct<Factor>::product(NodeId u, NodeId v) const requires CayleyTopology<Factor> {
  return composed([&](const Factor& factor, std::size_t d) {
    return factor.product(coordinate(u, d), coordinate(v, d));
  });
}

template <Topology Factor>
NodeId CartesianProduct<Factor>::inverse(NodeId u) const requires CayleyTopology<Factor> {
  return composed(
      [&](const Factor& factor, std::size_t d) { return factor.inverse(coordinate(u, d)); });
}

template <Topology Factor>
std::optional<std::uint64_t> CartesianProduct<Factor>::link_count() const {
  std::vector<product_detail::Links> links;
  for (const Dimension& dimension : dimensions_) {
    std::optional<std::uint64_t> own;
    if constexpr (requires { dimension.factor.link_count(); })
      own = dimension.factor.link_count();
    else
      own = lockstep::link_count(dimension.factor);
    if (!own) return std::nullopt;
    links.push_back({*own, node_count_ / dimension.size});
  }
  return product_detail::sum_of(links);
}

template <Topology Factor>
std::uint64_t CartesianProduct<Factor>::diameter() const requires KnowsDiameter<Factor> {
  std::uint64_t sum = 0;
  for (const Dimension& dimension : dimensions_) sum += dimension.factor.diameter();
  return sum;
}

template <Topology Factor>
std::vector<std::uint64_t> CartesianProduct<Factor>::level_sizes() const requires
    KnowsLevelSizes<Factor> {
  std::vector<std::uint64_t> levels{1};
  for (const Dimension& dimension : dimensions_) {
    const std::vector<std::uint64_t> own = dimension.factor.level_sizes();
    if (own.empty() || levels.size() + own.size() > max_levels) return {};
    levels = product_level_sizes(levels, own);
  }
  return levels;
}

}  // namespace lockstep
