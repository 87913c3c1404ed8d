// SPDX-License-Identifier: Apache-2.0
#include "algorithm/line_plans.hpp"

#include <algorithm>
#include <utility>

#include "algorithm/balanced_paths.hpp"
#include "lockstep/program/plan/transformations.hpp"
#include "topology/closed_walk.hpp"
#include "topology/graph_shapes.hpp"

namespace lockstep {
namespace {

using Node = std::uint32_t;

void gather(Transfers& plan, std::uint64_t step, std::uint64_t source, std::uint64_t from,
            std::uint64_t to, std::uint64_t part = 0) {
  plan.move_part(step, source, everyone, from, to, part);
}

[[nodiscard]] std::vector<NodeId> cycle_of(const ErasedTopology& line) {
  if (!admits_cycle(line)) return {};
  return *hamiltonian_cycle(line);
}

}  // namespace

Transfers placed(Transfers plan, const std::vector<NodeId>& nodes) {
  const std::uint64_t count = nodes.size();
  const auto place = [&](Node& node) {
    if (node < count)
      node = static_cast<Node>(index(nodes[node]));
    else if (node < 2 * count)
      node = alone(count, index(nodes[node - count]));
  };
  for (Transfer& transfer : plan.list) {
    for (Node* const node : {&transfer.source, &transfer.destination, &transfer.from, &transfer.to})
      place(*node);
    transfer.port = first_port_there;
  }
  for (Addition& addition : plan.additions)
    for (Node* const node : {&addition.node, &addition.what, &addition.into}) place(*node);
  return plan;
}

Transfers around_cycle(std::uint64_t nodes) {
  Transfers plan = every_node_a_class(nodes);
  for (std::uint64_t t = 0; t + 1 < nodes; ++t)
    for (std::uint64_t u = 0; u < nodes; ++u)
      gather(plan, t, (u + nodes - t) % nodes, u, (u + 1) % nodes);
  return plan;
}

Transfers both_ways_around_cycle(std::uint64_t nodes) {
  Transfers plan = every_node_a_class(nodes);
  plan.parts = nodes % 2 == 0 ? 2 : 1;
  for (std::uint64_t t = 0; t < nodes / 2; ++t)
    for (std::uint64_t u = 0; u < nodes; ++u)
      for (std::uint32_t part = 0; part < plan.parts; ++part) {
        const bool is_half = 2 * (t + 1) == nodes;  // of the block of the opposite node
        if (!is_half || part == 0)
          gather(plan, t, (u + nodes - t) % nodes, u, (u + 1) % nodes, part);
        if (!is_half || part == 1)
          gather(plan, t, (u + t) % nodes, u, (u + nodes - 1) % nodes, part);
      }
  return plan;
}

Transfers neighbour_exchange(std::uint64_t nodes) {
  Transfers plan = every_node_a_class(nodes);
  std::vector<std::vector<std::uint64_t>> last(nodes);  // blocks to send next
  for (std::uint64_t u = 0; u < nodes; ++u) last[u] = {u};
  for (std::uint64_t t = 0; t < nodes / 2; ++t) {
    std::vector<std::vector<std::uint64_t>> next(nodes);
    for (std::uint64_t u = 0; u < nodes; ++u) {
      const std::uint64_t partner = (u + t) % 2 == 0 ? (u + 1) % nodes : (u + nodes - 1) % nodes;
      for (const std::uint64_t block : last[u]) gather(plan, t, block, u, partner);
      next[u] = last[partner];
      if (t == 0) next[u].push_back(u);
    }
    last = std::move(next);
  }
  return plan;
}

Transfers odd_even_gather(std::uint64_t nodes) {
  Transfers plan = every_node_a_class(nodes);
  // How far blocks have come: node u has those from low[u] to high[u].
  std::vector<std::uint64_t> low(nodes);
  std::vector<std::uint64_t> high(nodes);
  for (std::uint64_t u = 0; u < nodes; ++u) low[u] = high[u] = u;
  const auto is_done = [&](std::uint64_t u) { return low[u] == 0 && high[u] + 1 == nodes; };
  for (std::uint64_t t = 0;; ++t) {
    bool done = true;
    for (std::uint64_t u = 0; u < nodes; ++u) done = done && is_done(u);
    if (done) return plan;
    for (std::uint64_t u = t % 2; u + 1 < nodes; u += 2) {
      const std::uint64_t v = u + 1;
      for (std::uint64_t block = low[u]; block < low[v]; ++block) gather(plan, t, block, u, v);
      for (std::uint64_t block = high[u] + 1; block <= high[v]; ++block)
        gather(plan, t, block, v, u);
      low[v] = low[u];
      high[u] = high[v];
    }
  }
}

Transfers both_ways_along_line(std::uint64_t nodes) {
  Transfers plan = every_node_a_class(nodes);
  for (std::uint64_t t = 0; t + 1 < nodes; ++t)
    for (std::uint64_t u = 0; u < nodes; ++u) {
      if (u >= t && u + 1 < nodes) gather(plan, t, u - t, u, u + 1);
      if (u + t < nodes && u > 0) gather(plan, t, u + t, u, u - 1);
    }
  return plan;
}

Transfers index_exchange(std::uint64_t nodes, std::uint64_t radix) {
  Transfers plan = every_node_a_class(nodes);
  std::uint64_t step = 0;
  for (std::uint64_t place = 1; place < nodes; place *= radix)
    for (std::uint64_t digit = 1; digit < radix && digit * place < nodes; ++digit) {
      for (std::uint64_t distance = 1; distance < nodes; ++distance) {
        if (distance / place % radix != digit) continue;
        const std::uint64_t moved = distance % place;
        for (std::uint64_t u = 0; u < nodes; ++u)
          plan.move_part(step, u, (u + distance) % nodes, (u + moved) % nodes,
                         (u + moved + digit * place) % nodes);
      }
      ++step;
    }
  return plan;
}

Transfers cycle_exchange(std::uint64_t nodes) {
  Transfers plan = every_node_a_class(nodes);
  plan.parts = 2;
  for (std::uint64_t t = 0; t < nodes / 2; ++t)
    for (std::uint64_t u = 0; u < nodes; ++u)
      for (std::uint64_t distance = t + 1; 2 * distance <= nodes; ++distance)
        for (const std::uint64_t part : {0U, 1U}) {
          const bool is_opposite = 2 * distance == nodes;
          if (!is_opposite || part == 0)
            plan.move_part(t, u, (u + distance) % nodes, (u + t) % nodes, (u + t + 1) % nodes,
                           part);
          if (!is_opposite || part == 1)
            plan.move_part(t, u, (u + nodes - distance) % nodes, (u + nodes - t) % nodes,
                           (u + nodes - t - 1) % nodes, part);
        }
  return plan;
}

Transfers one_way_exchange(std::uint64_t nodes) {
  Transfers plan = every_node_a_class(nodes);
  for (std::uint64_t t = 0; t + 1 < nodes; ++t)
    for (std::uint64_t u = 0; u < nodes; ++u)
      for (std::uint64_t distance = t + 1; distance < nodes; ++distance)
        plan.move_part(t, u, (u + distance) % nodes, (u + t) % nodes, (u + t + 1) % nodes);
  return plan;
}

Transfers line_exchange(std::uint64_t nodes, std::uint64_t most, Ports ports) {
  struct Waiting {
    std::uint64_t source;
    std::uint64_t destination;
  };
  Transfers plan = every_node_a_class(nodes);
  // At each node those that go on to the right, and to the left: the furthest last.
  std::vector<std::vector<Waiting>> right(nodes);
  std::vector<std::vector<Waiting>> left(nodes);
  for (std::uint64_t u = 0; u < nodes; ++u) {
    for (std::uint64_t v = u + 1; v < nodes; ++v) right[u].push_back({u, v});
    for (std::uint64_t v = u; v-- > 0;) left[u].push_back({u, v});
  }
  const auto is_waiting = [](const std::vector<Waiting>& list) { return !list.empty(); };
  for (std::uint64_t t = 0;
       std::ranges::any_of(right, is_waiting) || std::ranges::any_of(left, is_waiting); ++t) {
    std::vector<std::pair<std::vector<Waiting>*, Waiting>> arrived;
    const auto send = [&](std::vector<std::vector<Waiting>>& way, std::uint64_t from,
                          std::uint64_t to) {
      for (std::uint64_t i = 0; i < most && !way[from].empty(); ++i) {
        const Waiting block = way[from].back();
        way[from].pop_back();
        plan.move_part(t, block.source, block.destination, from, to);
        if (block.destination != to) arrived.emplace_back(&way[to], block);
      }
    };
    for (std::uint64_t u = 0; u + 1 < nodes; ++u) {  // the link of u and u + 1
      if (ports == Ports::one && u % 2 != t % 2) continue;
      send(right, u, u + 1);
      send(left, u + 1, u);
    }
    for (const auto& [waiting, block] : arrived) waiting->push_back(block);
    for (std::uint64_t u = 0; u < nodes; ++u) {
      std::ranges::stable_sort(right[u], {}, &Waiting::destination);
      std::ranges::stable_sort(left[u], std::ranges::greater(), &Waiting::destination);
    }
  }
  return plan;
}

Transfers line_all_gather(const ErasedTopology& line, Ports ports) {
  const std::uint64_t nodes = line.node_count();
  if (is_complete(line) && ports == Ports::all) return gather_over_shortest_paths(line);
  if (is_complete(line)) {  // as Bruck does
    Transfers plan = every_node_a_class(nodes);
    std::uint64_t step = 0;
    for (std::uint64_t held = 1; held < nodes; held *= 2, ++step)
      for (std::uint64_t u = 0; u < nodes; ++u)
        for (std::uint64_t i = 0; i < std::min(held, nodes - held); ++i)
          gather(plan, step, (u + i) % nodes, u, (u + nodes - held) % nodes);
    return plan;
  }
  if (is_linear(line))
    return ports == Ports::one ? odd_even_gather(nodes) : both_ways_along_line(nodes);
  if (ports == Ports::one || line.max_degree() == 2)
    if (const std::vector<NodeId> cycle = cycle_of(line); !cycle.empty()) {
      if (ports == Ports::all) return placed(both_ways_around_cycle(nodes), cycle);
      return placed(nodes % 2 == 0 ? neighbour_exchange(nodes) : around_cycle(nodes), cycle);
    }
  Transfers plan = gather_over_shortest_paths(line);
  return ports == Ports::one ? in_turn(std::move(plan)) : plan;
}

Transfers line_total_exchange(const ErasedTopology& line, Ports ports, Bundles bundles) {
  const std::uint64_t nodes = line.node_count();
  if (is_complete(line) && ports == Ports::one) return index_exchange(nodes, nodes);
  if (is_linear(line)) {
    const std::uint64_t share = ports == Ports::one ? 2 : 4;
    const std::uint64_t more = bundles == Bundles::longer ? share - 1 : 0;
    return line_exchange(nodes, std::max<std::uint64_t>((nodes + more) / share, 1), ports);
  }
  if (line.max_degree() == 2 && !is_complete(line)) {
    const Transfers plan = placed(cycle_exchange(nodes), cycle_of(line));
    return ports == Ports::one ? in_turn(plan) : plan;
  }
  Transfers plan = of_every_node(exchange_over_shortest_paths(line), line);
  return ports == Ports::one ? in_turn(std::move(plan)) : plan;
}

}  // namespace lockstep
