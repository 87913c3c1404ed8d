// SPDX-License-Identifier: Apache-2.0

/// Total exchange in any Cayley graph, one message per processor and step: every processor keeps a
/// queue and sends the same relative block through the same port in every step, along a shortest
/// route (the first port that lies on one). What arrives at its destination is consumed, the rest
/// joins the queue. The steps are the sum of the distances from a node, the fewest there can be,
/// whatever the queue discipline: Dimakopoulos 1996 (thesis), section 4.4: Fig. 4.5 and Theorem
/// 4.11; disciplines of section 4.3.1.
///
/// Message shift, which the thesis has for rings with a queue per direction, is used with the one
/// queue of single-port; e-cube routes of Fig. 4.6 correct dimension 0 first
/// (tests/papers/thesis_total_exchange_test.cpp).
///
/// Disciplines differ in the blocks of others that wait: at most one by closest-first, as a block
/// that is on its way is the closest; nearly N by the others. Closest-first is the default, as it
/// needs the least memory and is the fastest: star:7 takes 16 MiB instead of 210.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algorithm/checks.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "algorithm/total_exchange/factor_exchange.hpp"
#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "topology/relative_routes.hpp"

namespace lockstep {
namespace {

constexpr std::string_view node_invariant = "node-invariant";

/// A block that waits in a processor.
struct Waiting {
  NodeId destination;  // as its source sees it: what tells the blocks of a queue apart
  NodeId rest;         // as the processor sees it
  NodeId at;           // the processor, as its source sees it
};

/// From the head of the queue: the paper's Fig. 4.5 has the last node there.
[[nodiscard]] std::vector<NodeId> initial_order(const RelativeRoutes& routes,
                                                QueueDiscipline discipline) {
  std::vector<NodeId> order;
  for (std::uint64_t g = routes.node_count(); g-- > 0;)
    if (NodeId{g} != routes.identity()) order.push_back(NodeId{g});
  if (discipline == QueueDiscipline::message_shift)
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](NodeId g) { return routes.distance(g); });
  return order;
}

/// The sends of the identity, and by symmetry of every processor: the block that it sends through a
/// port comes to it through the same port, one hop closer to its destination (Lemma 4.9).
[[nodiscard]] Transfers planned_by_queue(const AnyCayley& group, const RelativeRoutes& routes,
                                         QueueDiscipline discipline) {
  check_planned_transfers(fmt::format("{} on {}", node_invariant, group.name()), routes.status(),
                          most_transfers_of_one_class);
  Transfers plan = all_one_class(group.node_count(), group.identity());
  plan.list.reserve(routes.status());
  DisciplineQueue<Waiting> queue(discipline);
  const auto push = [&](const Waiting& block) {
    const std::uint32_t left = routes.distance(block.rest);
    queue.push(block, left, routes.distance(block.destination) - left);
  };
  for (const NodeId destination : initial_order(routes, discipline))
    push({destination, destination, routes.identity()});
  for (; !queue.empty(); ++plan.steps) {
    const auto [destination, rest, at] = queue.pop();
    const Port through = routes.first(rest);
    const NodeId next = group.neighbor(at, through);
    plan.move(plan.steps, index(group.identity()), index(destination), index(at), index(next),
              through);
    if (const NodeId from_next = routes.rest(rest); from_next != routes.identity())
      push({destination, from_next, next});
  }
  return plan;
}

constexpr std::array own_parameters{discipline_parameter(QueueDiscipline::closest_first)};

[[nodiscard]] Announcement announced(const PlanRequest& asked) {
  const AnyCayley group = *asked.network.cayley();
  const QueueDiscipline discipline = queue_discipline(asked.settings, own_parameters.front());
  check_count(node_invariant, group.name(), group.node_count(), "nodes", max_region_blocks - 1);
  const auto routes = std::make_shared<const RelativeRoutes>(group);
  return {Cost{routes->status(), routes->status()},
          [=] { return planned_by_queue(group, *routes, discipline); }};
}

}  // namespace

QueueDiscipline queue_discipline(const Settings& settings, const Parameter& parameter) {
  const std::string name = settings.text(parameter.name, parameter.fallback);
  for (const QueueDiscipline discipline : all_queue_disciplines)
    if (name_of(discipline) == name) return discipline;
  throw invalid("discipline: '{}' is not valid; expected {}", name,
                joined(queue_discipline_names, ", "));
}

Transfers queued_exchange(const AnyCayley& group, QueueDiscipline discipline) {
  return planned_by_queue(group, RelativeRoutes(group), discipline);
}

const PlannedAlgorithm node_invariant_exchange = {
    .info = {.name = node_invariant,
             .operation = Operation::total_exchange,
             .model = port_models::single_port,
             .source = "Dimakopoulos, section 4.4 (Fig. 4.5, Theorem 4.11)",
             .startups = "S",
             .message_times = "S",
             .claims = {.startups = Among::one_block, .message_times = Among::all},
             .summary = "keeps one queue per processor and uses shortest routes; steps = sum of "
                        "distances",
             .parameters = own_parameters},
    .networks = shapes::cayley_graph,
    .announce = announced,
    .one_class = true};

}  // namespace lockstep
