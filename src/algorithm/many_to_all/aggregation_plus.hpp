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
/// Options: `scatter`: before all else a node sends a fifth of its blocks over each of its links,
///          three links far, then one: where few nodes make much.
///          `pieces`: D2 and D3a halve gaps, and bring a part of a pack over every link, from both
///          ends of a gap: messages of a quarter of what they were, of a half, in more steps.
///          `tuning near`: block t of s goes to DDN t h/s, counted from where the sums begin,
///          not t mod h: of evenly spread blocks few move; control words of the way back are two a
///          message.

#include <array>

#include "algorithm/many_to_all/aggregation.hpp"

namespace lockstep {

class AggregationPlus final : public AggregationAlgorithm {
  static constexpr std::array<std::string_view, 2> modulo_or_near{"modulo", "near"};
  static constexpr std::array own_parameters{
      messages_parameter,
      placement_parameter,
      parts_parameter,
      h_parameter,
      Parameter{.name = "scatter",
                .kind = Parameter::Kind::word,
                .placeholder = "YES",
                .meaning =
                    "First scatter the blocks of each node over its four links (aggregation-plus): "
                    "no or yes (default: no; with --h auto the best)",
                .noun = "scattering",
                .phrase = ", scatter: {}",
                .words = no_or_yes,
                .fallback = "no",
                .always_reported = false},
      Parameter{.name = "pieces",
                .kind = Parameter::Kind::word,
                .placeholder = "YES",
                .meaning =
                    "Divide packs into pieces on several links in broadcasts (aggregation-plus): "
                    "no or yes (default: no; with --h auto the best)",
                .noun = "pieces",
                .phrase = ", pieces: {}",
                .words = no_or_yes,
                .fallback = "no",
                .always_reported = false},
      Parameter{
          .name = "tuning",
          .kind = Parameter::Kind::word,
          .placeholder = "WORD",
          .meaning =
              "Destination of block t in the tuning phase (aggregation-plus): modulo (subtorus "
              "t mod h) or near (in block order, for h = both sides) (default: modulo; with "
              "--h auto the best)",
          .noun = "tuning",
          .phrase = ", tuning: {}",
          .words = modulo_or_near,
          .fallback = "modulo",
          .always_reported = false}};

 public:
  static constexpr AlgorithmInfo info{
      .name = "aggregation-plus",
      .operation = Operation::many_to_all,
      .model = port_models::all_port_wormhole,
      .source = "not in the paper",
      .costs =
          "log5 h + 2 log3 h + 4 log5 N + 2 log3 n + log3 N + h/2 steps; for h = n about s/4 (1 + "
          "2 log3 n/n)",
      .summary = "aggregation with routes that turn; packs travel in halves along rows and columns",
      .parameters = own_parameters,
      .charges_idle_steps = true,
      .plans_every_node = true};

  AggregationPlus(const Torus& torus, const Settings& settings, const Pattern& fixed)
      : AggregationAlgorithm(torus, settings, fixed, info.name, AggregationVariant::halves) {}

  [[nodiscard]] static std::vector<Settings> choices(const Torus& torus, const Settings& settings,
                                                     double /*startup_blocks*/) {
    return choices_of(torus, settings, info.name, AggregationVariant::halves);
  }
};

static_assert(AlgorithmClass<AggregationPlus>);

}  // namespace lockstep
