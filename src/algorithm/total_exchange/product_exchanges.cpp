// SPDX-License-Identifier: Apache-2.0

/// The total exchanges of products as algorithms, and the products that they support
/// (product_exchange.hpp has the plans).

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "algorithm/total_exchange/factor_exchange.hpp"
#include "algorithm/total_exchange/path_exchange.hpp"
#include "algorithm/total_exchange/product_exchange.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {
namespace {

constexpr NetworkShape product_of_several{
    .text = "any switchless product",
    .plural = "switchless products",
    .is =
        [](const ErasedTopology& network) {
          const std::vector<ErasedTopology> factors = prime_factors(network);
          return std::ranges::count_if(factors, [](const auto& f) { return f.node_count() > 1; }) >=
                 2;
        },
    .wider = &shapes::switchless,
    .family = "products"};
constexpr NetworkShape product_of_equals{
    .text = "any switchless product",
    .plural = "switchless products",
    .clause = " of 2, 4, 8, .. factors of equal size",
    .is = [](const ErasedTopology& network) { return !equal_factors(network).empty(); },
    .wider = &shapes::switchless,
    .family = "products"};

/// Nodes of the largest factor that `counts`.
template <class Counts>
[[nodiscard]] std::uint64_t most_nodes_of(const ErasedTopology& network, const Counts& counts) {
  std::uint64_t most = 0;
  for (const ErasedTopology& factor : prime_factors(network))
    if (factor.node_count() > most && counts(factor)) most = factor.node_count();
  return most;
}

constexpr NetworkQuantity factors_without_group{
    .name = "factor",
    .kind = NetworkQuantity::Kind::each,
    .unit = " nodes",
    .exception = " (not counting linear arrays and Cayley graphs)",
    .of = [](const ErasedTopology& network) -> std::optional<std::uint64_t> {
      return most_nodes_of(network, [](const ErasedTopology& factor) {
        return !factor.symmetric() && factor.as<LinearArray>() == nullptr;
      });
    }};
constexpr NetworkQuantity factors_without_colouring{
    .name = "Cayley graph",
    .kind = NetworkQuantity::Kind::each,
    .unit = " nodes",
    .exception = " as factors (not counting abelian ones)",
    .of = [](const ErasedTopology& network) -> std::optional<std::uint64_t> {
      return most_nodes_of(network, [](const ErasedTopology& factor) {
        return factor.symmetric() && !is_coloured(factor);
      });
    }};

[[nodiscard]] SupportedNetworks product_networks(ProductRule rule) {
  const bool one_port = rule == ProductRule::in_turn || rule == ProductRule::bundled;
  SupportedNetworks networks =
      (rule == ProductRule::simultaneous ? product_of_equals : product_of_several)
          .with(at_most(factors_without_group, most_path_nodes));
  if (!one_port)
    networks = networks.with(at_most(factors_without_colouring, most_path_nodes_of_group));
  return networks.with(at_most(quantities::hops, most_planned_transfers));
}

[[nodiscard]] PlannedAlgorithm by_rule(ProductRule rule, const AlgorithmInfo& info) {
  return {
      .info = info, .networks = product_networks(rule), .plan = [rule](const PlanRequest& asked) {
        return product_exchange(asked.network, rule);
      }};
}

constexpr std::array<std::string_view, 2> product_readings{"corrected", "printed"};
constexpr std::array reading_parameters{
    Parameter{.name = "reading",
              .kind = Parameter::Kind::word,
              .placeholder = "WORD",
              .meaning = "Version of algorithm a3: corrected, or printed (Fig. 5.5 of "
                         "Dimakopoulos, whose line 11 loses messages)",
              .noun = "reading",
              .phrase = ", {}",
              .words = product_readings,
              .fallback = product_readings.front()}};

}  // namespace

const PlannedAlgorithm product_in_turn = by_rule(
    ProductRule::in_turn, {.name = "a2",
                           .operation = Operation::total_exchange,
                           .model = port_models::single_port,
                           .source = "Dimakopoulos, Fig. 5.3 (A2)",
                           .costs = "N (T_1/n_1 + .. + T_k/n_k) start-ups and message times",
                           .summary = "runs the exchanges of the factors one after the other"});

const PlannedAlgorithm product_bundled =
    by_rule(ProductRule::bundled,
            {.name = "by-dimensions",
             .operation = Operation::total_exchange,
             .model = port_models::single_port,
             .source = "Johnsson, Ho 1989; any product: Lockstep",
             .costs = "T_1 + .. + T_k start-ups, N (T_1/n_1 + .. + T_k/n_k) message times",
             .summary = "runs the exchanges of the factors one after the other, in messages of all "
                        "blocks that go the same way"});

const PlannedAlgorithm product_simultaneous = {
    .info = {.name = "a3",
             .operation = Operation::total_exchange,
             .model = port_models::all_port,
             .source = "Dimakopoulos, Fig. 5.5 (A3)",
             .costs = "n max(T_A, T_B) start-ups and message times",
             .summary = "runs the exchanges of two factors of equal size at the same time",
             .parameters = reading_parameters},
    .networks = product_networks(ProductRule::simultaneous),
    .plan =
        [](const PlanRequest& asked) {
          const bool as_printed = asked.settings.text("reading") == product_readings.back();
          return product_exchange(asked.network, as_printed ? ProductRule::simultaneous_as_printed
                                                            : ProductRule::simultaneous);
        },
    .variants = Variants{.all = {Settings{}}, .cheapest_of = {}}};  // not the printed reading

const PlannedAlgorithm product_rounds =
    by_rule(ProductRule::rounds,
            {.name = "rounds",
             .operation = Operation::total_exchange,
             .model = port_models::all_port,
             .source = "Lockstep; jobs and rounds after Dimakopoulos, section 5.4",
             .costs = "largest (N/n_i) T_i, in start-ups and message times",
             .summary = "runs the exchanges of all factors at the same time; sizes may differ"});

}  // namespace lockstep
