// SPDX-License-Identifier: Apache-2.0

/// Broadcast over a Hamiltonian cycle in both directions. With T steps, a part sent in step s to
/// one side reaches T - s nodes. Steps that reach N - 1 nodes serve a part alone; the others are
/// paired: c nodes on one side, N - 1 - c on the other.

#include <algorithm>
#include <cstdint>

#include "algorithm/planned_algorithms.hpp"
#include "topology/closed_walk.hpp"

namespace lockstep {
namespace {

[[nodiscard]] Transfers both_ways(const PlanRequest& asked) {
  const ClosedWalk cycle = *hamiltonian_cycle_from(asked.network, asked.root);
  const std::uint64_t nodes = cycle.size();
  Transfers plan = every_node_a_class(asked.network.node_count());
  plan.parts = asked.parts;
  const std::uint64_t steps = std::max<std::uint64_t>(nodes / 2, (asked.parts + nodes - 2 + 1) / 2);
  const auto send = [&](std::uint64_t first, std::uint64_t part, bool up, std::uint64_t reach) {
    for (std::uint64_t i = 0; i < reach; ++i) {
      const std::uint64_t from = up ? i : (nodes - i) % nodes;
      const std::uint64_t to = up ? i + 1 : nodes - i - 1;
      plan.move_part(first + i, index(asked.root), everyone, index(cycle[from]), index(cycle[to]),
                     part);
    }
  };
  // Steps 0, 1, .. of either side: a part alone while it reaches all.
  std::uint64_t next = 0;
  const std::uint64_t alone = steps >= nodes - 1 ? steps - (nodes - 1) + 1 : 0;
  for (std::uint64_t s = 0; s < alone && next < asked.parts; ++s)
    for (const bool up : {true, false})
      if (next < asked.parts) send(s, next++, up, nodes - 1);
  // Steps alone, .. on one side with steps from the other end on the other side.
  for (std::uint64_t s = alone; next < asked.parts && s < steps; ++s) {
    const std::uint64_t reach = std::min(steps - s, nodes - 1);
    const std::uint64_t rest = nodes - 1 - reach;
    send(s, next, true, reach);
    if (rest > 0) send(steps - rest, next, false, rest);
    ++next;
  }
  plan.sort_by_step();
  return plan;
}

}  // namespace

const PlannedAlgorithm cycle_broadcast = {
    .info = plain_info(
        "both-ways", Operation::broadcast, port_models::all_port, "Lockstep",
        {"max(floor(N, 2), ceil(P + N - 2, 2))", "(max(floor(N, 2), ceil(P + N - 2, 2)))/P"},
        "parts go both ways around a Hamiltonian cycle"),
    .networks = shapes::hamiltonian.up_to_nodes(most_searched_nodes),
    .plan = both_ways,
    .parts = Parts::open};

}  // namespace lockstep
