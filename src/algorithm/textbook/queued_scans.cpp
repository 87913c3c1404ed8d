// SPDX-License-Identifier: Apache-2.0

/// Scans of long blocks there and back by the total exchanges of one block per message over
/// balanced shortest paths (total_exchange/path_exchange.hpp): few message times, many start-ups.
/// Source: Lockstep.

#include "algorithm/planned_algorithms.hpp"
#include "algorithm/total_exchange/path_exchange.hpp"

namespace lockstep {
namespace {

[[nodiscard]] PlannedAlgorithm queued(PortModel model, PathPorts ports) {
  return {
      .info = {.name = "queues",
               .operation = Operation::total_exchange,
               .model = model,
               .source = "Lockstep",
               .summary = "queues over balanced shortest paths"},
      .networks = shapes::any_network.up_to_nodes(64),
      .plan = [ports](const PlanRequest& asked) { return path_exchange(asked.network, ports); }};
}

}  // namespace

const PlannedAlgorithm queued_scan =
    exchanged_scan(queued(port_models::all_port, PathPorts::all), "exchanged-queues");
const PlannedAlgorithm queued_scan_in_turn =
    exchanged_scan(queued(port_models::single_port, PathPorts::one), "exchanged-hop-levels");

}  // namespace lockstep
