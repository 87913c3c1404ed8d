// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The concept of an interconnection network: nodes, ports, neighbours. It is the only interface
/// between networks and everything else.
///
/// Laws that the concept cannot say (tests/property/topology_laws_test.cpp holds every topology of
/// the catalogue to them), for u < node_count and p < degree(u):
///   * neighbor(u, p) != u, and neighbor(u, p) < node_count;
///   * neighbor(neighbor(u, p), reverse_port(u, p)) == u, and reverse_port leads back to p;
///   * ports of one node that lead to the same node are lanes of one link: a link of capacity c is
///     c of them, each with a reverse port of its own;
///   * the network is connected; degree(u) <= max_degree().
/// Nodes 0..P-1 are processors, those behind them switches (indirect networks), which pass messages
/// on and have no host: they neither make nor keep blocks. A topology that has switches says P with
/// a member processor_count(), and names that and what else it knows of itself.
/// All members are pure: equal arguments, equal answers, safe from any number of workers. They are
/// asked for every message: a machine copies a topology that is trivially copyable, a formula, and
/// refers to any other. Where neighbours are looked up, build_network() has the fastest tables, and
/// proves the laws; run() uses it. Machines that run on a formula check the laws of every arc that
/// they use.
///
///     static_assert(Topology<Ring>);
///     for (std::size_t p = 0; p < ring.degree(u); ++p) visit(ring.neighbor(u, port(p)));

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "lockstep/core/ids.hpp"

