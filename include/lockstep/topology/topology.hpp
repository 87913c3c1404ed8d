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
/// Nodes 0..P-1 are processors, the others switches (indirect networks), which forward messages and
/// have no host: they neither produce nor keep blocks. A topology with switches defines P with a
/// member processor_count() and names it in Knows, like other properties (knows.hpp).
/// All members are pure: equal arguments give equal answers, from any number of workers. They are
/// called for every message. A machine copies a trivially copyable topology (a formula) and keeps a
/// reference to any other. build_network() builds the fastest tables and proves the laws; run()
/// uses it. Machines that run on a formula check the laws of every arc that they use.
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

}  // namespace lockstep
