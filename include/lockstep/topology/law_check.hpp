// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Checks the laws of topology.hpp for an arc. Tables call it at construction, and machines that
/// run on an unproven formula call it for each arc.
///
///     if (!are_laws_proven(network)) check_arc(network, node, port);

#include <string>
#include <string_view>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

namespace detail {

[[noreturn, gnu::noinline, gnu::cold]] inline void refuse_arc(std::string_view name, NodeId u,
                                                              Port p, const std::string& what) {
  throw InvalidParameter(std::string(name) + ": node " + std::to_string(index(u)) + ", port " +
                         std::to_string(index(p)) + ": " + what);
}

template <Topology T>
[[gnu::noinline, gnu::cold]] void refuse_way_back(const T& network, NodeId u, Port p) {
  const NodeId v = network.neighbor(u, p);
  const Port back = network.reverse_port(u, p);
  const std::string to = "node " + std::to_string(index(v));
  if (index(v) >= network.node_count())
    refuse_arc(network.name(), u, p,
               "leads outside 0.." + std::to_string(network.node_count() - 1));
  if (v == u) refuse_arc(network.name(), u, p, "leads back to its own node");
  if (index(back) >= network.degree(v))
    refuse_arc(network.name(), u, p,
               "reverse port " + std::to_string(index(back)) + " is out of range; " + to +
                   " has degree " + std::to_string(network.degree(v)));
  const std::string port_of = "port " + std::to_string(index(back)) + " of " + to;
  if (network.neighbor(v, back) != u)
    refuse_arc(network.name(), u, p, port_of + " does not lead back");
  refuse_arc(network.name(), u, p, "reverse port of " + port_of + " is another");
}

}  // namespace detail

/// Throws InvalidParameter that names node and port where the arc breaks a law.
template <Topology T>
[[gnu::always_inline]] inline void check_arc(const T& network, NodeId u, Port p) {
  const NodeId v = network.neighbor(u, p);
  const Port back = network.reverse_port(u, p);
  if (index(v) >= network.node_count() || v == u || index(back) >= network.degree(v) ||
      network.neighbor(v, back) != u || network.reverse_port(v, back) != p) [[unlikely]]
    detail::refuse_way_back(network, u, p);
}

/// The same of all arcs of a node, and of their number.
template <Topology T>
void check_arcs(const T& network, NodeId u) {
  const std::size_t degree = network.degree(u);
  if (degree > network.max_degree())
    throw InvalidParameter(network.name() + ": node " + std::to_string(index(u)) + ": " +
                           std::to_string(degree) + " ports; allowed: 0.." +
                           std::to_string(network.max_degree()));
  for (std::size_t p = 0; p < degree; ++p) check_arc(network, u, port(p));
}

}  // namespace lockstep
