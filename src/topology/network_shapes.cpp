// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/network_shapes.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/bipartition.hpp"
#include "topology/closed_walk.hpp"
#include "topology/graph_shapes.hpp"

namespace lockstep {
namespace {

[[nodiscard]] bool is_switchless(const ErasedTopology& network) {
  return network.processor_count() == network.node_count();
}

[[nodiscard]] bool is_switchless_product(const ErasedTopology& network) {
  return is_switchless(network) && network.factors().size() > 1;
}

[[nodiscard]] bool has_hamiltonian_cycle(const ErasedTopology& network) {
  return network.node_count() > 2 && hamiltonian_cycle(network).has_value();
}

[[nodiscard]] bool is_cycle(const ErasedTopology& network) {
  return network.max_degree() == 2 && has_hamiltonian_cycle(network);
}

[[nodiscard]] bool is_bipartite(const ErasedTopology& network) {
  try {
    const std::uint64_t odd = Bipartition(network).odd_among(network.processor_count());
    return odd != 0 && odd != network.processor_count();
  } catch (const InvalidParameter&) {
    return false;
  }
}

[[nodiscard]] std::optional<std::uint64_t> nodes_of(const ErasedTopology& network) {
  return network.node_count();
}
[[nodiscard]] std::optional<std::uint64_t> ports_of(const ErasedTopology& network) {
  return network.max_degree();
}
[[nodiscard]] std::optional<std::uint64_t> pairs_of(const ErasedTopology& network) {
  const std::uint64_t processors = network.processor_count();
  const std::uint64_t nodes = network.node_count();
  if (processors != 0 && nodes > std::numeric_limits<std::uint64_t>::max() / processors) return {};
  return processors * nodes;
}

/// Products are walked by their factors.
// NOLINTNEXTLINE(misc-no-recursion): as deep as products of products
[[nodiscard]] std::uint64_t largest_walked_factor(const ErasedTopology& network) {
  const std::vector<ErasedTopology> factors = network.factors();
  if (factors.size() < 2) return network.max_degree() > 2 ? network.node_count() : 0;
  std::uint64_t most = 0;
  for (const ErasedTopology& factor : factors) most = std::max(most, largest_walked_factor(factor));
  return most;
}
constexpr NetworkQuantity walked_factors{
    .name = "factor",
    .kind = NetworkQuantity::Kind::each,
    .unit = " nodes",
    .exception = " (not counting rings and linear arrays)",
    .of = [](const ErasedTopology& network) -> std::optional<std::uint64_t> {
      return largest_walked_factor(network);
    }};
constexpr NetworkLimit walked = at_most(walked_factors, most_walked_nodes);

}  // namespace

constinit const NetworkShape shapes::any_network{
    .text = "any network", .plural = "networks", .general = true, .family = "any network"};
constinit const NetworkShape shapes::switchless{.text = "any switchless network",
                                                .plural = "switchless networks",
                                                .adjective = "switchless",
                                                .is = is_switchless,
                                                .wider = &any_network};
constinit const NetworkShape shapes::cayley_graph{
    .text = "any Cayley graph",
    .plural = "Cayley graphs",
    .is = [](const ErasedTopology& network) { return network.symmetric(); },
    .wider = &switchless,
    .family = "Cayley graphs"};
constinit const NetworkShape shapes::switchless_product{.text = "any switchless product",
                                                        .plural = "switchless products",
                                                        .is = is_switchless_product,
                                                        .wider = &switchless,
                                                        .family = "products"};
constinit const NetworkShape shapes::complete{.text = "complete",
                                              .plural = "complete graphs",
                                              .is = is_complete,
                                              .wider = &switchless,
                                              .family = "complete"};
constinit const NetworkShape shapes::hypercube{
    .text = "hypercube",
    .plural = "hypercubes",
    .is = [](const ErasedTopology& network) { return hypercube_dimensions(network).has_value(); },
    .wider = &switchless,
    .family = "hypercube"};
constinit const NetworkShape shapes::chain{.text = "any network",
                                           .plural = "networks",
                                           .clause = " whose node i is linked to node i + 1",
                                           .is = is_chain,
                                           .wider = &switchless,
                                           .family = "linear"};
constinit const NetworkShape shapes::linear{
    .text = "linear", .plural = "linear arrays", .is = is_linear, .wider = &chain};
constinit const NetworkShape shapes::hamiltonian{.text = "any Hamiltonian network",
                                                 .plural = "Hamiltonian networks",
                                                 .adjective = "Hamiltonian",
                                                 .is = has_hamiltonian_cycle,
                                                 .searched = true,
                                                 .wider = &switchless,
                                                 .limit = &walked,
                                                 .family = "Hamiltonian networks"};
constinit const NetworkShape shapes::cycle{.text = "ring",
                                           .plural = "rings",
                                           .is = is_cycle,
                                           .searched = true,
                                           .wider = &hamiltonian,
                                           .family = "torus, ring"};
constinit const NetworkShape shapes::bipartite{.text = "any bipartite network",
                                               .plural = "bipartite networks",
                                               .adjective = "bipartite",
                                               .is = is_bipartite,
                                               .searched = true,
                                               .wider = &any_network,
                                               .family = "bipartite networks"};

constinit const NetworkQuantity quantities::nodes{.name = "node", .of = nodes_of};
constinit const NetworkQuantity quantities::ports{.name = "port", .of = ports_of};
constinit const NetworkQuantity quantities::pairs{
    .name = "processors x nodes", .kind = NetworkQuantity::Kind::formula, .of = pairs_of};
constinit const NetworkQuantity quantities::hops{.name = "hop", .unit = " in the plan"};

}  // namespace lockstep
