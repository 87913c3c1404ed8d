// SPDX-License-Identifier: Apache-2.0

/// Total exchange in any commutative Cayley graph, through all ports at once. The hops of a block
/// may be made in any order, so that its way is a job with a unit of work on each of its ports; an
/// edge colouring of jobs against ports is the timetable: an open shop of unit tasks (D. Koenig
/// 1916 on bipartite multigraphs). In every step each port has at most one block to send, and each
/// block is sent at most once.
///
/// The steps are what the busiest port has to send, or the longest route. Eisenstein-Jacobi
/// networks of alpha = D + (D + 1) rho in n dimensions: N^(n-1) D (D + 1) (2 D + 1) / 6;
/// half-duplex twice as many. No algorithm takes fewer. Routes are those that keep the busiest
/// port's load least; where none is even, some are a hop longer (balanced_routes.hpp;
/// tests/papers/ej_total_exchange_test.cpp).
///
/// On half-duplex links a port and the one that leads back are one machine: in a step all
/// processors use the one or all use the other, and a link carries one direction. A generator that
/// is its own inverse is no such pair; graphs that have one are left out.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "algorithm/checks.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "algorithm/total_exchange/balanced_routes.hpp"
#include "algorithm/total_exchange/factor_exchange.hpp"
#include "core/edge_colouring.hpp"

namespace lockstep {
namespace {

/// Blocks with a long way to go choose their steps first: those of one hop fill what is left.
[[nodiscard]] std::vector<std::uint32_t> longest_first(const BalancedRoutes& routes) {
  std::vector<std::uint32_t> lengths;
  for (std::uint64_t g = 0; g < routes.node_count(); ++g) {
    std::uint32_t length = 0;
    for (const Hops& hops : routes.route(NodeId{g})) length += hops.count;
    lengths.push_back(length);
  }
  std::vector<std::uint32_t> blocks(routes.node_count());
  std::iota(blocks.begin(), blocks.end(), 0U);
  std::ranges::stable_sort(blocks, std::ranges::greater(),
                           [&](std::uint32_t block) { return lengths[block]; });
  return blocks;
}

/// A hop of the block of the identity for that destination.
struct ColouredHop {
  std::uint32_t block = 0;
  Port through{};
  std::uint32_t step = 0;
};

/// In the order of the steps.
[[nodiscard]] std::vector<ColouredHop> coloured_hops(const BalancedRoutes& routes) {
  std::vector<ColouredHop> hops;
  std::vector<BipartiteEdge> edges;
  hops.reserve(routes.hops());
  edges.reserve(routes.hops());
  for (const std::uint32_t block : longest_first(routes)) {
    for (const auto& [through, count] : routes.route(NodeId{block})) {
      hops.insert(hops.end(), count, {block, through, 0});
      edges.insert(edges.end(), count, {block, routes.machine(through)});
    }
  }
  const std::vector<std::uint32_t> colours = edge_colouring(edges);
  for (std::size_t i = 0; i < hops.size(); ++i) hops[i].step = colours[i];
  std::ranges::stable_sort(hops, {}, &ColouredHop::step);
  return hops;
}

[[nodiscard]] std::uint64_t steps_of(const BalancedRoutes& routes) {
  return std::max(routes.largest_load(), routes.longest());
}

[[nodiscard]] Transfers planned_by_colours(const AnyCayley& group, const BalancedRoutes& routes) {
  check_planned_transfers(fmt::format("edge-colouring on {}", group.name()), routes.hops(),
                          most_transfers_of_one_class);
  Transfers plan = all_one_class(group.node_count(), group.identity());
  plan.steps = steps_of(routes);
  plan.list.reserve(routes.hops());
  std::vector<NodeId> at(group.node_count(), group.identity());
  for (const auto& [block, through, step] : coloured_hops(routes)) {
    const NodeId next = group.neighbor(at[block], through);
    plan.move(step, index(group.identity()), block, index(at[block]), index(next), through);
    at[block] = next;
  }
  return plan;
}

/// Whether more ports than this commute takes long to find out.
constexpr std::uint64_t most_coloured_ports = 1'024;
constexpr NetworkQuantity coloured_hops_of_one{.name = "hop", .unit = " of a processor's blocks"};

constexpr NetworkShape abelian{.text = "any Cayley graph",
                               .plural = "Cayley graphs",
                               .clause = " of an abelian group",
                               .is =
                                   [](const ErasedTopology& network) {
                                     const std::optional<AnyCayley> group = network.cayley();
                                     return group && is_commutative(*group);
                                   },
                               .searched = true,
                               .wider = &shapes::cayley_graph};
constexpr NetworkShape abelian_without_self_inverse{
    .text = "any Cayley graph",
    .plural = "Cayley graphs",
    .clause = " of an abelian group without self-inverse generators",
    .is =
        [](const ErasedTopology& network) {
          return abelian.is(network) && !has_self_inverse_generator(*network.cayley());
        },
    .searched = true,
    .wider = &abelian};

[[nodiscard]] PlannedAlgorithm by_colours(Duplex duplex) {
  const bool full = duplex == Duplex::full;
  const std::string_view name = full ? "edge-colouring" : "edge-colouring-half-duplex";
  return {
      .info = {.name = name,
               .operation = Operation::total_exchange,
               .model = full ? port_models::all_port : port_models::all_port_half_duplex,
               .source = "Koenig 1916, open shop with unit tasks",
               .costs = "load of the busiest port, in start-ups and message times",
               .summary = full ? "colours hops in any order, all ports at once; steps = load of "
                                 "the busiest port"
                               : "edge colouring, with each port and its reverse alternating"},
      .networks = (full ? abelian : abelian_without_self_inverse)
                      .with(at_most(quantities::ports, most_coloured_ports))
                      .with(at_most(coloured_hops_of_one, most_transfers_of_one_class)),
      .announce =
          [=](const PlanRequest& asked) {
            const AnyCayley group = *asked.network.cayley();
            check_count(name, group.name(), group.node_count(), "nodes", max_region_blocks - 1);
            const auto routes = std::make_shared<const BalancedRoutes>(group, duplex);
            const std::uint64_t steps = steps_of(*routes);
            return Announcement{Cost{steps, steps},
                                [=] { return planned_by_colours(group, *routes); }};
          },
      .one_class = true};
}

}  // namespace

Transfers coloured_exchange(const AnyCayley& group, Duplex duplex) {
  return planned_by_colours(group, BalancedRoutes(group, duplex));
}

const PlannedAlgorithm edge_colouring_exchange = by_colours(Duplex::full);
const PlannedAlgorithm edge_colouring_half_duplex = by_colours(Duplex::half);

}  // namespace lockstep
