// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/factor_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "algorithm/planned_algorithms.hpp"
#include "algorithm/total_exchange/path_exchange.hpp"
#include "algorithm/total_exchange/product_exchange.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/mesh.hpp"

namespace lockstep {
Transfers linear_exchange(std::uint64_t n, Ports ports) {
  check_planned_transfers(fmt::format("linear array of {} nodes", grouped(n)), n * (n * n - 1) / 3);
  Transfers exchange = every_node_a_class(n);
  const std::uint64_t last = n * n / 4;  // step of a direction, from 1
  // The step in which the message from place k to place i, both from 1, leaves place j.
  const auto departure = [n](std::uint64_t k, std::uint64_t i, std::uint64_t j) {
    return i < n ? j * (n - i) + k : j - k + 1;
  };
  const auto step = [&](std::uint64_t t, bool right) {
    if (ports == Ports::all) return t - 1;
    const bool merged = n % 2 == 0 && t == last;
    return 2 * (t - 1) + (right || merged ? 0 : 1);
  };
  for (std::uint64_t k = 1; k <= n; ++k)
    for (std::uint64_t i = k + 1; i <= n; ++i)
      for (std::uint64_t j = k; j < i; ++j) {
        const std::uint64_t t = departure(k, i, j);
        exchange.move(step(t, true), k - 1, i - 1, j - 1, j);
        exchange.move(step(t, false), n - k, n - i, n - j, n - j - 1);
      }
  exchange.steps = ports == Ports::all ? last : 2 * last - (n % 2 == 0 ? 1 : 0);
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

Transfers exchange_of(const ErasedTopology& network, Ports ports) {
  const std::uint64_t n = network.node_count();
  const std::uint64_t most_nodes = network.symmetric() ? std::uint64_t{1} << 16U : 1'024;
  if (n > most_nodes || network.processor_count() != n)
    throw invalid("{}: {} of an exchange planned hop by hop; allowed: up to {} without switches",
                  network.name(), counted(n, "node"), grouped(most_nodes));
  if (n == 1) return every_node_a_class(1);
  if (!network.factors().empty())
    return product_exchange(network,
                            ports == Ports::one ? ProductRule::in_turn : ProductRule::rounds);
  if (const auto* const array = network.as<LinearArray>())
    return linear_exchange(array->node_count(), ports);
  const std::optional<AnyCayley> group = network.cayley();
  if (!group || group->identity() != NodeId{0}) return path_exchange(network, ports);
  if (ports == Ports::one) return queued_exchange(*group, QueueDiscipline::fifo);
  if (is_ring(network)) return ring_exchange(n, QueueDiscipline::message_shift);
  if (is_coloured(network)) return coloured_exchange(*group, Duplex::full);
  return path_exchange(network, ports);
}

}  // namespace lockstep
