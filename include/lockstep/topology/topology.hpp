// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What an interconnection network is: nodes, ports, neighbours. The one interface between networks
/// and everything else.
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
/// a member processor_count(), and names that and what else it knows of itself (knows.hpp).
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
#include <string>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/knows.hpp"

namespace lockstep {

template <class T>
concept Topology = std::copyable<T> && requires(const T& network, NodeId u, Port p) {
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
  if constexpr (knows<T>(Knows::processors))
    return network.processor_count();
  else
    return network.node_count();
}

/// Whether nobody has to check the laws of this type once more: tables prove them when they are
/// made, tests/property/topology_laws_test.cpp those of the catalogue's formulas.
template <class T>
inline constexpr bool laws_are_proven = false;

/// Of a network whose type is erased: those of the type behind it.
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

}  // namespace lockstep
