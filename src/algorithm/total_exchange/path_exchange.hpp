// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange on any graph along shortest paths that share the work, one block per message.
/// Model:   single-port, full-duplex (hop-levels, queues-in-turn); all-port (queues).
/// Idea:    paths are chosen so that all nodes (one port) or links (all ports) pass on equally many
///          blocks. Blocks wait for their arc in the order of a discipline; hop-levels: those with
///          the most hops to go are first. All ports: every arc sends its first block. One port: in
///          each step a matching of senders and receivers sends, and arcs with the most hops to go
///          are matched first. Where all nodes pass on equally many, the steps are the status.
/// Source:  derived; the status as bound: Dimakopoulos, section 4.1, (4.14) and (4.15). Section
///          4.4 leaves open vertex-transitive graphs that are no Cayley graphs: the Petersen graph
///          and the odd graph of degree 4 take the status. The dodecahedron takes 51 steps, one
///          more than the status, and no algorithm takes fewer: its shortest paths never load all
///          nodes equally (tests/papers/thesis_product_exchange_test.cpp).
/// Differs: paths are chosen by a search that is bounded: it may miss an even choice.

#include <array>
#include <cstdint>

#include "algorithm/planned_transfers.hpp"
#include "algorithm/shortest_path_exchange.hpp"
#include "algorithm/total_exchange/queue_discipline.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {

/// A moment of planning; less on Cayley graphs, where other algorithms take the status.
inline constexpr std::uint64_t most_path_nodes = 300;
inline constexpr std::uint64_t most_path_nodes_of_group = 64;
inline constexpr std::uint64_t most_path_hops = std::uint64_t{1} << 20U;  // seconds

/// Networks that are no Cayley graphs.
[[nodiscard]] SupportedNetworks queued_path_networks();

/// Throws InvalidParameter where there are more nodes, or where the paths are too long in all.
[[nodiscard]] Transfers path_exchange(const ErasedTopology& network, PathPorts ports,
                                      QueueDiscipline discipline = QueueDiscipline::furthest_first);

class HopLevels final : public PlannedExchange {
 public:
  static constexpr AlgorithmInfo info{
      .name = "hop-levels",
      .operation = Operation::total_exchange,
      .model = port_models::single_port,
      .source = "Lockstep; status bound of Dimakopoulos, section 4.1",
      .costs = "at least the largest load of a node, in start-ups and message times",
      .summary = "balanced shortest paths; each arc sends the block with the most hops left",
      .general = true,
      .promise_name = "plan"};

  [[nodiscard]] static SupportedNetworks networks() {
    return shapes::cayley_graph.up_to_nodes(most_path_nodes_of_group)
        .or_else(queued_path_networks());
  }

  explicit HopLevels(const ErasedTopology& network, const Settings& = {})
      : PlannedExchange(info.name, network, path_exchange(network, PathPorts::one)) {}
};

/// On Cayley graphs node-invariant has the same disciplines, and takes the status.
template <PathPorts ports>
class QueuedPaths final : public PlannedExchange {
 public:
  static constexpr std::array parameters{discipline_parameter(QueueDiscipline::fifo)};
  static constexpr AlgorithmInfo info{
      .name = ports == PathPorts::all ? "queues" : "queues-in-turn",
      .operation = Operation::total_exchange,
      .model = ports == PathPorts::all ? port_models::all_port : port_models::single_port,
      .source = "Dimakopoulos, sections 4.1 and 4.3.1; any graph: Lockstep",
      .costs = "counted in the plan",
      .summary = ports == PathPorts::all ? "keeps a queue per link; balanced shortest paths"
                                         : "keeps a queue per link; matched processors send, along "
                                           "balanced shortest paths",
      .parameters = parameters,
      .promise_name = "plan"};

  [[nodiscard]] static SupportedNetworks networks() { return queued_path_networks(); }

  explicit QueuedPaths(const ErasedTopology& network, const Settings& settings = {})
      : PlannedExchange(info.name, network,
                        path_exchange(network, ports,
                                      queue_discipline(settings.text(
                                          "discipline", parameters.front().fallback)))) {}
};

}  // namespace lockstep
