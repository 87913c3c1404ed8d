// SPDX-License-Identifier: Apache-2.0

/// Total exchanges of one block per message over balanced shortest paths (path_exchange.hpp), and
/// scans of long blocks there and back by them: few message times, many start-ups.

#include <array>

#include "algorithm/planned_algorithms.hpp"
#include "algorithm/total_exchange/path_exchange.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {
namespace {

constexpr NetworkShape without_group{
    .text = "any network",
    .plural = "networks",
    .clause = " other than Cayley graphs",
    .is = [](const ErasedTopology& network) { return !network.symmetric(); },
    .general = true,
    .wider = &shapes::any_network};

/// Networks that are no Cayley graphs, and small ones that are.
[[nodiscard]] SupportedNetworks queued_path_networks() {
  return without_group.up_to_nodes(most_path_nodes)
      .with(at_most(quantities::hops, most_path_hops))
      .or_else(shapes::cayley_graph.up_to_nodes(most_path_nodes_of_group));
}

constexpr std::array path_parameters{discipline_parameter(QueueDiscipline::fifo)};

/// On Cayley graphs node-invariant has the same disciplines, and takes the status under one port.
[[nodiscard]] PlannedAlgorithm queued(Ports ports) {
  const bool all = ports == Ports::all;
  return {.info = {.name = all ? "queues" : "queues-in-turn",
                   .operation = Operation::total_exchange,
                   .model = all ? port_models::all_port : port_models::single_port,
                   .source = "Dimakopoulos, sections 4.1 and 4.3.1; any graph: Lockstep",
                   .costs = "counted in the plan",
                   .summary = all ? "keeps a queue per link; balanced shortest paths"
                                  : "keeps a queue per link; matched processors send, along "
                                    "balanced shortest paths",
                   .parameters = path_parameters},
          .networks = queued_path_networks(),
          .plan = [ports](const PlanRequest& asked) {
            return path_exchange(asked.network, ports,
                                 queue_discipline(asked.settings, path_parameters.front()));
          }};
}

/// A scan for small networks: it lists each hop twice.
[[nodiscard]] PlannedAlgorithm scan_over_paths(Ports ports, std::string_view name) {
  PlannedAlgorithm exchange = queued(ports);
  exchange.info.source = "Lockstep";
  exchange.info.parameters = {};
  exchange.networks = shapes::any_network.up_to_nodes(64);
  exchange.plan = [ports](const PlanRequest& asked) { return path_exchange(asked.network, ports); };
  return exchanged_scan(exchange, name);
}

}  // namespace

const PlannedAlgorithm hop_levels = {
    .info = {.name = "hop-levels",
             .operation = Operation::total_exchange,
             .model = port_models::single_port,
             .source = "Lockstep; status bound of Dimakopoulos, section 4.1",
             .costs = "at least the largest load of a node, in start-ups and message times",
             .summary =
                 "balanced shortest paths; each arc sends the block with the most hops left"},
    .networks = queued_path_networks(),
    .plan = [](const PlanRequest& asked) { return path_exchange(asked.network, Ports::one); }};

const PlannedAlgorithm queued_paths = queued(Ports::all);
const PlannedAlgorithm queued_paths_in_turn = queued(Ports::one);

const PlannedAlgorithm queued_scan = scan_over_paths(Ports::all, "exchanged-queues");
const PlannedAlgorithm queued_scan_in_turn = scan_over_paths(Ports::one, "exchanged-hop-levels");

}  // namespace lockstep
