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

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/divisor.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// Whether dimension 1 has the most significant digit of a node's number (tori), or the least
/// (Eisenstein-Jacobi networks). A label begins with the most significant.
enum class FirstDimension : std::uint8_t { most_significant, least_significant };

namespace product_detail {
inline constexpr std::uint64_t max_nodes = std::uint64_t{1} << 63;

/// The strides of dimensions of these sizes. Throws InvalidParameter unless there is a size and
/// their product is at most 2^63.
[[nodiscard]] std::vector<std::uint64_t> strides(const std::string& name,
                                                 std::span<const std::uint64_t> sizes,
                                                 FirstDimension first);
/// Throws InvalidParameter where the ports are more than 16 bits count.
void check_ports(const std::string& name, std::size_t ports);
/// "(1, 3)"; a single part stands alone.
[[nodiscard]] std::string joined(std::span<const std::string> parts);
/// The parts of "(1, 3)", split at commas outside of parentheses; empty unless there are so many.
[[nodiscard]] std::vector<std::string> split(const std::string& label, std::size_t parts);
/// The links of a factor, and how many copies of it there are.
struct Links {
  std::uint64_t of_factor;
  std::uint64_t copies;
};
/// Of all copies; empty where it exceeds 64 bits.
[[nodiscard]] std::optional<std::uint64_t> sum_of(std::span<const Links> links) noexcept;
}  // namespace product_detail

/// What factors may know of themselves; then their product knows it, too.
template <class T>
concept FindsLabels = requires(const T& factor, const std::string& label) {
  { factor.find(label) } -> std::same_as<std::optional<NodeId>>;
};
template <class T>
concept KnowsDiameter = requires(const T& factor) {
  { factor.diameter() } -> std::convertible_to<std::uint64_t>;
};
template <class T>
concept KnowsLevelSizes = requires(const T& factor) {
  { factor.level_sizes() } -> std::same_as<std::vector<std::uint64_t>>;
};

template <Topology Factor>
class CartesianProduct {
 public:
  static constexpr std::uint64_t max_nodes = product_detail::max_nodes;

  /// Dimension 1 first. Throws InvalidParameter unless there is a factor, at most 2^63 nodes and at
  /// most 65535 ports.
  CartesianProduct(std::vector<Factor> factors, FirstDimension first);

  /// "product(ring:3,ring:4)".
  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return node_count_; }
  [[nodiscard]] std::size_t max_degree() const noexcept { return max_degree_; }
  [[nodiscard]] std::size_t degree(NodeId u) const;
  [[nodiscard]] NodeKind kind(NodeId u) const;

  /// Dimensions are counted from 0 here, from 1 in the papers and in labels.
  [[nodiscard]] std::size_t dimensions() const noexcept { return dimensions_.size(); }
  [[nodiscard]] const Factor& factor(std::size_t d) const noexcept { return dimensions_[d].factor; }
  /// What the coordinate of dimension d counts in a node's number.
  [[nodiscard]] std::uint64_t stride(std::size_t d) const noexcept {
    return dimensions_[d].by_stride.value();
  }
  [[nodiscard]] NodeId coordinate(NodeId u, std::size_t d) const noexcept {
    const Dimension& dimension = dimensions_[d];
    return NodeId{dimension.by_stride.quotient(index(u)) -
                  dimension.by_block.quotient(index(u)) * dimension.size};
  }
  /// Precondition: one per dimension, dimension 1 first.
  [[nodiscard]] NodeId node_of(std::span<const NodeId> coordinates) const noexcept;

  /// A port as the factor of one dimension numbers it.
  struct Place {
    std::size_t dimension;
    Port port;
  };
  [[nodiscard]] Place place(NodeId u, Port p) const;

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const {
    const auto [d, local] = place(u, p);
    const NodeId from = coordinate(u, d);
    return moved(u, d, from, dimensions_[d].factor.neighbor(from, local));
  }
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const {
    const auto [d, local] = place(u, p);
    const Port back = dimensions_[d].factor.reverse_port(coordinate(u, d), local);
    return port(std::size_t{index(p)} - index(local) + index(back));
  }

  [[nodiscard]] std::string label(NodeId u) const;
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const requires
      FindsLabels<Factor>;
  /// "dimension 2, +rho^2"; the factor's own where there is one dimension.
  [[nodiscard]] std::string port_label(NodeId u, Port p) const;

  /// The group: that of every factor in its dimension.
  [[nodiscard]] NodeId identity() const requires CayleyTopology<Factor>;
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const requires CayleyTopology<Factor>;
  [[nodiscard]] NodeId inverse(NodeId u) const requires CayleyTopology<Factor>;

  /// From what the factors say of themselves. No link count where it exceeds 64 bits; no level
  /// sizes where there are more than max_levels.
  [[nodiscard]] std::optional<std::uint64_t> link_count() const;
  [[nodiscard]] std::uint64_t diameter() const requires KnowsDiameter<Factor>;
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const requires KnowsLevelSizes<Factor>;

 private:
  struct Dimension {
    Factor factor;
    std::uint64_t size;
    Divisor by_stride;
    Divisor by_block;  ///< stride times size
  };

  [[nodiscard]] NodeId moved(NodeId u, std::size_t d, NodeId from, NodeId to) const noexcept {
    return NodeId{index(u) + (index(to) - index(from)) * stride(d)};  // modulo 2^64
  }
  /// Label parts begin with the most significant dimension.
  [[nodiscard]] std::size_t dimension_of_part(std::size_t i) const noexcept {
    return first_ == FirstDimension::most_significant ? i : dimensions() - 1 - i;
  }
  /// Applies make(factor, d) in every dimension and puts the coordinates together.
  template <class Make>
  [[nodiscard]] NodeId composed(Make make) const;

  std::string name_;
  std::vector<Dimension> dimensions_;
  std::vector<Place> places_;  ///< of every port, where nodes are alike
  std::uint64_t node_count_ = 1;
  std::size_t max_degree_ = 0;
  FirstDimension first_;
};

}  // namespace lockstep

#include "lockstep/topology/cartesian_product_inline.hpp"
