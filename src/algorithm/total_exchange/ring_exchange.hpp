// SPDX-License-Identifier: Apache-2.0
#pragma once

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

#include <array>

#include "algorithm/total_exchange/factor_exchange.hpp"

namespace lockstep {

class RingExchange final : public PlannedExchange {
  static constexpr std::array parameters{discipline_parameter(QueueDiscipline::message_shift)};

 public:
  static constexpr AlgorithmInfo info{
      .name = "both-ways",
      .operation = Operation::total_exchange,
      .model = port_models::all_port,
      .source = "Dimakopoulos, sections 4.3.1 and 4.3.2",
      .costs = "ceil(n^2/8) start-ups and message times: the lower bound (message-shift)",
      .summary = "both directions at once, each with a queue; message shift keeps all links busy",
      .parameters = parameters};

  [[nodiscard]] static bool admits(const ErasedTopology& network) { return is_ring(network); }

  explicit RingExchange(const ErasedTopology& network, const Settings& settings = {})
      : PlannedExchange(
            info.name, network,
            ring_exchange(network.node_count(), queue_discipline(settings.text(
                                                    "discipline", parameters.front().fallback)))) {}
};

}  // namespace lockstep
