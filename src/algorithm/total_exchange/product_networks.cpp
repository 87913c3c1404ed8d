// SPDX-License-Identifier: Apache-2.0

/// The products that exchanges are composed in: their factors, and the limits of these.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/total_exchange/factor_exchange.hpp"
#include "algorithm/total_exchange/path_exchange.hpp"
#include "algorithm/total_exchange/product_exchange.hpp"
#include "lockstep/topology/mesh.hpp"

namespace lockstep {

// NOLINTNEXTLINE(misc-no-recursion): as deep as products of products
std::vector<ErasedTopology> prime_factors(const ErasedTopology& network) {
  std::vector<ErasedTopology> all;
  for (const ErasedTopology& factor : network.factors())
    for (ErasedTopology& prime : prime_factors(factor)) all.push_back(std::move(prime));
  if (all.empty()) all.push_back(network);
  return all;
}

/// The halves of A3: the factors as they are, or all down to the last.
std::vector<ErasedTopology> equal_factors(const ErasedTopology& network) {
  const auto equal = [](const std::vector<ErasedTopology>& factors) {
    return factors.size() >= 2 && std::has_single_bit(factors.size()) &&
           factors.front().node_count() > 1 &&
           std::ranges::all_of(factors, [&](const ErasedTopology& factor) {
             return factor.node_count() == factors.front().node_count();
           });
  };
  for (const std::vector<ErasedTopology>& factors : {network.factors(), prime_factors(network)})
    if (equal(factors)) return factors;
  return {};
}

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

}  // namespace

SupportedNetworks product_networks(ProductRule rule) {
  const bool one_port = rule == ProductRule::in_turn || rule == ProductRule::bundled;
  SupportedNetworks networks =
      (rule == ProductRule::simultaneous ? product_of_equals : product_of_several)
          .with(at_most(factors_without_group, most_path_nodes));
  if (!one_port)
    networks = networks.with(at_most(factors_without_colouring, most_path_nodes_of_group));
  return networks.with(at_most(quantities::hops, most_planned_transfers));
}

}  // namespace lockstep
