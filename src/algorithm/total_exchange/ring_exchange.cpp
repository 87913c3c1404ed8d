// SPDX-License-Identifier: Apache-2.0

/// Total exchange in rings, both ways at once.
/// Model:   all-port, full-duplex.
/// Idea:    every block goes the shorter way; in a ring of an even number of nodes, blocks for the
///          opposite node go up from even nodes and down from odd ones, so that both directions
///          carry equally much. Every node has a queue for each direction; arrivals join it.
/// Cost:    odd n: (n^2 - 1) / 8 start-ups and message times, whatever the discipline. Even n:
///          ceil(n^2 / 8) by message-shift and furthest-first; one more by fifo where 4 divides n;
///          n (n + 2) / 8 by closest-first.
/// Source:  Dimakopoulos 1996 (thesis), sections 4.3.1 and 4.3.2.
/// Differs: the order of the queue at the start, which the thesis leaves open for even n, has to be
///          furthest first (message-shift); fifo is nearest first
///          (tests/papers/thesis_product_exchange_test.cpp).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "algorithm/total_exchange/factor_exchange.hpp"
#include "lockstep/core/detail/counted.hpp"

namespace lockstep {
namespace {

/// A block on its way round a ring of even or odd length, in one direction.
struct OnRing {
  std::uint32_t source;  // 0, or 1 of the odd nodes of an even ring
  std::uint32_t length;  // of its way
  std::uint32_t travelled = 0;
};

/// One direction of a ring: a queue for each class of nodes.
class RingDirection {
 public:
  /// `sign`: 1 up, n - 1 down. `own[c]`: blocks of a node of class c.
  RingDirection(std::uint64_t n, std::uint64_t sign, const std::vector<std::uint32_t>& own,
                QueueDiscipline discipline)
      : n_(n), sign_(sign), queues_(own.size(), DisciplineQueue<OnRing>(discipline)) {
    for (std::uint32_t c = 0; c < own.size(); ++c)
      for (std::uint32_t i = 0; i < own[c]; ++i)
        join(c, {c, discipline == QueueDiscipline::fifo ? i + 1 : own[c] - i});
  }

  [[nodiscard]] bool done() const {
    return std::ranges::all_of(queues_, [](const auto& q) { return q.empty(); });
  }

  void step(Transfers& exchange) {
    std::vector<std::optional<OnRing>> moved(queues_.size());
    for (std::size_t c = 0; c < queues_.size(); ++c) {
      if (queues_[c].empty()) continue;
      OnRing block = queues_[c].pop();
      exchange.move(exchange.steps, block.source, place(block, block.length),
                    place(block, block.travelled), place(block, block.travelled + 1));
      if (++block.travelled < block.length) moved[c] = block;
    }
    for (std::size_t c = 0; c < queues_.size(); ++c)  // a neighbour is of the other class
      if (moved[c]) join(queues_.size() - 1 - c, *moved[c]);
  }

 private:
  void join(std::size_t of_class, const OnRing& block) {
    queues_[of_class].push(block, block.length - block.travelled, block.travelled);
  }
  [[nodiscard]] std::uint64_t place(const OnRing& block, std::uint32_t hops) const {
    return (block.source + sign_ * hops) % n_;
  }

  std::uint64_t n_;
  std::uint64_t sign_;
  std::vector<DisciplineQueue<OnRing>> queues_;
};

/// Those of the representatives: of one node, or of two.
[[nodiscard]] constexpr std::uint64_t ring_hops(std::uint64_t n) {
  return (n % 2 == 0 ? 2 : 1) * (n * n / 4);
}
constexpr std::uint64_t most_ring_nodes = 4'096;
constexpr std::uint64_t most_odd_ring_nodes = 5'791;
static_assert(ring_hops(most_ring_nodes) <= most_planned_transfers &&
              ring_hops(most_ring_nodes + 2) > most_planned_transfers);
static_assert(ring_hops(most_odd_ring_nodes) <= most_planned_transfers &&
              ring_hops(most_odd_ring_nodes + 2) > most_planned_transfers);

constexpr NetworkShape numbered_ring{.text = "ring",
                                     .plural = "rings numbered along their links",
                                     .is = is_ring,
                                     .wider = &shapes::cayley_graph,
                                     .family = "torus, ring"};

constexpr std::array ring_parameters{discipline_parameter(QueueDiscipline::message_shift)};

}  // namespace

Transfers ring_exchange(std::uint64_t n, QueueDiscipline discipline) {
  check_planned_transfers(fmt::format("ring of {} nodes", grouped(n)), ring_hops(n));
  Transfers exchange = all_one_class(n);
  const std::uint32_t half = static_cast<std::uint32_t>(n / 2);
  std::vector<std::uint32_t> up{half};
  std::vector<std::uint32_t> down{half};
  if (n % 2 == 0) {
    for (std::uint64_t u = 0; u < n; ++u) exchange.class_of[u] = u % 2;
    exchange.representatives = {0, 1};
    up = {half, half - 1};
    down = {half - 1, half};
  }
  std::array directions{RingDirection(n, 1, up, discipline),
                        RingDirection(n, n - 1, down, discipline)};
  while (!directions[0].done() || !directions[1].done()) {
    for (RingDirection& direction : directions) direction.step(exchange);
    ++exchange.steps;
  }
  return exchange;
}

const PlannedAlgorithm ring_both_ways = {
    .info = {.name = "both-ways",
             .operation = Operation::total_exchange,
             .model = port_models::all_port,
             .source = "Dimakopoulos, sections 4.3.1 and 4.3.2",
             .costs = "ceil(floor(n^2/4)/2) start-ups and message times (message-shift)",
             .claims = {.startups = Among::one_block,
                        .message_times = Among::undivided,
                        .where = "with message-shift",
                        .holds =
                            [](const ErasedTopology&, const Settings& settings) {
                              const auto shift = name_of(QueueDiscipline::message_shift);
                              return settings.text("discipline", shift) == shift;
                            }},
             .summary =
                 "both directions at once, each with a queue; message shift keeps all links busy",
             .parameters = ring_parameters},
    .networks =
        numbered_ring.up_to_nodes(most_ring_nodes)
            .or_else(numbered_ring.up_to_nodes(most_odd_ring_nodes).with(odd(quantities::nodes))),
    .plan = [](const PlanRequest& asked) {
      return ring_exchange(asked.network.node_count(),
                           queue_discipline(asked.settings, ring_parameters.front()));
    }};

}  // namespace lockstep
