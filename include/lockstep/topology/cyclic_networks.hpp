// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The families whose nodes are linked by jumps around a circle, or around one in every dimension:
/// circulants, extended rings, complete graphs, tori, generalized hypercubes, hypercycles. (The
/// plain ring is ring.hpp, the binary cube hypercube.hpp.)
///
///     const Circulant circulant(9, {1, 4});
///     circulant.neighbor(NodeId{3}, Port{3}) == NodeId{8};       // 3 - 4
///     const Torus torus({3, 4});
///     torus.label(NodeId{7}) == "1,3";
///     torus.label(torus.neighbor(NodeId{7}, Port{2})) == "1,0";

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// The Cayley graph of a product of cyclic groups in which every generator is a jump along one
/// dimension; its families are in cyclic_networks.hpp. Nodes are numbered by their coordinates,
/// dimension 1 most significant; a label lists them: "3,0".
///
/// Takes O(ports) memory; a neighbour costs no division.
class CyclicProduct {
 public:
  static constexpr Knows knows = Knows::find | Knows::port_label | Knows::coordinates;
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 40;
  static constexpr std::size_t max_ports = 65'535;  // ports have 16 bits

  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return coordinates_.count(); }
  [[nodiscard]] std::size_t max_degree() const noexcept { return moves_.size(); }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return moves_.size(); }

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    const auto& [dimension, length, reverse] = moves_[index(p)];
    const std::uint64_t size = coordinates_.size(dimension);
    const std::uint64_t to = coordinates_.digit(index(u), dimension) + length;
    const std::uint64_t wrapped = to >= size ? size : 0;
    return NodeId{index(u) + (length - wrapped) * coordinates_.stride(dimension)};  // modulo 2^64
  }
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept {
    return moves_[index(p)].reverse;
  }

  [[nodiscard]] std::string label(NodeId u) const { return coordinates_.text(index(u)); }
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  /// "dimension 2, +1"; "jump -3" where there is one dimension.
  [[nodiscard]] std::string port_label(NodeId, Port p) const;

  /// The group: addition, in every dimension modulo its size.
  [[nodiscard]] NodeId identity() const noexcept { return NodeId{0}; }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const noexcept {
    if (coordinates_.digits() != 1) return product_by_digits(u, v);
    const std::uint64_t sum = index(u) + index(v);
    return NodeId{sum >= node_count() ? sum - node_count() : sum};
  }
  [[nodiscard]] NodeId inverse(NodeId u) const noexcept;

  [[nodiscard]] const MixedRadix& coordinates() const noexcept { return coordinates_; }

 protected:
  /// Without ports yet. Precondition: sizes that MixedRadix takes.
  CyclicProduct(std::string name, const std::vector<std::uint64_t>& sizes)
      : name_(std::move(name)), coordinates_(sizes) {}

  /// Ports that lead so many nodes up in a dimension, counted from 0; down by s is up by size - s.
  /// Preconditions: 0 < length < size; no length twice, and with each its inverse.
  void add_jumps(std::size_t dimension, std::span<const std::uint64_t> lengths);
  /// Up by each of the lengths, in their order, then down; by half the size only up.
  void add_both_ways(std::size_t dimension, std::vector<std::uint64_t> lengths);

 private:
  struct Move {
    std::size_t dimension;
    std::uint64_t length;
    Port reverse;
  };

  [[nodiscard]] NodeId product_by_digits(NodeId u, NodeId v) const noexcept;

  std::string name_;
  MixedRadix coordinates_;
  std::vector<Move> moves_;
};

/// The name of a network of that family, "torus:3x4". Throws InvalidParameter unless there is a
/// size, every size is at least 2 and their product at most 2^40.
[[nodiscard]] std::string product_name(std::string_view family,
                                       std::span<const std::uint64_t> sizes);

/// The circulant graph of N nodes and jumps s1, s2, ..: node u is linked to u + s and u - s modulo
/// N for every jump s. Ports: up by every jump in the order given, then down by every jump; a jump
/// by N / 2 has one port. Source: textbook.
class Circulant : public CyclicProduct {
 public:
  static constexpr std::uint64_t min_nodes = 2;
  static constexpr std::size_t max_jumps = max_ports / 2;

  /// Throws InvalidParameter unless 2 <= node_count <= 2^40, every jump is in 1..node_count - 1, no
  /// two lead to the same nodes (5 is 4 the other way round, modulo 9), and all nodes are reached:
  /// the jumps and node_count have no common divisor.
  Circulant(std::uint64_t node_count, const std::vector<std::uint64_t>& jumps);
};

/// The common base of the others: in dimension i a node is linked to all within reach rho_i, either
/// way round. Diameter: the sum of ceil(floor(size_i / 2) / rho_i).
class CyclicNeighbourhoods : public CyclicProduct {
 public:
  static constexpr Knows knows = CyclicProduct::knows | Knows::diameter | Knows::level_sizes |
                                 Knows::bisection | Knows::arc_classes | Knows::factors;
  /// Closed forms; tests hold them against breadth-first search. No level sizes where there are
  /// more than max_levels.
  [[nodiscard]] std::uint64_t diameter() const noexcept;
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const;
  /// Through one dimension, the best.
  [[nodiscard]] Cut bisection() const;
  /// A dimension each.
  [[nodiscard]] std::vector<ArcClass> arc_classes() const;
  /// Extended rings and complete graphs, a dimension each; none where there is one dimension.
  [[nodiscard]] std::vector<CyclicNeighbourhoods> factors() const;

