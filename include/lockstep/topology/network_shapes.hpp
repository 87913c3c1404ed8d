// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Shapes and quantities of networks, of which conditions are made
/// (topology/supported_networks.hpp). Networks have a shape by their links, whatever their names: a
/// complete graph from a file is one, too.
///
///     shapes::complete.up_to_nodes(512)                          // "complete of up to 512 nodes"
///     shapes::hamiltonian.with(even(quantities::nodes))
///     shapes::linear.up_to_nodes(512).or_else(shapes::hamiltonian.up_to_nodes(1'024))

#include <cstdint>

#include "lockstep/topology/supported_networks.hpp"

namespace lockstep {

/// Hamiltonian cycles are searched for in networks of up to so many nodes.
inline constexpr std::uint64_t most_searched_nodes = 1'024;
/// Networks that are not written as such are looked at for these shapes up to so many nodes.
inline constexpr std::uint64_t most_complete_nodes = 4'096;
inline constexpr std::uint64_t most_chain_nodes = std::uint64_t{1} << 20U;
inline constexpr std::uint64_t most_cube_nodes = std::uint64_t{1} << 20U;

namespace shapes {

extern const NetworkShape any_network;
extern const NetworkShape switchless;          ///< without switches
extern const NetworkShape cayley_graph;        ///< with a known group
extern const NetworkShape switchless_product;  ///< of two factors or more, written as a product
extern const NetworkShape complete;            ///< every node is linked to every other
extern const NetworkShape hypercube;           ///< nodes are numbers; neighbours differ in one bit
extern const NetworkShape chain;               ///< node i is linked to node i + 1
extern const NetworkShape linear;              ///< a chain without other links
extern const NetworkShape cycle;               ///< of 3 nodes or more
extern const NetworkShape hamiltonian;         ///< a Hamiltonian cycle is found; no switches
extern const NetworkShape bipartite;           ///< with processors in both classes

}  // namespace shapes

namespace quantities {

extern const NetworkQuantity nodes;
extern const NetworkQuantity ports;  ///< of the node with the most
extern const NetworkQuantity pairs;  ///< processors x nodes
extern const NetworkQuantity hops;   ///< in the plan, which shows them

}  // namespace quantities
}  // namespace lockstep
