// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What cartesian_product.hpp declares and the walk from node to node does not need inlined.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "lockstep/core/fraction.hpp"
#include "lockstep/topology/arc_classes.hpp"
#include "lockstep/topology/cartesian_product.hpp"
#include "lockstep/topology/closed_forms.hpp"

namespace lockstep {

template <Topology Factor>
std::string CartesianProduct<Factor>::joined_names(const std::vector<Factor>& factors) {
  std::string name;
  for (const Factor& factor : factors) name += (name.empty() ? "product(" : ",") + factor.name();
  return name + ')';
}

template <Topology Factor>
std::vector<std::uint64_t> CartesianProduct<Factor>::checked_sizes(
    const std::string& name, const std::vector<Factor>& factors) {
  std::vector<std::uint64_t> sizes;
  for (const Factor& factor : factors) sizes.push_back(factor.node_count());
  product_detail::check_sizes(name, sizes);
  return sizes;
}

template <Topology Factor>
CartesianProduct<Factor>::CartesianProduct(std::vector<Factor> factors, FirstDimension first,
                                           std::string name)
    : name_(name.empty() ? joined_names(factors) : std::move(name)),
      coordinates_(checked_sizes(name_, factors), first),
      factors_(std::move(factors)),
      first_(first) {
  for (const Factor& factor : factors_) max_degree_ += factor.max_degree();
  product_detail::check_ports(name_, max_degree_);
  for (const Factor& factor : factors_)
    product_detail::check_switches(name_, factor.node_count() - processor_count(factor));
  if constexpr (CayleyTopology<Factor>)
    for (std::size_t d = 0; d < dimensions(); ++d)
      for (std::size_t p = 0; p < factor(d).max_degree(); ++p) places_.push_back({d, port(p)});
}

template <Topology Factor>
std::size_t CartesianProduct<Factor>::degree(NodeId u) const {
  if constexpr (CayleyTopology<Factor>) return max_degree_;
  std::size_t degree = 0;
  for (std::size_t d = 0; d < dimensions(); ++d) degree += factor(d).degree(coordinate(u, d));
  return degree;
}

template <Topology Factor>
template <class Make>
NodeId CartesianProduct<Factor>::composed(Make make) const {
  std::uint64_t number = 0;
  for (std::size_t d = 0; d < dimensions(); ++d)
    number += index(NodeId{make(factor(d), d)}) * coordinates_.stride(d);
  return NodeId{number};
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
std::optional<NodeId> CartesianProduct<Factor>::find(const std::string& label) const {
  const std::vector<std::string> parts = product_detail::split(label, dimensions());
  if (parts.empty()) return std::nullopt;
  std::vector<NodeId> coordinates(dimensions());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t d = dimension_of_part(i);
    const std::optional<NodeId> found = factor(d).find(parts[i]);
    if (!found) return std::nullopt;
    coordinates[d] = *found;
  }
  return composed([&](const Factor&, std::size_t d) { return coordinates[d]; });
}

template <Topology Factor>
std::string CartesianProduct<Factor>::port_label(NodeId u, Port p) const {
  const auto [d, local] = place(u, p);
  const std::string own = known_port_label(factor(d), coordinate(u, d), local);
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
  WideCount sum = 0;
  for (const Factor& factor : factors_) {
    const std::optional<std::uint64_t> own = known_link_count(factor);
    if (!own) return std::nullopt;
    sum += WideCount{*own} * (node_count() / factor.node_count());
  }
  if (sum > std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
  return static_cast<std::uint64_t>(sum);
}

template <Topology Factor>
std::optional<std::uint64_t> CartesianProduct<Factor>::diameter() const {
  std::uint64_t sum = 0;
  for (const Factor& factor : factors_) {
    const std::optional<std::uint64_t> own = known_diameter(factor);
    if (!own) return std::nullopt;
    sum += *own;
  }
  return sum;
}

template <Topology Factor>
std::vector<std::uint64_t> CartesianProduct<Factor>::level_sizes(NodeId from) const {
  std::vector<std::uint64_t> levels{1};
  for (std::size_t d = 0; d < dimensions(); ++d) {
    const std::vector<std::uint64_t> own = known_level_sizes(factor(d), coordinate(from, d));
    if (own.empty() || levels.size() + own.size() > max_levels) return {};
    levels = product_level_sizes(levels, own);
  }
  return levels;
}

template <Topology Factor>
Cut CartesianProduct<Factor>::bisection() const {
  Cut best;
  for (const Factor& factor : factors_) {
    const Cut own = cut_of_copies(known_bisection(factor), node_count() / factor.node_count());
    best = narrower(best, own, node_count());
  }
  return best;
}

template <Topology Factor>
std::vector<ArcClass> CartesianProduct<Factor>::arc_classes() const {
  std::vector<ArcClass> classes;
  for (const Factor& factor : factors_) {
    const std::uint64_t copies = node_count() / factor.node_count();
    add_copies(classes, class_of_factor(factor), copies);
    for (const ArcClass& own : known_arc_classes(factor)) add_copies(classes, own, copies);
  }
  return classes;
}

}  // namespace lockstep