 protected:
  /// The order of the ports of a dimension: +1, .., +rho, -1, .., -rho, or +1, .., +(size - 1).
  enum class Ports : std::uint8_t { up_then_down, all_upwards };

  /// Preconditions: a reach per size, at most half of it; all_upwards: floor(size / 2).
  CyclicNeighbourhoods(std::string name, const std::vector<std::uint64_t>& sizes,
                       std::vector<std::uint64_t> reaches, Ports ports);

 private:
  [[nodiscard]] std::vector<std::uint64_t> levels_of(std::size_t dimension) const;

  std::vector<std::uint64_t> reaches_;
  Ports ports_;
};

/// The extended ring of N nodes and reach rho: node u is linked to u + 1, .., u + rho and
/// u - 1, .., u - rho modulo N, in this order of ports; the circulant with jumps 1..rho. With
/// rho = N / 2 the complete graph, whose jump by N / 2 has one port.
/// Source: V. V. Dimakopoulos, "Collective communication problems in multiprocessors", PhD thesis,
/// University of Victoria 1996, section 2.2.
class ExtendedRing : public CyclicNeighbourhoods {
 public:
  static constexpr std::uint64_t min_nodes = 2;
  static constexpr std::uint64_t max_reach = max_ports / 2;

  /// Throws InvalidParameter unless 2 <= node_count <= 2^40, 1 <= reach <= node_count / 2 and
  /// reach <= 32767.
  ExtendedRing(std::uint64_t node_count, std::uint64_t reach);
};

/// The complete graph of N >= 1 nodes: port p of node u leads to u + p + 1 modulo N.
/// Source: textbook. Diameter 1 (0 for a single node).
class CompleteGraph : public CyclicNeighbourhoods {
 public:
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 16;  // ports have 16 bits

  /// Throws InvalidParameter unless 1 <= node_count <= 65536.
  explicit CompleteGraph(std::uint64_t node_count);

  /// The papers give its ports no name.
  [[nodiscard]] std::string port_label(NodeId, Port p) const {
    return "port " + std::to_string(index(p));
  }
};

/// The torus of any number of dimensions: the product of rings. Ports: +1 and -1 in dimension 1,
/// then in dimension 2, ..; a dimension of size 2 is a single link and has one port.
/// Source: textbook; k-ary n-cube where all sizes are equal. Diameter: the sum of floor(size / 2).
class Torus : public CyclicNeighbourhoods {
 public:
  /// Throws InvalidParameter unless there is a size, every size is at least 2 and their product at
  /// most 2^40.
  explicit Torus(const std::vector<std::uint64_t>& sizes);
};

/// The generalized hypercube: the product of complete graphs; nodes are linked if they differ in
/// exactly one coordinate. Ports: +1, +2, .., +(size - 1) in dimension 1, then in dimension 2, ..
/// Source: L. N. Bhuyan, D. P. Agrawal, "Generalized hypercube and hyperbus structures for a
/// computer network", IEEE Transactions on Computers 33 (1984). Diameter: the number of dimensions.
class GeneralizedHypercube : public CyclicNeighbourhoods {
 public:
  /// Throws InvalidParameter unless there is a size, every size is at least 2, their product at
  /// most 2^40, and a node has at most 65535 ports.
  explicit GeneralizedHypercube(const std::vector<std::uint64_t>& sizes);
};

/// The hypercycle: the product of extended rings, of N nodes and reach rho in every dimension.
/// Ports: those of the extended ring of dimension 1, then of dimension 2, ..
/// Source: V. V. Dimakopoulos, as above, section 2.3.
class Hypercycle : public CyclicNeighbourhoods {
 public:
  struct Dimension {
    std::uint64_t size = 0;
    std::uint64_t reach = 0;
  };

  /// Throws InvalidParameter unless there is a dimension, every size is at least 2, their product
  /// at most 2^40, every reach is in 1..size / 2, and a node has at most 65535 ports.
  explicit Hypercycle(const std::vector<Dimension>& dimensions);
};

static_assert(CayleyTopology<Hypercycle>);
template <>
inline constexpr bool laws_are_proven<Hypercycle> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(Hypercycle);
static_assert(CayleyTopology<Circulant>);
template <>
inline constexpr bool laws_are_proven<Circulant> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(Circulant);
static_assert(CayleyTopology<ExtendedRing>);
template <>
inline constexpr bool laws_are_proven<ExtendedRing> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(ExtendedRing);
static_assert(CayleyTopology<CompleteGraph>);
template <>
inline constexpr bool laws_are_proven<CompleteGraph> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(CompleteGraph);
static_assert(CayleyTopology<Torus>);
template <>
inline constexpr bool laws_are_proven<Torus> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(Torus);
static_assert(CayleyTopology<GeneralizedHypercube>);
template <>
inline constexpr bool laws_are_proven<GeneralizedHypercube> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(GeneralizedHypercube);

}  // namespace lockstep
