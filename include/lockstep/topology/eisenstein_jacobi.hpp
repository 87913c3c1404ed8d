// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The Eisenstein-Jacobi network of alpha = a + b rho, of one dimension: the hexagonal lattice
/// modulo alpha. Its a^2 + ab + b^2 nodes are residue classes of Eisenstein-Jacobi integers; port k
/// adds rho^k, so that six links meet at every node.
///
///     const EisensteinJacobi network{3, 4};                  // 37 nodes
///     network.label(NodeId{36}) == "-1";
///     network.neighbor(NodeId{0}, Port{5}) == network.find("-rho^2");
///     network.weight(*network.find("3+rho")) == 3;           // the same node as -3rho
///
/// Nodes are numbered by the Hermite form of the lattice of multiples of alpha, whose basis is
/// (m, 0), (t, g) with g = gcd(a, b): class x + y rho, 0 <= x < m, 0 <= y < g, is node y m + x. All
/// is arithmetic: a neighbour, a distance, a label take O(1) time and no memory.
///
/// Source: Z. Hussain, "An improved one-to-all broadcasting in higher dimensional Eisenstein-Jacobi
/// networks", 2018, section 2.1; M. Flahive, B. Bose, "The topology of Gaussian and
/// Eisenstein-Jacobi interconnection networks", IEEE TPDS 21 (2010). Diameter floor((a + 2b) / 3).

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/detail/divisor.hpp"
#include "lockstep/core/eisenstein.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/cartesian_product.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class EisensteinJacobi {
 public:
  static constexpr Knows knows =
      Knows::link_count | Knows::diameter | Knows::level_sizes | Knows::find | Knows::port_label;
  static constexpr std::uint64_t min_nodes = 7;  ///< fewer have loops or parallel links
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 63;

  /// Throws InvalidParameter unless a <= b and 7 <= a^2 + ab + b^2 <= 2^63.
  EisensteinJacobi(std::uint64_t a, std::uint64_t b);

  [[nodiscard]] std::uint64_t a() const noexcept { return a_; }
  [[nodiscard]] std::uint64_t b() const noexcept { return b_; }
  /// g, m and t of the Hermite form.
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::uint64_t columns() const noexcept { return columns_; }
  [[nodiscard]] std::uint64_t skew() const noexcept { return skew_; }
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::uint64_t node_count() const noexcept { return node_count_; }
  [[nodiscard]] std::size_t max_degree() const noexcept { return eisenstein_units.size(); }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return eisenstein_units.size(); }

  /// One conditional subtraction where a and b have no common divisor.
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    return product(u, units_[index(p)]);
  }
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept {
    return port(index(p) < 3 ? index(p) + 3 : index(p) - 3);
  }

  /// The group: addition modulo alpha.
  [[nodiscard]] NodeId identity() const noexcept { return NodeId{0}; }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const noexcept {
    if (rows_ > 1) return sum_in_rows(u, v);
    const std::uint64_t sum = index(u) + index(v);
    return NodeId{sum >= node_count_ ? sum - node_count_ : sum};
  }
  [[nodiscard]] NodeId inverse(NodeId u) const noexcept;
  /// The node that lies from 0 as `to` lies from `from`.
  [[nodiscard]] NodeId difference(NodeId from, NodeId to) const noexcept {
    return product(to, inverse(from));
  }

  /// The class of any integer.
  [[nodiscard]] NodeId id_of(Eisenstein z) const noexcept;
  /// The shortest integer of a class in the lowest sector (no two lie in one sector). O(1): it is
  /// among seven candidates.
  [[nodiscard]] Eisenstein representative(NodeId u) const noexcept;
  /// All of them, one per sector at most, by sectors.
  [[nodiscard]] std::vector<Eisenstein> representatives(NodeId u) const;
  /// The distance from node 0.
  [[nodiscard]] std::uint64_t weight(NodeId u) const noexcept {
    return static_cast<std::uint64_t>(length(representative(u)));
  }
  [[nodiscard]] std::uint64_t distance(NodeId u, NodeId v) const noexcept {
    return weight(difference(u, v));
  }

  /// Empty where it exceeds 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> link_count() const noexcept;
  /// Closed forms; tests hold them against breadth-first search. No level sizes where there are
  /// more than max_levels.
  [[nodiscard]] std::uint64_t diameter() const noexcept { return (a_ + 2 * b_) / 3; }
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const;

  /// The representative as the paper writes it: "1-rho^2".
  [[nodiscard]] std::string label(NodeId u) const { return to_paper(representative(u)); }
  /// The class of any sum of multiples of 1, rho, rho^2, which may stand in parentheses (a command
  /// line takes "-rho" for an option); empty if it is none.
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  /// "+rho^2".
  [[nodiscard]] std::string port_label(NodeId, Port p) const;

 private:
  using Candidates = std::array<Eisenstein, 7>;
  [[nodiscard]] Candidates candidates(NodeId u) const noexcept;
  [[nodiscard]] NodeId sum_in_rows(NodeId u, NodeId v) const noexcept;

  std::uint64_t a_;
  std::uint64_t b_;
  std::uint64_t node_count_;
  std::uint64_t rows_ = 1;
  std::uint64_t columns_ = 1;
  std::uint64_t skew_ = 0;
  Divisor by_columns_{1};
  std::array<NodeId, eisenstein_units.size()> units_{};
};

