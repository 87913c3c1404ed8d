// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in cartesian products, composed of exchanges of the factors.
/// Model:   A2: single-port, full-duplex. A3 and rounds: all-port, full-duplex.
/// Idea:    a schedule of a factor is a set of slots (step, from, to) in which any payload may
///          travel. A block that is a_i away in dimension i rides once in the slots of the offset
///          a_i there, in one of the N / n_i rounds of T_i steps; a rule says in which. No two
///          blocks of a node with the same a_i share a round of dimension i, and the rounds of one
///          block do not overlap.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors" (thesis), Fig. 5.3
///          (A2), Fig. 5.5 (A3). Rounds, which the thesis asks for in section 7.1, are this
///          library's: closed forms for H^2 and H^3, an edge colouring (Koenig) for H^d, bipartite
///          matchings for factors of different sizes.
/// Differs: A3: line 11 of Fig. 5.5 counts to n, not n - 1, and (5.4) names the sender j - l; the
///          reading "printed" leaves n^2 (n - 1) blocks undelivered. The factors of A3 need equal
///          sizes, not equal links (tests/papers/thesis_product_exchange_test.cpp).

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "algorithm/planned_transfers.hpp"
#include "algorithm/shortest_path_exchange.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {

enum class ProductRule : std::uint8_t {
  in_turn,
  bundled,
  simultaneous,
  simultaneous_as_printed,
  rounds
};

/// Throws InvalidParameter where the network is no product that the rule is for, or too large.
[[nodiscard]] Transfers product_exchange(const ErasedTopology& network, ProductRule rule);

/// By A2 where there is one port, else by rounds.
[[nodiscard]] Transfers composed_exchange(const ErasedTopology& network, PathPorts ports);

/// Factors, and of factors that are products theirs; the network itself where it is no product.
[[nodiscard]] std::vector<ErasedTopology> prime_factors(const ErasedTopology& network);

/// The factors, or the prime factors, if they are 2, 4, 8, .. of equal size; else none.
[[nodiscard]] std::vector<ErasedTopology> equal_factors(const ErasedTopology& network);

/// Products of two or more networks, none of which is a single node; those of `simultaneous` of two
/// networks of equal sizes, or of 2, 4, 8, ..
[[nodiscard]] SupportedNetworks product_networks(ProductRule rule);

inline constexpr std::array<std::string_view, 2> product_readings{"corrected", "printed"};

template <ProductRule rule>
class ProductExchange final : public PlannedExchange {
  static constexpr bool in_turn = rule == ProductRule::in_turn;
  static constexpr bool bundled = rule == ProductRule::bundled;
  static constexpr bool simultaneous = rule == ProductRule::simultaneous;
  static constexpr std::array reading{Parameter{
      .name = "reading",
      .kind = Parameter::Kind::word,
      .placeholder = "WORD",
      .meaning = "Version of algorithm a3: corrected, or printed (Fig. 5.5 of Dimakopoulos, "
                 "whose line 11 loses messages) (default: corrected)",
      .noun = "reading",
      .phrase = ", {}",
      .words = product_readings,
      .fallback = "corrected"}};

 public:
  static constexpr AlgorithmInfo info{
      .name = in_turn        ? "a2"
              : bundled      ? "by-dimensions"
              : simultaneous ? "a3"
                             : "rounds",
      .operation = Operation::total_exchange,
      .model = in_turn || bundled ? port_models::single_port : port_models::all_port,
      .source = in_turn        ? "Dimakopoulos, Fig. 5.3 (A2)"
                : bundled      ? "Johnsson, Ho 1989; any product: Lockstep"
                : simultaneous ? "Dimakopoulos, Fig. 5.5 (A3)"
                               : "Lockstep; jobs and rounds after Dimakopoulos, section 5.4",
      .costs = in_turn        ? "N (T_1/n_1 + .. + T_k/n_k) start-ups and message times"
               : bundled      ? "T_1 + .. + T_k start-ups, N (T_1/n_1 + .. + T_k/n_k) message times"
               : simultaneous ? "n max(T_A, T_B) start-ups and message times"
                              : "largest (N/n_i) T_i, in start-ups and message times",
      .summary =
          in_turn   ? "runs the exchanges of the factors one after the other"
          : bundled ? "runs the exchanges of the factors one after the other, in messages of all "
                      "blocks that go the same way"
          : simultaneous ? "runs the exchanges of two factors of equal size at the same time"
                         : "runs the exchanges of all factors at the same time; sizes may differ",
      .parameters =
          simultaneous ? std::span<const Parameter>(reading) : std::span<const Parameter>(),
      .promise_name = "plan"};

  [[nodiscard]] static SupportedNetworks networks() { return product_networks(rule); }

  explicit ProductExchange(const ErasedTopology& network, const Settings& settings = {})
      : PlannedExchange(info.name, network, product_exchange(network, rule_of(settings))) {}

  /// The printed reading is run by name only.
  [[nodiscard]] std::optional<Variants> variants() const override {
    if (!simultaneous) return std::nullopt;
    return Variants{.all = {Settings{}}, .cheapest_of = {}};
  }

 private:
  [[nodiscard]] static ProductRule rule_of(const Settings& settings) {
    if (simultaneous && settings.text("reading", "corrected") == "printed")
      return ProductRule::simultaneous_as_printed;
    return rule;
  }
};

}  // namespace lockstep
