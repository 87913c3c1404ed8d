// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange at the bound in tori with one direction too much for a node-invariant schedule.
/// Model:   all-port, full-duplex.
/// Idea:    as edge-colouring: hops in any order, an edge colouring of blocks against ports. Where
///          n_i is even and N / n_i odd, one block is left over that goes n_i / 2 hops in dimension
///          i and loads one direction more than the other. Nodes with even coordinate send it up,
///          those with odd coordinate down: it uses each direction at every other node, so that two
///          of its steps also carry a colour, from half of the nodes each.
/// Source:  this library, after the open problems of Dimakopoulos, section 7.1; D. Koenig 1916.
/// Differs: nothing to differ from.

#include "algorithm/planned_transfers.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {

/// Precondition: ParityColouring::networks() admits the torus.
[[nodiscard]] Transfers parity_exchange(const ErasedTopology& torus);

class ParityColouring final : public PlannedExchange {
 public:
  static constexpr AlgorithmInfo info{
      .name = "parity-colouring",
      .operation = Operation::total_exchange,
      .model = port_models::all_port,
      .source = "Lockstep; Koenig 1916, open shop with unit tasks",
      .costs = "largest ceil(N floor(n_i^2/4) / (2 n_i)), in start-ups and message times",
      .summary = "edge colouring; sends the block for the opposite node up or down by parity",
      .promise_name = "plan"};

  /// Rings and tori with a dimension of n_i >= 4 nodes, n_i even, N / n_i odd.
  [[nodiscard]] static SupportedNetworks networks();

  explicit ParityColouring(const ErasedTopology& torus, const Settings& = {})
      : PlannedExchange(info.name, torus, parity_exchange(torus)) {}
};

}  // namespace lockstep
