// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Networks for random programs: some with hubs, lanes and switches, and regular ones whose nodes
/// do not agree on the numbers of their ports.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "reference/random.hpp"

namespace lockstep::reference {

/// Three leaves with links of one, two and four lanes, and some with one.
inline Network hub_with_lanes() {
  std::vector<Link> links;
  for (const std::uint64_t leaf : {1U, 2U, 2U, 3U, 3U, 3U, 3U, 4U, 5U, 6U, 7U})
    links.push_back({NodeId{0}, NodeId{leaf}});
  return build_network("hub with lanes", 8, links);
}

/// Eight processors below four switches below two, which have two lanes to the highest.
inline Network switched_tree() {
  std::vector<Link> links;
  for (std::uint64_t leaf = 0; leaf < 8; ++leaf)
    links.push_back({NodeId{leaf}, NodeId{8 + leaf / 2}});
  for (std::uint64_t below = 0; below < 4; ++below)
    links.push_back({NodeId{8 + below}, NodeId{12 + below / 2}});
  for (const std::uint64_t below : {12U, 12U, 13U, 13U})
    links.push_back({NodeId{below}, NodeId{14}});
  return build_network("switched tree", 15, links, 8);
}

/// Every node has two lanes to either neighbour.
inline Network ring_with_lanes() {
  std::vector<Link> links;
  for (std::uint64_t u = 0; u < 6; ++u)
    for (int lane = 0; lane < 2; ++lane) links.push_back({NodeId{u}, NodeId{(u + 1) % 6}});
  return build_network("ring with lanes", 6, links);
}

/// Networks for which programs of any kind are drawn.
inline const std::vector<Network>& some_networks() {
  static const std::vector<Network> networks{build_network(StarGraph(3)),
                                             build_network(StarGraph(4)),
                                             build_network(Ring(3)),
                                             build_network(Ring(8)),
                                             build_network(Hypercube(4)),
                                             hub_with_lanes(),
                                             switched_tree(),
                                             ring_with_lanes()};
  return networks;
}

/// The same links in another order: every node numbers its ports in its own way. Nodes from
/// `processors` on are switches.
inline Network renumbered(Random& random, const Network& network, std::uint64_t processors) {
  std::vector<Link> links;
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      if (const NodeId v = network.neighbor(NodeId{u}, port(p)); u < index(v))
        links.push_back({NodeId{u}, v});
  random.shuffle(links);
  return build_network(network.name() + " renumbered", network.node_count(), links, processors);
}

}  // namespace lockstep::reference