static_assert(CayleyTopology<EisensteinJacobi>);
template <>
inline constexpr bool laws_are_proven<EisensteinJacobi> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(EisensteinJacobi);

/// EJ_alpha^(n), the Eisenstein-Jacobi network of n dimensions: the cartesian product of n networks
/// of alpha = a + b rho. Node (c_n, ..., c_1) is number c_1 + c_2 N + c_3 N^2 + ..; port 6 (d-1) +
/// k adds rho^k in dimension d, counted from 1.
///
///     const EisensteinJacobiNetwork network(3, 4, 2);              // 1369 nodes of degree 12
///     const NodeId u = *network.find("(1-rho^2, 2rho)");
///     network.label(network.neighbor(u, Port{8})) == "(1, 2rho)";   // dimension 2, +rho^2
///
/// Source: Z. Hussain, "An improved one-to-all broadcasting in higher dimensional Eisenstein-Jacobi
/// networks", 2018, section 2.2.
class EisensteinJacobiNetwork : public CartesianProduct<EisensteinJacobi> {
 public:
  /// Throws InvalidParameter unless a <= b, 7 <= a^2 + ab + b^2, n >= 1 and there are at most 2^63
  /// nodes. Named "ej:3+4^2", "ej:3+4" of one dimension.
  EisensteinJacobiNetwork(std::uint64_t a, std::uint64_t b, std::size_t dimensions = 1);

  /// The network of one dimension.
  [[nodiscard]] const EisensteinJacobi& alpha() const noexcept { return factor(0); }

  /// From one node to another, the coordinates' distances added up.
  [[nodiscard]] std::uint64_t distance(NodeId u, NodeId v) const noexcept;

  [[nodiscard]] std::uint64_t diameter() const noexcept {
    return dimensions() * alpha().diameter();
  }
  /// As those of CartesianProduct, the same from every node.
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const {
    return CartesianProduct::level_sizes(NodeId{0});
  }

 private:
  EisensteinJacobiNetwork(const EisensteinJacobi& alpha, std::size_t dimensions);
};

static_assert(CayleyTopology<EisensteinJacobiNetwork>);
template <>
inline constexpr bool laws_are_proven<EisensteinJacobiNetwork> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(EisensteinJacobiNetwork);

/// The broadcast tree of an Eisenstein-Jacobi network of one dimension, rooted at node 0: first so
/// many hops along the major direction of a sector, then so many along its minor one.
///
///     const EisensteinJacobiTree tree(EisensteinJacobi{3, 4});
///     tree.depth() == 3;  tree.child_mask(NodeId{0}) == 0b111111;
///     tree.parent_port(*network.find("1-2rho^2")) == Port{5};   // its last hop is -rho^2
///
/// Laws (tests hold every 0 <= a <= b <= 25 to them): a spanning tree in which a node's depth is
/// its distance from node 0; the sector is the same all along a path; node 0 has six children,
/// every other node at most two. Where a class has several shortest representatives, the one in the
/// lowest sector decides; then the sectors differ in size.
///
/// O(nodes) to build, 5 bytes per node; every answer is a look-up.
///
/// Source: Z. Hussain, "An improved one-to-all broadcasting in higher dimensional
/// Eisenstein-Jacobi networks", 2018, section 3, which
/// has it for b = a + 1.
class EisensteinJacobiTree {
 public:
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 30;

  /// Throws InvalidParameter where there are more nodes.
  explicit EisensteinJacobiTree(const EisensteinJacobi& network);
  /// The same check alone: for those who build their tree later.
  static void check_size(const EisensteinJacobi& network);

  [[nodiscard]] std::uint64_t node_count() const noexcept { return child_masks_.size(); }
  [[nodiscard]] std::uint64_t depth() const noexcept { return depth_; }

  /// The distance from node 0.
  [[nodiscard]] std::uint64_t weight(NodeId u) const noexcept { return weights_[index(u)]; }
  /// 1..6; 0 for node 0.
  [[nodiscard]] int sector(NodeId u) const noexcept { return sectors_[index(u)]; }
  /// The last hop of the path to u: the parent sends through this port. Precondition: u is not 0.
  [[nodiscard]] Port parent_port(NodeId u) const noexcept { return Port{parent_ports_[index(u)]}; }
  /// Bit k: there is a child through port k.
  [[nodiscard]] std::uint8_t child_mask(NodeId u) const noexcept { return child_masks_[index(u)]; }
  [[nodiscard]] bool is_leaf(NodeId u) const noexcept { return child_mask(u) == 0; }

  [[nodiscard]] static std::uint64_t bytes(const EisensteinJacobi& network) noexcept {
    return network.node_count() * (sizeof(std::uint16_t) + 3);
  }

 private:
  std::vector<std::uint16_t> weights_;
  std::vector<std::uint8_t> sectors_;
  std::vector<std::uint8_t> parent_ports_;
  std::vector<std::uint8_t> child_masks_;
  std::uint64_t depth_;
};

}  // namespace lockstep
