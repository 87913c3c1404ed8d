// SPDX-License-Identifier: Apache-2.0
#include "algorithm/reduction_plans.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "algorithm/line_plans.hpp"
#include "lockstep/program/plan/transformations.hpp"
#include "lockstep/topology/spanning_tree.hpp"
#include "topology/closed_walk.hpp"
#include "topology/graph_shapes.hpp"

namespace lockstep {
namespace {

using Node = std::uint32_t;

}  // namespace

Transfers gathered_and_added(const Transfers& all_gather, std::uint64_t processors,
                             Operation operation) {
  const std::uint64_t nodes = all_gather.nodes();
  Transfers plan = all_gather;
  for (Transfer& transfer : plan.list) {
    transfer.destination = alone(nodes, transfer.source);
    transfer.source = everyone;
  }
  for (Node u = 0; u < processors; ++u)
    for (std::uint32_t part = 0; part < plan.parts; ++part) {
      for (Node v = u; v-- > 0;)
        plan.add(plan.steps, u, alone(nodes, v), everyone, Combine::before, part);
      for (Node v = u + 1; v < processors && operation != Operation::scan; ++v)
        plan.add(plan.steps, u, alone(nodes, v), everyone, Combine::behind, part);
    }
  return plan;
}

Transfers scan_by_exchange(const Transfers& total_exchange, std::uint64_t processors) {
  const std::uint64_t nodes = total_exchange.nodes();
  const std::uint32_t cut = total_exchange.parts;
  check_block_parts(processors, cut);
  Transfers plan = every_node_a_class(nodes);
  plan.parts = static_cast<std::uint32_t>(processors) * cut;
  const std::uint64_t half = total_exchange.steps;
  for (const Transfer& transfer : total_exchange.list) {
    plan.move_part(transfer.step, everyone, alone(nodes, transfer.source), transfer.from,
                   transfer.to, transfer.destination * cut + transfer.part);
    plan.move_part(half + transfer.step, everyone, auxiliary(nodes, transfer.destination),
                   transfer.from, transfer.to, transfer.source * cut + transfer.part);
  }
  for (std::uint64_t j = 0; j < processors; ++j)
    for (std::uint64_t part = j * cut; part < (j + 1) * cut; ++part) {
      for (std::uint64_t u = 0; u < processors; ++u) {  // the sum up to u
        const Node sum = auxiliary(nodes, u);
        if (u > 0) plan.add(half, j, auxiliary(nodes, u - 1), sum, Combine::none, part);
        plan.add(half, j, alone(nodes, u), sum, u > 0 ? Combine::behind : Combine::none, part);
      }
      for (std::uint64_t u = 0; u < processors; ++u)
        plan.add(2 * half, u, auxiliary(nodes, u), everyone, Combine::none, part);
    }
  plan.sort_by_step();
  return plan;
}

Transfers census(std::uint64_t nodes) {
  Transfers plan = every_node_a_class(nodes);
  const Node before = auxiliary(nodes, 0);  // of the m nodes before, cyclic
  std::uint64_t held = 0;                   // m
  std::uint64_t step = 0;
  for (std::uint64_t bit = std::bit_floor(nodes - 1); bit > 0; bit /= 2, ++step) {
    const bool with_own = ((nodes - 1) & bit) != 0;
    const std::uint64_t distance = held + (with_own ? 1 : 0);
    const Node sent = auxiliary(nodes, 1 + step);
    for (std::uint64_t u = 0; u < nodes; ++u) {
      const Combine how = held > 0 ? Combine::behind : Combine::none;
      if (held > 0) plan.add(step, u, before, sent, Combine::none);
      if (with_own) plan.add(step, u, alone(nodes, u), sent, how);
      plan.move_part(step, everyone, sent, u, (u + distance) % nodes);
      plan.add(step + 1, u, sent, before, how);
    }
    held += distance;
  }
  for (std::uint64_t u = 0; u < nodes && nodes > 1; ++u)
    plan.add(step, u, before, everyone, Combine::before);
  return plan;
}

Transfers pair_sums(std::uint64_t nodes) {
  Transfers plan = every_node_a_class(nodes);
  const auto pair_sum = [&](std::uint64_t u) { return auxiliary(nodes, u / 2); };
  std::vector<std::uint64_t> last(nodes);  // the pair whose sum came last
  for (std::uint64_t u = 0; u < nodes; ++u) {
    plan.move_part(0, everyone, alone(nodes, u), u, u ^ 1U);
    const std::uint64_t low = u & ~std::uint64_t{1};
    plan.add(1, u, alone(nodes, low), pair_sum(u), Combine::none);
    plan.add(1, u, alone(nodes, low + 1), pair_sum(u), Combine::behind);
    last[u] = u;
  }
  for (std::uint64_t step = 1; step < nodes / 2; ++step) {
    std::vector<std::uint64_t> next(nodes);
    for (std::uint64_t u = 0; u < nodes; ++u) {
      const std::uint64_t partner = (u + step) % 2 == 0 ? (u + 1) % nodes : (u + nodes - 1) % nodes;
      plan.move_part(step, everyone, pair_sum(last[u]), u, partner);
      next[partner] = last[u];
    }
    last = std::move(next);
  }
  const std::uint64_t end = std::max<std::uint64_t>(nodes / 2, 1);
  for (std::uint64_t u = 0; u < nodes; ++u)
    for (std::uint64_t pair = 0; pair < nodes / 2; ++pair)
      plan.add(end, u, auxiliary(nodes, pair), everyone,
               pair == 0 ? Combine::none : Combine::behind);
  return plan;
}

Transfers two_sweeps(std::uint64_t nodes, std::uint32_t parts, Ports ports) {
  Transfers plan = every_node_a_class(nodes);
  plan.parts = parts;
  const std::uint64_t period = ports == Ports::one ? 2 : 1;
  const std::uint64_t late = ports == Ports::one && nodes % 2 != 0 ? 1 : 0;
  for (std::uint32_t part = 0; part < parts; ++part)
    for (const bool right : {true, false})
      for (std::uint64_t i = 0; i + 1 < nodes; ++i) {  // in the direction of the sweep
        const auto place = [&](std::uint64_t at) { return right ? at : nodes - 1 - at; };
        const auto sum = [&](std::uint64_t at) {
          return auxiliary(nodes, 2 * at + (right ? 0U : 1U));
        };
        const std::uint64_t step = i + part * period + (right ? 0 : late);
        const Combine onwards = right ? Combine::behind : Combine::before;
        if (i > 0) plan.add(step, place(i), sum(i - 1), sum(i), Combine::none, part);
        plan.add(step, place(i), alone(nodes, place(i)), sum(i), i > 0 ? onwards : Combine::none,
                 part);
        plan.move_part(step, everyone, sum(i), place(i), place(i + 1), part);
        plan.add(step + 1, place(i + 1), sum(i), everyone,
                 right ? Combine::before : Combine::behind, part);
      }
  plan.sort_by_step();
  return plan;
}

Transfers line_all_reduce(const ErasedTopology& line, Ports ports) {
  const std::uint64_t nodes = line.node_count();
  if (ports == Ports::one && is_complete(line)) return census(nodes);
  if (is_linear(line)) return two_sweeps(nodes, 1, ports);
  if (ports == Ports::one && nodes % 2 == 0 && admits_cycle(line))
    return placed(pair_sums(nodes), *hamiltonian_cycle(line));
  return gathered_and_added(line_all_gather(line, ports), nodes, Operation::all_reduce);
}

Transfers scan_over_shortest_paths(const ErasedTopology& network) {
  const auto nodes = static_cast<Node>(network.node_count());
  Transfers plan = every_node_a_class(nodes);
  struct Sum {
    Node name;
    std::uint64_t step;  ///< from which on it is complete
  };
  using Contributors = std::vector<std::uint64_t>;  // a bit for each number
  constexpr Node bits = 64;
  std::map<std::pair<Node, Contributors>, Sum> known;       // what a node has sent to a parent
  std::map<std::pair<Node, Node>, std::vector<Node>> sent;  // names, by arc
  const auto send_once = [&](std::uint64_t step, Node name, Node from, Node to) {
    std::vector<Node>& names = sent[{from, to}];
    if (std::ranges::find(names, name) != names.end()) return;
    names.push_back(name);
    plan.move_part(step, everyone, name, from, to);
  };
  for (Node r = 1; r < nodes; ++r) {
    const SpanningTree tree = SpanningTree::breadth_first(network, NodeId{r});
    std::vector<Contributors> below(nodes, Contributors(nodes / bits + 1));
    std::vector<std::vector<Sum>> arrived(nodes);
    const auto order = tree.by_level();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      const Node u = at->node;
      const std::uint64_t own_bit = u <= r ? std::uint64_t{1} << (u % bits) : 0;
      below[u][u / bits] |= own_bit;
      if (std::ranges::all_of(below[u], [](std::uint64_t word) { return word == 0; })) continue;
      if (u == r) break;
      const auto [entry, is_new] = known.try_emplace({u, below[u]}, Sum{});
      Sum& sum = entry->second;
      if (is_new) {
        const bool single = arrived[u].size() == 1 && own_bit == 0;
        sum.name = u <= r && arrived[u].empty() ? alone(nodes, u)
                   : single                     ? arrived[u].front().name
                                                : auxiliary(nodes, known.size());
        for (const Sum& part : arrived[u]) sum.step = std::max(sum.step, part.step + 1);
        bool begun = false;
        const auto add = [&](Node what) {
          plan.add(sum.step, u, what, sum.name, begun ? Combine::behind : Combine::none);
          begun = true;
        };
        if (sum.name != alone(nodes, u) && !single) {
          for (const Sum& part : arrived[u]) add(part.name);
          if (own_bit != 0) add(alone(nodes, u));
        }
      }
      const auto parent =
          static_cast<Node>(index(network.neighbor(NodeId{u}, tree.parent_port(NodeId{u}))));
      send_once(sum.step, sum.name, u, parent);
      arrived[parent].push_back(sum);
      for (std::size_t word = 0; word < below[u].size(); ++word)
        below[parent][word] |= below[u][word];
    }
    std::uint64_t last = 0;
    for (const Sum& part : arrived[r]) last = std::max(last, part.step + 1);
    for (const Sum& part : arrived[r]) plan.add(last, r, part.name, everyone, Combine::before);
  }
  plan.sort_by_step();
  return plan;
}

}  // namespace lockstep
