// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Many-to-all broadcast in a two-dimensional torus by aggregation: s blocks, made anywhere, go to
/// all nodes.
/// Model:   all-port, full-duplex, wormhole.
/// Idea:    the blocks are gathered on every h-th diagonal (A1), counted and numbered by prefix
///          sums of control words (A2), dealt out evenly among the h dilated subtori (A3); each of
///          these spreads its pack along its own links (D1, D2); then the h rows of a block of
///          h x h nodes exchange their packs (D3).
/// Cost:    n x n nodes, N = n/h: 3 ceil(log5 h) + 6 ceil(log5 N) + 4 ceil(log5 n) + ceil(log3 h)
///          + h - 1 steps; message times as load_of() counts them, about
///          s (h - 1 + ceil(log3 h) + 4 ceil(log5 N))/h at most.
/// Source:  Y.-S. Chen, C.-Y. Chen, many-to-all broadcast by aggregation and distribution, sections
///          3 and 4.
/// Differs: the paper's figures are lost; A1, A3 and D3a cross the borders of blocks, where inside
///          one they are impossible (`confined` keeps D3a inside, at up to a step more); sums of A2
///          go two steps a level; sides may differ, and h be any divisor
///          (tests/papers/torus_aggregation_test.cpp).
/// Program: not a schedule, since what a node sends depends on what arrives: control words and
///          labels.
///
/// aggregation-plus, the same over all four links at once
/// Idea:    where moves along a diagonal take two steps, these turn on their way, and the h rows
///          and columns of a block exchange one half of their packs each, both ways round.
/// Cost:    n x n nodes, N = n/h: ceil(log5 h) + 2 ceil(log3 h) + 4 ceil(log5 N) + 2 ceil(log3 n)
///          + ceil(log3 N) + floor(h/2) steps; message times as load_of() counts them, for h = n
///          about s/4 (1 + 2 ceil(log3 n)/n).
/// Source:  not in the paper, but for the phases.
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
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "algorithm/many_to_all/aggregation_program.hpp"
#include "algorithm/many_to_all/placement.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/topology/cyclic_networks.hpp"

namespace lockstep {

inline constexpr std::array<std::string_view, 2> no_or_yes{"no", "yes"};

/// A parameter that is "no" unless the user or a choice says otherwise.
[[nodiscard]] constexpr Parameter no_unless_chosen(std::string_view name, std::string_view meaning,
                                                   std::string_view noun, std::string_view phrase,
                                                   std::string_view usual = {}) noexcept {
  return {.name = name,
          .kind = Parameter::Kind::word,
          .placeholder = "yes|no",
          .meaning = meaning,
          .noun = noun,
          .phrase = phrase,
          .words = no_or_yes,
          .fallback = "no",
          .usual = usual,
          .always_reported = false};
}

inline constexpr std::array<std::string_view, 1> subtori_words{"auto"};
inline constexpr Parameter h_parameter{
    .name = "h",
    .kind = Parameter::Kind::count,
    .placeholder = "H",
    .meaning =
        "Number of subtori of an aggregation: a divisor of both sides, or auto for the least "
        "time at --ts, --tm, --tw",
    .noun = "number of subtori",
    .phrase = ", h = {}",
    .least = 1,
    .words = subtori_words,
    .usual = "auto",
    .selects_algorithm = true};

inline constexpr std::array aggregation_parameters{
    messages_parameter, placement_parameter, parts_parameter, h_parameter,
    no_unless_chosen("confined",
                     "Restrict the row broadcast of an aggregation to its DCNs (see "
                     "`lockstep list terms`)",
                     "confinement", ", confined: {}")};

inline constexpr std::array<std::string_view, 2> modulo_or_near{"modulo", "near"};
inline constexpr std::array aggregation_plus_parameters{
    messages_parameter,
    placement_parameter,
    parts_parameter,
    h_parameter,
    no_unless_chosen("scatter",
                     "In aggregation-plus: scatter the blocks of each node over its links first",
                     "scattering", ", scatter: {}", "no; --h auto selects the faster value"),
    no_unless_chosen("pieces",
                     "In aggregation-plus: divide collected messages and send the pieces over "
                     "several links",
                     "pieces", ", pieces: {}", "no; --h auto selects the faster value"),
    Parameter{.name = "tuning",
              .kind = Parameter::Kind::word,
              .placeholder = "WORD",
              .meaning = "Rule by which aggregation-plus assigns blocks to subtori. modulo: "
                         "block t goes to subtorus t mod h. near: block t of s goes to subtorus "
                         "t h / s; requires an n x n torus and h = n",
              .noun = "tuning",
              .phrase = ", tuning: {}",
              .words = modulo_or_near,
              .fallback = "modulo",
              .usual = "modulo; --h auto selects the faster value",
              .always_reported = false}};

/// The base of all variants: a plan, and the parameters that they share.
class AggregationAlgorithm : public TorusManyToAll {
 public:
  using Program = AggregationProgram;

