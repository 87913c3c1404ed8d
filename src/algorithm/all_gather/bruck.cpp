// SPDX-License-Identifier: Apache-2.0

/// All-gather in the complete graph of any number of nodes: a node that holds h consecutive blocks
/// sends min(h, N - h) of them to the node h places before it, so that every step doubles them.

#include <algorithm>
#include <utility>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/topology/cyclic_networks.hpp"

namespace lockstep {

const PlannedAlgorithm bruck_gather = {
    .info = plain_info("bruck", Operation::all_gather, port_models::single_port,
                       "Bruck et al. 1997", {"log(2, N)", "N - 1"},
                       "sends up to as many blocks as are held to the node as many places before"),
    .networks = shapes::complete,
    .plan = [](const PlanRequest& asked) {
      // The block of node 0: after `held` nodes have it, these are 0, -1, .. 1 - held.
      const std::uint64_t nodes = asked.network.node_count();
      Transfers plan = all_one_class(nodes);
      for (std::uint64_t held = 1; held < nodes; held *= 2, ++plan.steps)
        for (std::uint64_t i = 0; i < std::min(held, nodes - held); ++i)
          plan.move(plan.steps, 0, everyone, (nodes - i) % nodes, nodes - i - held,
                    port(nodes - held - 1));
      return asked.network.as<CompleteGraph>() != nullptr
                 ? plan
                 : of_every_node(std::move(plan), [nodes](std::uint64_t by, std::uint64_t u) {
                     return (by + u) % nodes;
                   });
    }};

}  // namespace lockstep
