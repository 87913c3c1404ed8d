// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchanges of small networks, hop by hop, that others are composed of
/// (product_exchange.hpp): linear arrays, rings, Cayley graphs and any graph, with one port or all.
/// Also the algorithm RingExchange ("both-ways"), which is the one of rings.
///
///     ring_exchange(8, QueueDiscipline::message_shift).steps == 8;      // ceil(64 / 8)
///     linear_exchange(5, PathPorts::one).steps == 12;                   // (25 - 1) / 2

#include <array>
#include <cstdint>

#include "algorithm/planned_transfers.hpp"
#include "algorithm/shortest_path_exchange.hpp"
#include "algorithm/total_exchange/queue_discipline.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {

/// All ports: furthest destination first in both directions, floor(n^2 / 4) steps (thesis, section
/// 4.2). One port: the directions take turns, and the last step of each, in which only the middle
/// link is used if n is even, is one step. Throws InvalidParameter for more than
/// most_planned_transfers.
[[nodiscard]] Transfers linear_exchange(std::uint64_t n, PathPorts ports);

/// Both directions at once (thesis, sections 4.3.1 and 4.3.2). Blocks go the shorter way; in a ring
/// of an even number of nodes, those to the opposite node go up from even nodes and down from odd
/// ones. Disciplines: fifo has the nearest destination at the head at first, message-shift the
/// furthest. Throws InvalidParameter for more than most_planned_transfers.
[[nodiscard]] Transfers ring_exchange(std::uint64_t n, QueueDiscipline discipline);

/// The best one known of the network: of a product, composed. Throws InvalidParameter where it is
/// too large to be planned hop by hop.
[[nodiscard]] Transfers exchange_of(const ErasedTopology& network, PathPorts ports);

/// Whether all ports of a Cayley graph are planned by an edge colouring.
[[nodiscard]] bool is_coloured(const ErasedTopology& network);

/// Whether it is a ring whose nodes are numbered along it, upwards through port 0.
[[nodiscard]] bool is_ring(const ErasedTopology& network);

/// Total exchange in rings, both ways at once.
/// Model:   all-port, full-duplex.
/// Idea:    every block goes the shorter way; in a ring of an even number of nodes, blocks for the
///          opposite node go up from even nodes and down from odd ones, so that both directions
///          carry equally much. Every node has a queue for each direction; arrivals join it.
/// Cost:    odd n: (n^2 - 1) / 8 start-ups and message times, whatever the discipline. Even n:
///          ceil(n^2 / 8) by message-shift and furthest-first; one more by fifo where 4 divides n;
///          n (n + 2) / 8 by closest-first.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors" (thesis), sections
///          4.3.1 and 4.3.2.
/// Differs: the order of the queue at the start, which the thesis leaves open for even n, has to be
///          furthest first (message-shift); fifo is nearest first
///          (tests/papers/thesis_product_exchange_test.cpp).
class RingExchange final : public PlannedExchange {
  static constexpr std::array parameters{discipline_parameter(QueueDiscipline::message_shift)};

 public:
  static constexpr AlgorithmInfo info{
      .name = "both-ways",
      .operation = Operation::total_exchange,
      .model = port_models::all_port,
      .source = "Dimakopoulos, sections 4.3.1 and 4.3.2",
      .costs = "ceil(floor(n^2/4)/2) start-ups and message times (message-shift)",
      .claims = {.startups = Among::one_block,
                 .message_times = Among::undivided,
                 .where = "with message-shift",
                 .holds =
                     [](const ErasedTopology&, const Settings& settings) {
                       const auto shift = name_of(QueueDiscipline::message_shift);
                       return settings.text("discipline", shift) == shift;
                     }},
      .summary = "both directions at once, each with a queue; message shift keeps all links busy",
      .parameters = parameters,
      .promise_name = "plan"};

  [[nodiscard]] static SupportedNetworks networks();

  explicit RingExchange(const ErasedTopology& network, const Settings& settings = {})
      : PlannedExchange(
            info.name, network,
            ring_exchange(network.node_count(), queue_discipline(settings.text(
                                                    "discipline", parameters.front().fallback)))) {}
};

}  // namespace lockstep
