// SPDX-License-Identifier: Apache-2.0

/// All-gather in a torus, one dimension after the other: in the ring of a dimension of n nodes
/// every node sends on, n - 1 times, what came last. It begins with all that it has from the
/// dimensions before.

#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "algorithm/torus_rings.hpp"
#include "lockstep/topology/cyclic_networks.hpp"

namespace lockstep {

const PlannedAlgorithm torus_all_gather = {
    .info = {.name = "ring-by-ring",
             .operation = Operation::all_gather,
             .model = port_models::single_port,
             .source = "textbook",
             .startups = "sides('k - 1')",
             .message_times = "N - 1",
             .claims = {.message_times = Among::all},
             .summary = "goes around the rings of one dimension after the other"},
    .networks = torus_or_ring,
    .plan =
        [](const PlanRequest& asked) {
          const ErasedTopology& network = asked.network;
          // A ring is a torus of one dimension, which has the same ports.
          const Torus* const torus = network.as<Torus>();
          Transfers plan = all_one_class(network.node_count());
          std::vector<NodeId> reached{NodeId{0}};  // by the block of node 0
          for (const TorusRing& ring :
               rings_of(torus != nullptr ? *torus : Torus({network.node_count()}))) {
            const std::size_t before = reached.size();
            for (std::uint64_t i = 1; i < ring.side; ++i, ++plan.steps)
              for (std::size_t j = 0; j < before; ++j) {
                const NodeId from = reached[reached.size() - before];
                reached.push_back(network.neighbor(from, ring.up));
                plan.move(plan.steps, 0, everyone, index(from), index(reached.back()), ring.up);
              }
          }
          return plan;
        },
    .one_class = true};

}  // namespace lockstep