  [[nodiscard]] std::optional<Cost> promise() const override { return plan_->load.cost; }
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Pattern pattern() const override { return plan_->makers.pattern(); }
  [[nodiscard]] Settings chosen() const override {
    return {{"messages", plan_->makers.messages()},
            {"h", std::uint64_t{plan_->schedule.shape().h}}};
  }
  [[nodiscard]] std::optional<Variants> variants() const override;
  [[nodiscard]] Program program() const { return Program(plan_); }

 protected:
  /// The divisors if h is open, and the choices of whatever else is open then.
  [[nodiscard]] static std::vector<Settings> choices_of(const Torus& torus,
                                                        const Settings& settings,
                                                        std::string_view name,
                                                        AggregationVariant variant);

  /// Throws InvalidParameter unless the torus has two sides of 3 or more, both of which h divides,
  /// and the blocks have their places.
  AggregationAlgorithm(const Torus& torus, const Settings& settings, const Pattern& fixed,
                       std::string_view name, AggregationVariant variant);

 private:
  std::shared_ptr<const AggregationPlan> plan_;
};

template <AggregationVariant variant>
class AggregationBy final : public AggregationAlgorithm {
  static constexpr bool plus = variant == AggregationVariant::halves;

 public:
  static constexpr AlgorithmInfo info{
      .name = plus ? "aggregation-plus" : "aggregation",
      .operation = Operation::many_to_all,
      .model = port_models::all_port_wormhole,
      .source = plus ? "Lockstep; not in Y.-S. Chen, C.-Y. Chen"
                     : "Y.-S. Chen, C.-Y. Chen, sections 3 and 4",
      .costs =
          plus ? "log5 h + 2 log3 h + 4 log5 N + 2 log3 n + log3 N + h/2 steps; for h = n about "
                 "s/4 (1 + 2 log3 n/n) message times"
               : "3 log5 h + 6 log5 N + 4 log5 n + log3 h + h - 1 steps, N = n/h, each rounded "
                 "up; about s message times",
      .summary =
          plus ? "aggregation over routes with a turn; collected blocks travel in two halves, "
                 "along rows and columns"
               : "gathers on diagonals, balances, broadcasts in h subtori, then along columns",
      .parameters = plus ? std::span<const Parameter>(aggregation_plus_parameters)
                         : std::span<const Parameter>(aggregation_parameters),
      .charges_idle_steps = true,
      .plans_every_node = true,
      .promise_name = "plan"};

  AggregationBy(const Torus& torus, const Settings& settings, const Pattern& fixed)
      : AggregationAlgorithm(torus, settings, fixed, info.name, variant) {}

  [[nodiscard]] static std::vector<Settings> choices(const Torus& torus, const Settings& settings,
                                                     double /*startup_blocks*/) {
    return choices_of(torus, settings, info.name, variant);
  }
};

using Aggregation = AggregationBy<AggregationVariant::repaired>;
using AggregationPlus = AggregationBy<AggregationVariant::halves>;

}  // namespace lockstep
