// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in the complete graph of any number of nodes.
/// Model:   single-port, full-duplex.
/// Idea:    a node that holds h consecutive blocks sends min(h, N - h) of them to the node h places
///          before it: twice as many blocks after every step.
/// Cost:    ceil(log2 N) start-ups, N - 1 message times.
/// Source:  J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, "Efficient algorithms for
///          all-to-all communications in multiport message-passing systems", IEEE Trans. Parallel
///          and Distributed Systems 8 (1997).
/// Differs: none.

#include <optional>

#include "algorithm/planned_transfers.hpp"
#include "lockstep/topology/cyclic_networks.hpp"

namespace lockstep {

class BruckGather final : public PlannedTransfers {
 public:
  using TopologyType = CompleteGraph;
  static constexpr AlgorithmInfo info{
      .name = "bruck",
      .operation = Operation::all_gather,
      .model = port_models::single_port,
      .source = "Bruck et al. 1997",
      .costs = "ceil(log2 N) start-ups, N - 1 message times",
      .summary = "sends up to as many blocks as are held to the node as many places before"};

  explicit BruckGather(const CompleteGraph& graph, const Settings& = {});

  [[nodiscard]] std::optional<Cost> promise() const override;
};

}  // namespace lockstep
