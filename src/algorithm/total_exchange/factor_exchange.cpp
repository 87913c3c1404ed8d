// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/factor_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "algorithm/planned_algorithms.hpp"
#include "algorithm/total_exchange/balanced_routes.hpp"
#include "algorithm/total_exchange/group_exchanges.hpp"
#include "algorithm/total_exchange/path_exchange.hpp"
#include "algorithm/total_exchange/product_exchange.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/mesh.hpp"
#include "topology/relative_routes.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::uint32_t narrow(std::uint64_t number) {
  return static_cast<std::uint32_t>(number);
}

/// A block on its way round a ring of even or odd length, in one direction.
struct OnRing {
  std::uint32_t source;  // 0, or 1 of the odd nodes of an even ring
  std::uint32_t length;  // of its way
  std::uint32_t travelled = 0;
};

/// Which of the waiting blocks goes next: the first one, or that with the most or least to go, of
/// these the one that has come furthest.
[[nodiscard]] std::size_t next_of(const std::vector<OnRing>& queue, QueueDiscipline discipline) {
  if (discipline == QueueDiscipline::fifo || discipline == QueueDiscipline::message_shift) return 0;
  const auto rank = [&](const OnRing& block) {
    const std::uint32_t left = block.length - block.travelled;
    return std::tuple(discipline == QueueDiscipline::closest_first ? left : ~left,
                      ~block.travelled);
  };
  const auto best = std::ranges::min_element(
      queue, [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return static_cast<std::size_t>(best - queue.begin());
}

/// One direction of a ring: a queue for each class of nodes.
class RingDirection {
 public:
  /// `sign`: 1 up, n - 1 down. `own[c]`: blocks of a node of class c.
  RingDirection(std::uint64_t n, std::uint64_t sign, const std::vector<std::uint32_t>& own,
                QueueDiscipline discipline)
      : n_(n), sign_(sign), discipline_(discipline), queues_(own.size()) {
    for (std::uint32_t c = 0; c < own.size(); ++c)
      for (std::uint32_t i = 0; i < own[c]; ++i)
        queues_[c].push_back({c, discipline == QueueDiscipline::fifo ? i + 1 : own[c] - i});
  }

  [[nodiscard]] bool done() const {
    return std::ranges::all_of(queues_, [](const auto& q) { return q.empty(); });
  }

  void step(std::uint64_t step, std::vector<Transfer>& transfers) {
    std::vector<std::optional<OnRing>> moved(queues_.size());
    for (std::size_t c = 0; c < queues_.size(); ++c) {
      if (queues_[c].empty()) continue;
      const auto at =
          queues_[c].begin() + static_cast<std::ptrdiff_t>(next_of(queues_[c], discipline_));
      OnRing block = *at;
      queues_[c].erase(at);
      transfers.push_back({narrow(step), block.source, place(block, block.length),
                           place(block, block.travelled), place(block, block.travelled + 1)});
      if (++block.travelled < block.length) moved[c] = block;
    }
    for (std::size_t c = 0; c < queues_.size(); ++c)  // a neighbour is of the other class
      if (moved[c]) queues_[queues_.size() - 1 - c].push_back(*moved[c]);
  }

 private:
  [[nodiscard]] std::uint32_t place(const OnRing& block, std::uint32_t hops) const {
    return narrow((block.source + sign_ * hops) % n_);
  }

  std::uint64_t n_;
  std::uint64_t sign_;
  QueueDiscipline discipline_;
  std::vector<std::vector<OnRing>> queues_;
};

}  // namespace

Transfers linear_exchange(std::uint64_t n, PathPorts ports) {
  check_planned_transfers(fmt::format("linear array of {} nodes", grouped(n)), n * (n * n - 1) / 3);
  Transfers exchange = every_node_a_class(n);
  const std::uint64_t last = n * n / 4;  // step of a direction, from 1
  // Of the message from place k to place i, both from 1, when it leaves place j.
  const auto departure = [n](std::uint64_t k, std::uint64_t i, std::uint64_t j) {
    return i < n ? j * (n - i) + k : j - k + 1;
  };
  const auto step = [&](std::uint64_t t, bool right) {
    if (ports == PathPorts::all) return t - 1;
    const bool merged = n % 2 == 0 && t == last;
    return 2 * (t - 1) + (right || merged ? 0 : 1);
  };
  for (std::uint64_t k = 1; k <= n; ++k)
    for (std::uint64_t i = k + 1; i <= n; ++i)
      for (std::uint64_t j = k; j < i; ++j) {
        const std::uint64_t t = departure(k, i, j);
        exchange.list.push_back(
            {narrow(step(t, true)), narrow(k - 1), narrow(i - 1), narrow(j - 1), narrow(j)});
        exchange.list.push_back({narrow(step(t, false)), narrow(n - k), narrow(n - i),
                                 narrow(n - j), narrow(n - j - 1)});
      }
  exchange.steps = ports == PathPorts::all ? last : 2 * last - (n % 2 == 0 ? 1 : 0);
  return exchange;
}

namespace {

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

}  // namespace

SupportedNetworks RingExchange::networks() {
  return numbered_ring.up_to_nodes(most_ring_nodes)
      .or_else(numbered_ring.up_to_nodes(most_odd_ring_nodes).with(odd(quantities::nodes)));
}

Transfers ring_exchange(std::uint64_t n, QueueDiscipline discipline) {
  check_planned_transfers(fmt::format("ring of {} nodes", grouped(n)), ring_hops(n));
  Transfers exchange = all_one_class(n);
  const std::uint32_t half = narrow(n / 2);
  std::vector<std::uint32_t> up{half};
  std::vector<std::uint32_t> down{half};
  if (n % 2 == 0) {
    for (std::uint64_t u = 0; u < n; ++u) exchange.class_of[u] = narrow(u % 2);
    exchange.representatives = {0, 1};
    up = {half, half - 1};
    down = {half - 1, half};
  }
  std::array directions{RingDirection(n, 1, up, discipline),
                        RingDirection(n, n - 1, down, discipline)};
  while (!directions[0].done() || !directions[1].done()) {
    for (RingDirection& direction : directions) direction.step(exchange.steps, exchange.list);
    ++exchange.steps;
  }
  return exchange;
}

bool is_ring(const ErasedTopology& network) {
  constexpr std::uint64_t most_looked_at = std::uint64_t{1} << 16U;
  const std::uint64_t n = network.node_count();
  if (!network.symmetric() || network.max_degree() != 2 || n < 3) return false;
  for (std::uint64_t u = 0; u < std::min(n, most_looked_at); ++u)
    if (network.neighbor(NodeId{u}, Port{0}) != NodeId{(u + 1) % n}) return false;
  return true;
}

bool is_coloured(const ErasedTopology& network) {
  return edge_colouring_exchange.networks.admits(network);
}

Transfers exchange_of(const ErasedTopology& network, PathPorts ports) {
  const std::uint64_t n = network.node_count();
  const std::uint64_t most_nodes = network.symmetric() ? std::uint64_t{1} << 16U : 1'024;
  if (n > most_nodes || network.processor_count() != n)
    throw InvalidParameter(
        fmt::format("{}: {} of an exchange planned hop by hop; allowed: up to {} without switches",
                    network.name(), counted(n, "node"), grouped(most_nodes)));
  if (n == 1) return every_node_a_class(1);
  if (!network.factors().empty()) return composed_exchange(network, ports);
  if (const auto* const array = network.as<LinearArray>())
    return linear_exchange(array->node_count(), ports);
  const std::optional<AnyCayley> group = network.cayley();
  if (!group || group->identity() != NodeId{0}) return path_exchange(network, ports);
  if (ports == PathPorts::one) return queued_exchange(*group, QueueDiscipline::fifo);
  if (is_ring(network)) return ring_exchange(n, QueueDiscipline::message_shift);
  if (is_coloured(network)) return coloured_exchange(*group, Duplex::full);
  return path_exchange(network, ports);
}

}  // namespace lockstep
