// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange on any graph along shortest paths that share the work, one block per message.
/// Model:   single-port, full-duplex (hop-levels, queues-in-turn); all-port (queues).
/// Idea:    hop-levels: all first hops, then all second hops, ..: a level is a bipartite multigraph
///          of senders and receivers, whose edges are coloured with as few colours as there can be
///          (Koenig); a colour is a step. Where all nodes send equally often in every level, the
///          steps are the status. Queues: every link, or with one port every node, sends in each
///          step the first block of its queue that the next node can receive.
/// Cost:    hop-levels: the sum over the levels of the most blocks that a node sends or receives in
///          it. Queues: counted in the plan; they may exceed the status and partition bounds.
/// Source:  derived; the status as bound: Dimakopoulos, section 4.1, (4.14) and (4.15). Section
///          4.4 leaves open vertex-transitive graphs that are no Cayley graphs: the Petersen graph
///          and the odd graph of degree 4 take the status.
/// Differs: paths are chosen by a search that is bounded: it may miss an even choice.

#include <optional>

#include "algorithm/shortest_path_exchange.hpp"
#include "algorithm/total_exchange/exchange_hops.hpp"
#include "algorithm/total_exchange/node_invariant_exchange.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// By queues of this discipline; level by level where there is none. Throws InvalidParameter where
/// there are too many pairs.
[[nodiscard]] ExchangeHops path_exchange(const ErasedTopology& network, PathPorts ports,
                                         std::optional<QueueDiscipline> discipline);

class HopLevels final : public PlannedExchange {
 public:
  static constexpr AlgorithmInfo info{
      .name = "hop-levels",
      .operation = Operation::total_exchange,
      .model = port_models::single_port,
      .source = "this library; status bound of Dimakopoulos, section 4.1",
      .costs = "sum over the levels of the largest load of a node, in start-ups and message times",
      .summary = "all first hops, then all second hops, ..; shortest paths that share the work"};

  [[nodiscard]] static bool admits(const ErasedTopology& network) {
    return network.processor_count() == network.node_count();
  }

  explicit HopLevels(const ErasedTopology& network, const Settings& = {})
      : PlannedExchange(info.name, network, path_exchange(network, PathPorts::one, {})) {}
};

/// On Cayley graphs node-invariant has the same disciplines, and takes the status.
template <PathPorts ports>
class QueuedPaths final : public PlannedExchange {
 public:
  static constexpr AlgorithmInfo info{
      .name = ports == PathPorts::all ? "queues" : "queues-in-turn",
      .operation = Operation::total_exchange,
      .model = ports == PathPorts::all ? port_models::all_port : port_models::single_port,
      .source = "Dimakopoulos, sections 4.1 and 4.3.1; any graph: this library",
      .costs = "counted in the plan",
      .summary = ports == PathPorts::all
                     ? "a queue per link; shortest paths that share the work"
                     : "a queue per processor; shortest paths that share the work",
      .parameters = NodeInvariantExchange::parameters};

  [[nodiscard]] static bool admits(const ErasedTopology& network) {
    return HopLevels::admits(network) && !network.symmetric();
  }

  explicit QueuedPaths(const ErasedTopology& network, const Settings& settings = {})
      : PlannedExchange(
            info.name, network,
            path_exchange(network, ports, queue_discipline(settings.text("discipline", "fifo")))) {}
};

}  // namespace lockstep
