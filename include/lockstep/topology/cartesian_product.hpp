// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The cartesian product of topologies of one type: a node is one node of every factor, its
/// coordinates; a link is a link of one factor, the other coordinates kept. Distances, diameters
/// and degrees add up. Nodes are numbered in mixed radix; ports are those of dimension 1, then
/// those of dimension 2, ...
///
///     const CartesianProduct torus(std::vector{Ring{3}, Ring{4}},
///                                  FirstDimension::most_significant);
///     torus.label(NodeId{7}) == "(1, 3)";                             // 7 = 1 * 4 + 3
///     torus.label(torus.neighbor(NodeId{7}, Port{2})) == "(1, 0)";
///
/// A product of groups is a group: of Cayley graphs, it is the Cayley graph. A neighbour costs
/// three multiplications and a factor's neighbour; no division, no table.
///
/// Source: textbook; the papers say cross product.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/fraction.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/topology/arc_classes.hpp"
#include "lockstep/topology/detail/closed_forms.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

namespace product_detail {
/// Throws InvalidParameter unless there is a size and their product is at most 2^63.
void check_sizes(const std::string& name, std::span<const std::uint64_t> sizes);
/// Throws InvalidParameter where the ports are more than 16 bits count.
void check_ports(const std::string& name, std::size_t ports);
/// Checks the number of switches of one factor.
void check_switches(const std::string& name, std::uint64_t switches);
/// "(1, 3)"; a single part stands alone.
[[nodiscard]] std::string joined(const std::vector<std::string>& parts);
/// The parts of "(1, 3)", split at commas outside of parentheses; empty unless there are so many.
[[nodiscard]] std::vector<std::string> split(const std::string& label, std::size_t parts);
}  // namespace product_detail

template <Topology Factor>
class CartesianProduct {
 public:
  static constexpr Knows knows = Knows::find | Knows::port_label | Knows::link_count |
                                 Knows::diameter | Knows::level_sizes | Knows::bisection |
                                 Knows::arc_classes | Knows::factors | Knows::coordinates;
  static constexpr std::uint64_t max_nodes = MixedRadix::max_count;

  /// Dimension 1 first; a label begins with the most significant one. Throws InvalidParameter
  /// unless there is a factor, at most 2^63 nodes and at most 131071 ports, and no factor has
  /// switches. Named
  /// "product(ring:3,ring:4)" unless it has a name of its own.
  CartesianProduct(std::vector<Factor> factors, FirstDimension first, std::string name = {});

  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return coordinates_.count(); }
  [[nodiscard]] std::size_t max_degree() const noexcept { return max_degree_; }
  [[nodiscard]] std::size_t degree(NodeId u) const;

  /// Dimensions are counted from 0 here, from 1 in the papers and in labels.
  [[nodiscard]] std::size_t dimensions() const noexcept { return factors_.size(); }
  [[nodiscard]] const Factor& factor(std::size_t d) const noexcept { return factors_[d]; }
  [[nodiscard]] const MixedRadix& coordinates() const noexcept { return coordinates_; }
  [[nodiscard]] NodeId coordinate(NodeId u, std::size_t d) const noexcept {
    return NodeId{coordinates_.digit(index(u), d)};
  }

  /// A port as the factor of one dimension numbers it.
  struct Place {
    std::size_t dimension;
    Port port;
  };
  [[nodiscard]] Place place(NodeId u, Port p) const;

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const {
    const auto [d, local] = place(u, p);
    const NodeId from = coordinate(u, d);
    const NodeId to = factor(d).neighbor(from, local);
    return NodeId{index(u) + (index(to) - index(from)) * coordinates_.stride(d)};  // modulo 2^64
  }
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const {
    const auto [d, local] = place(u, p);
    const Port back = factor(d).reverse_port(coordinate(u, d), local);
    return port(std::size_t{index(p)} - index(local) + index(back));
  }

  [[nodiscard]] std::string label(NodeId u) const;
  /// Precondition of use: the factors can find theirs.
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  /// "dimension 2, +rho^2"; the factor's own where there is one dimension.
  [[nodiscard]] std::string port_label(NodeId u, Port p) const;

  /// The group: that of every factor in its dimension.
  [[nodiscard]] NodeId identity() const requires CayleyTopology<Factor>;
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const requires CayleyTopology<Factor>;
  [[nodiscard]] NodeId inverse(NodeId u) const requires CayleyTopology<Factor>;

  /// From what the factors know of themselves (closed_forms.hpp); empty where one of them does not
  /// know. No link count where it exceeds 64 bits; no level sizes where there are more than
  /// max_levels.
  [[nodiscard]] std::optional<std::uint64_t> link_count() const;
  [[nodiscard]] std::optional<std::uint64_t> diameter() const;
  [[nodiscard]] std::vector<std::uint64_t> level_sizes(NodeId from) const;
  /// Through one factor, the best of those that know theirs.
  [[nodiscard]] Cut bisection() const;
  /// Those of every factor, and all arcs of one.
  [[nodiscard]] std::vector<ArcClass> arc_classes() const;
  /// None where there is one dimension.
  [[nodiscard]] std::vector<Factor> factors() const {
    if (dimensions() == 1) return {};
    if (first_ == FirstDimension::most_significant) return factors_;
    return {factors_.rbegin(), factors_.rend()};
  }

 private:
  /// Label parts begin with the most significant dimension.
  [[nodiscard]] std::size_t dimension_of_part(std::size_t i) const noexcept {
    return first_ == FirstDimension::most_significant ? i : dimensions() - 1 - i;
  }
  /// Applies make(factor, d) in every dimension and puts the coordinates together.
  template <class Make>
  [[nodiscard]] NodeId composed(Make make) const;

  [[nodiscard]] static std::string joined_names(const std::vector<Factor>& factors) {
    std::string name;
    for (const Factor& factor : factors) name += (name.empty() ? "product(" : ",") + factor.name();
    return name + ')';
  }
  [[nodiscard]] static std::vector<std::uint64_t> checked_sizes(
      const std::string& name, const std::vector<Factor>& factors) {
    std::vector<std::uint64_t> sizes;
    for (const Factor& factor : factors) sizes.push_back(factor.node_count());
    product_detail::check_sizes(name, sizes);
    return sizes;
  }

  std::string name_;
  MixedRadix coordinates_;
  std::vector<Factor> factors_;
  std::vector<Place> places_;  ///< of every port, where nodes are alike
  std::size_t max_degree_ = 0;
  FirstDimension first_;
};

// The part of the class that the walk from node to node does not need inlined.
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
  if (dimensions() == 1) return factor(0).product(u, v);  // the nodes are their coordinates
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