namespace lockstep {

class MixedRadix;

/// Properties that a topology may know without a search, beyond the concept. It names them and has
/// the member for each:
///
///     static constexpr Knows knows = Knows::diameter | Knows::level_sizes;
///
/// A name without its member, or a member without its name, is an error where the topology is used,
/// not a silent search. closed_forms.hpp asks for all but processors and coordinates.
enum class Knows : std::uint16_t {
  nothing = 0,
  processors = 1U << 0U,   ///< processor_count(): the remaining nodes are switches
  diameter = 1U << 1U,     ///< diameter() of the whole network
  level_sizes = 1U << 2U,  ///< level_sizes(from) as metrics.hpp counts them, or level_sizes() where
                           ///< the network looks the same from every node
  bisection = 1U << 3U,    ///< bisection(): the cut through its middle; no links if none is known
  arc_classes = 1U << 4U,  ///< arc_classes(): what pairs need of the arcs of each factor
  link_count = 1U << 5U,   ///< link_count(); empty where it exceeds 64 bits
  find = 1U << 6U,         ///< find(label): the node with that label, if there is one
  port_label = 1U << 7U,   ///< port_label(u, p), as the papers call it: "dimension 4"
  levels = 1U << 8U,       ///< levels() of a network of switches, from the processors up: the nodes
                           ///< of a level are numbered one after the other
  factors = 1U << 9U,  ///< factors(): the networks it is the cartesian product of, the first one
                       ///< most significant in a node's number; none if it is not a product
  permutation = 1U << 10U,  ///< permutation(u): nodes are permutations, and products compose them
  orbits = 1U << 11U,       ///< orbits(): one node of each class of nodes that see the same network
  coordinates = 1U << 12U   ///< coordinates(): the digits of a node's number; of a group, product()
                            ///< multiplies digit by digit
};

[[nodiscard]] constexpr Knows operator|(Knows a, Knows b) noexcept {
  return static_cast<Knows>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

namespace detail {

template <class T>
[[nodiscard]] constexpr bool names(Knows what) noexcept {
  if constexpr (requires { T::knows; })
    return (static_cast<unsigned>(T::knows) & static_cast<unsigned>(what)) != 0;
  else
    return false;
}

// Version 14 of clang-format takes `requires` in a list for the end of the function.
// clang-format off
/// The first property that is named without its member, or not named although there is one.
template <class T>
[[nodiscard]] constexpr Knows mistaken_knowledge() noexcept {
  const bool has_member[] = {
      requires(const T& t) { t.processor_count(); }, requires(const T& t) { t.diameter(); },
      requires(const T& t) { t.level_sizes(); } ||
          requires(const T& t, NodeId u) { t.level_sizes(u); },
      requires(const T& t) { t.bisection(); }, requires(const T& t) { t.arc_classes(); },
      requires(const T& t) { t.link_count(); },
      requires(const T& t, const std::string& label) { t.find(label); },
      requires(const T& t, NodeId u, Port p) { t.port_label(u, p); },
      requires(const T& t) { t.levels(); }, requires(const T& t) { t.factors(); },
      requires(const T& t, NodeId u) { t.permutation(u); }, requires(const T& t) { t.orbits(); },
      requires(const T& t) { { t.coordinates() } -> std::same_as<const MixedRadix&>; }};
  unsigned bit = 1;
  for (const bool has : has_member) {
    if (names<T>(static_cast<Knows>(bit)) != has) return static_cast<Knows>(bit);
    bit <<= 1U;
  }
  return Knows::nothing;
}
// clang-format on

/// Compile-time checks of the optional members of a topology, with one sentence each.
template <class T>
struct KnowledgeCheck {
  static constexpr Knows first = mistaken_knowledge<T>();
  static constexpr bool passed = first == Knows::nothing;
  static_assert(
      first != Knows::processors,
      "topology: Knows::processors and std::uint64_t processor_count() const, or neither");
  static_assert(first != Knows::diameter,
                "topology: Knows::diameter and std::uint64_t diameter() const, or neither");
  static_assert(first != Knows::level_sizes,
                "topology: Knows::level_sizes and std::vector<std::uint64_t> level_sizes() const, "
                "or level_sizes(NodeId) const, or neither");
  static_assert(first != Knows::bisection,
                "topology: Knows::bisection and Cut bisection() const, or neither");
  static_assert(
      first != Knows::arc_classes,
      "topology: Knows::arc_classes and std::vector<ArcClass> arc_classes() const, or neither");
  static_assert(first != Knows::link_count,
                "topology: Knows::link_count and std::uint64_t link_count() const, or neither");
  static_assert(
      first != Knows::find,
      "topology: Knows::find and std::optional<NodeId> find(const std::string&) const, or neither");
  static_assert(
      first != Knows::port_label,
      "topology: Knows::port_label and std::string port_label(NodeId, Port) const, or neither");
  static_assert(first != Knows::levels,
                "topology: Knows::levels and std::vector<Level> levels() const, or neither");
  static_assert(first != Knows::factors,
                "topology: Knows::factors and std::vector<Factor> factors() const, or neither");
  static_assert(first != Knows::permutation,
                "topology: Knows::permutation and permutation(NodeId) const, or neither");
  static_assert(first != Knows::orbits,
                "topology: Knows::orbits and std::vector<NodeId> orbits() const, or neither");
  static_assert(
      first != Knows::coordinates,
      "topology: Knows::coordinates and const MixedRadix& coordinates() const, or neither");
};

}  // namespace detail

/// Whether a topology of this type knows it.
template <class T>
[[nodiscard]] constexpr bool knows(Knows what) noexcept {
  static_assert(sizeof(detail::KnowledgeCheck<T>) != 0);
  return detail::names<T>(what);
}

// Not std::copyable, which makes the compiler check some 20 concepts of the library per topology.
template <class T>
concept Topology = std::is_copy_constructible_v<T> && std::is_copy_assignable_v<T> &&
    requires(const T& network, NodeId u, Port p) {
  { network.name() } -> std::same_as<std::string>;  // as the catalogue parses it: "star:7"
  { network.node_count() } -> std::same_as<std::uint64_t>;
  { network.max_degree() } -> std::same_as<std::size_t>;
  { network.degree(u) } -> std::same_as<std::size_t>;
  { network.neighbor(u, p) } -> std::same_as<NodeId>;
  { network.reverse_port(u, p) } -> std::same_as<Port>;
  { network.label(u) } -> std::same_as<std::string>;  // a node as the papers write it
};

/// How many of the nodes are processors.
template <Topology T>
[[nodiscard]] std::uint64_t processor_count(const T& network) {
  if constexpr (knows<T>(Knows::processors)) return network.processor_count();
  return network.node_count();
}

/// Whether the laws of this type are already proven: tables prove them when they are
/// made, tests/property/topology_laws_test.cpp those of the catalogue's formulas.
template <class T>
inline constexpr bool laws_are_proven = false;

/// For a type-erased network: whether the laws of its concrete type are proven.
template <Topology T>
[[nodiscard]] bool are_laws_proven(const T& network) {
  if constexpr (requires { network.are_laws_proven(); })
    return network.are_laws_proven();
  else
    return laws_are_proven<T>;
}

/// A Cayley graph: the nodes are a group, the ports its generators, and every node looks the same.
/// Further laws: product is associative with identity() and inverse();
/// neighbor(u, p) == product(u, neighbor(identity(), p)), so left translation keeps arcs and ports.
template <class T>
concept CayleyTopology = Topology<T> && requires(const T& network, NodeId u, NodeId v) {
  { network.identity() } -> std::same_as<NodeId>;
  { network.product(u, v) } -> std::same_as<NodeId>;
  { network.inverse(u) } -> std::same_as<NodeId>;
};

class TopologyInterface;

/// With its type erased (detail/topology_model.hpp). Compiled in the library for its own families.
template <class T>
[[nodiscard]] std::shared_ptr<const TopologyInterface> topology_model(T topology);

}  // namespace lockstep
