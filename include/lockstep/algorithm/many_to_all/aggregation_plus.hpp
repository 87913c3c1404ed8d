// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Many-to-all broadcast in a two-dimensional torus by aggregation over all four links at once.
/// Model:   all-port, full-duplex, wormhole.
/// Idea:    the phases of aggregation.hpp; where its moves along a diagonal take two steps these
///          turn on their way, and the h rows and columns of a block exchange one half of their
///          packs each, both ways round.
/// Cost:    n x n nodes, N = n/h: ceil(log5 h) + 2 ceil(log3 h) + 4 ceil(log5 N) + 2 ceil(log3 n)
///          + ceil(log3 N) + floor(h/2) steps; message times as load_of() counts them, for h = n
///          about s/4 (1 + 2 ceil(log3 n)/n).
/// Source:  not in the paper of aggregation.hpp, whose phases they are.
/// Differs: a node of a diagonal takes in two messages that turn, no more: sums, A3 and D1b split
///          three ways, where the paper's split five; a pack is dealt out alternately, by rising
///          number, to its two halves (tests/papers/torus_aggregation_test.cpp).

#include <array>

#include "lockstep/algorithm/many_to_all/aggregation.hpp"

namespace lockstep {

class AggregationPlus final : public AggregationAlgorithm {
  static constexpr std::array own_parameters{messages_parameter, placement_parameter, h_parameter};

 public:
  static constexpr AlgorithmInfo info{
      .name = "aggregation-plus",
      .operation = Operation::many_to_all,
      .model = port_models::all_port_wormhole,
      .source = "not in the paper",
      .summary = "aggregation with turns on the way; halves of packs along rows and columns",
      .parameters = own_parameters,
      .oblivious = true};

  AggregationPlus(const Torus& torus, const Settings& settings)
      : AggregationAlgorithm(torus, settings, info.name, AggregationVariant::halves) {}
};

static_assert(AlgorithmClass<AggregationPlus>);

}  // namespace lockstep
