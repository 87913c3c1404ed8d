// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in any Cayley graph, one message per processor and step.
/// Model:   single-port, full-duplex.
/// Idea:    every processor keeps a queue and sends the same relative block through the same port
///          in every step, along a shortest route (the first port that lies on one); what arrives
///          at its destination is consumed, the rest joins the queue.
/// Cost:    s start-ups and s message times, s = status = sum of the distances from a node; no
///          algorithm takes fewer, whatever the queue discipline.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors" (thesis), section
///          4.4: Fig. 4.5 and Theorem 4.11; disciplines of section 4.3.1.
/// Differs: message shift, which the thesis has for rings with a queue per direction, is used with
///          the one queue of single-port; e-cube routes of Fig. 4.6 correct dimension 0 first
///          (tests/papers/thesis_total_exchange_test.cpp).
///
/// Disciplines, which block of the queue leaves next (Definition 4.3: the same for all processors):
///
///     fifo            the one that joined first; at first the one for the node of the highest
///                     number (as numbers the group: v_{n-1} is at the head, then v_{n-2}, ...)
///     furthest-first  whose destination is furthest; of these the one that has come furthest, then
///                     as they joined
///     closest-first   whose destination is closest; ties as before
///     message-shift   fifo, but ordered furthest first at the start (section 4.3.2): the queue
///                     shifts through the network without ever being sorted again

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "lockstep/algorithm/total_exchange/exchange_queue.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/relative_routes.hpp"

namespace lockstep {

class NodeInvariantExchange final : public Algorithm {
 public:
  using TopologyType = AnyCayley;
  static constexpr std::array parameters{
      Parameter{.name = "discipline",
                .kind = Parameter::Kind::word,
                .placeholder = "NAME",
                .meaning = "Which waiting block leaves next: fifo, furthest-first, closest-first, "
                           "message-shift; default: fifo",
                .noun = "queue discipline",
                .phrase = ", {}",
                .words = queue_discipline_names,
                .fallback = "fifo"}};
  static constexpr AlgorithmInfo info{
      .name = "node-invariant",
      .operation = Operation::total_exchange,
      .model = port_models::single_port,
      .source = "Dimakopoulos, section 4.4 (Fig. 4.5, Theorem 4.11)",
      .summary = "one queue per processor, shortest routes; steps = sum of distances",
      .parameters = parameters};

  /// Throws InvalidParameter where a processor's blocks do not fit a region.
  NodeInvariantExchange(const AnyCayley& group, const Settings& settings)
      : group_(group), discipline_(queue_discipline(settings.text("discipline", "fifo"))) {
    if (group.node_count() >= max_region_blocks)
      throw InvalidParameter(fmt::format("node-invariant on {}: {} nodes, allowed {}", group.name(),
                                         group.node_count(), max_region_blocks - 1));
    routes_ = std::make_shared<const RelativeRoutes>(group);
  }

  [[nodiscard]] std::optional<Promise> promise() const override {
    return Promise{.startups = routes_->status(), .message_times = routes_->status()};
  }

  /// Queues of more steps than can be followed in a moment are taken to be as large as they can be.
  [[nodiscard]] Footprint footprint() const override {
    constexpr std::uint64_t followed_in_a_moment = 20'000'000;
    const std::uint64_t nodes = group_.node_count();
    const std::uint64_t steps = routes_->status();
    const std::uint64_t most_slots = nodes + 1;
    return {.steps = steps,
            .hops = steps * nodes,
            .blocks_per_processor = steps <= followed_in_a_moment
                                        ? exchange_queue::slots(*routes_, discipline_)
                                        : most_slots,
            .plan_bytes = (2 * steps + nodes - 1) * sizeof(Action) +
                          (steps + 1) * sizeof(std::uint64_t) + 2 * nodes * sizeof(NodeId) +
                          Translations<AnyCayley>::bytes(group_, 2 * nodes)};
  }

  [[nodiscard]] NodeInvariantProgram<AnyCayley> program() const {
    return {group_, exchange_queue::schedule(group_, *routes_, discipline_)};
  }

  /// What waits in a processor before the first step; the largest queue is reported.
  [[nodiscard]] std::optional<std::uint64_t> own_blocks() const override {
    return group_.node_count() - 1;
  }

 private:
  AnyCayley group_;
  QueueDiscipline discipline_;
  std::shared_ptr<const RelativeRoutes> routes_;
};

static_assert(AlgorithmClass<NodeInvariantExchange>);

}  // namespace lockstep
