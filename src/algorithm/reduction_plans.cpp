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

/// Writes a plan of sums for N nodes.
class SumWriter {
 public:
  explicit SumWriter(std::uint64_t nodes, std::uint32_t parts = 1)
      : nodes_(nodes), plan_(every_node_a_class(nodes)) {
    plan_.parts = parts;
  }

  void send(std::uint64_t step, Node sum, std::uint64_t from, std::uint64_t to,
            Combine combine = Combine::none, std::uint32_t part = 0) {
    plan_.move_part(step, {.source = everyone,
                           .destination = sum,
                           .from = static_cast<Node>(from),
                           .to = static_cast<Node>(to),
                           .part = static_cast<std::uint16_t>(part),
                           .combine = combine});
  }
  void add(std::uint64_t step, std::uint64_t node, Node what, Node into, Combine combine,
           std::uint32_t part = 0) {
    plan_.additions.push_back({.step = static_cast<std::uint32_t>(step),
                               .node = static_cast<Node>(node),
                               .what = what,
                               .into = into,
                               .part = static_cast<std::uint16_t>(part),
                               .combine = combine});
  }
  [[nodiscard]] Node own(std::uint64_t node) const { return alone(nodes_, node); }
  [[nodiscard]] Node other(std::uint64_t number) const { return auxiliary(nodes_, number); }
  [[nodiscard]] Transfers plan() && {
    plan_.sort_by_step();
    return std::move(plan_);
  }

 private:
  std::uint64_t nodes_;
  Transfers plan_;
};

}  // namespace

Transfers gathered_and_added(const Transfers& all_gather, std::uint64_t processors,
                             Operation operation) {
  const std::uint64_t nodes = all_gather.nodes();
  Transfers plan = all_gather;
  for (Transfer& transfer : plan.list) {
    transfer.destination = alone(nodes, transfer.source);
    transfer.source = everyone;
  }
  const auto last = static_cast<std::uint32_t>(plan.steps);
  for (Node u = 0; u < processors; ++u)
    for (std::uint16_t part = 0; part < plan.parts; ++part) {
      for (Node v = u; v-- > 0;)
        plan.additions.push_back({last, u, alone(nodes, v), everyone, part, Combine::before});
      for (Node v = u + 1; v < processors && operation != Operation::scan; ++v)
        plan.additions.push_back({last, u, alone(nodes, v), everyone, part, Combine::behind});
    }
  return plan;
}

Transfers scan_by_exchange(const Transfers& total_exchange, std::uint64_t processors) {
  const std::uint64_t nodes = total_exchange.nodes();
  const std::uint32_t cut = total_exchange.parts;
  check_block_parts(processors, cut);
  SumWriter writer(nodes, static_cast<std::uint32_t>(processors) * cut);
  const std::uint64_t half = total_exchange.steps;
  for (const Transfer& transfer : total_exchange.list) {
    const std::uint32_t out = transfer.destination * cut + transfer.part;
    writer.send(transfer.step, writer.own(transfer.source), transfer.from, transfer.to,
                Combine::none, out);
    const std::uint32_t back = transfer.source * cut + transfer.part;
    writer.send(half + transfer.step, writer.other(transfer.destination), transfer.from,
                transfer.to, Combine::none, back);
  }
  for (std::uint64_t j = 0; j < processors; ++j)
    for (std::uint32_t i = 0; i < cut; ++i) {
      const auto part = static_cast<std::uint32_t>(j * cut + i);
      for (std::uint64_t u = 0; u < processors; ++u) {  // the sum up to u
        if (u > 0) writer.add(half, j, writer.other(u - 1), writer.other(u), Combine::none, part);
        writer.add(half, j, writer.own(u), writer.other(u), u > 0 ? Combine::behind : Combine::none,
                   part);
      }
      for (std::uint64_t u = 0; u < processors; ++u)
        writer.add(2 * half, u, writer.other(u), everyone, Combine::none, part);
    }
  return std::move(writer).plan();
}

Transfers census(std::uint64_t nodes) {
  SumWriter writer(nodes);
  const Node before = writer.other(0);  // of the m nodes before, cyclic
  std::uint64_t held = 0;               // m
  std::uint64_t step = 0;
  for (std::uint64_t bit = std::bit_floor(nodes - 1); bit > 0; bit /= 2, ++step) {
    const bool with_own = ((nodes - 1) & bit) != 0;
    const std::uint64_t distance = held + (with_own ? 1 : 0);
    const Node sent = writer.other(1 + step);
    for (std::uint64_t u = 0; u < nodes; ++u) {
      if (held > 0) writer.add(step, u, before, sent, Combine::none);
      if (with_own)
        writer.add(step, u, writer.own(u), sent, held > 0 ? Combine::behind : Combine::none);
      writer.send(step, sent, u, (u + distance) % nodes);
      writer.add(step + 1, u, sent, before, held > 0 ? Combine::behind : Combine::none);
    }
    held += distance;
  }
  for (std::uint64_t u = 0; u < nodes && nodes > 1; ++u)
    writer.add(step, u, before, everyone, Combine::before);
  return std::move(writer).plan();
}

Transfers pair_sums(std::uint64_t nodes) {
  SumWriter writer(nodes);
  const auto pair_sum = [&](std::uint64_t u) { return writer.other(u / 2); };
  std::vector<std::uint64_t> last(nodes);  // the pair whose sum came last
  for (std::uint64_t u = 0; u < nodes; ++u) {
    writer.send(0, writer.own(u), u, u ^ 1U);
    const std::uint64_t low = u & ~std::uint64_t{1};
    writer.add(1, u, writer.own(low), pair_sum(u), Combine::none);
    writer.add(1, u, writer.own(low + 1), pair_sum(u), Combine::behind);
    last[u] = u;
  }
  for (std::uint64_t step = 1; step < nodes / 2; ++step) {
    std::vector<std::uint64_t> next(nodes);
    for (std::uint64_t u = 0; u < nodes; ++u) {
      const std::uint64_t partner = (u + step) % 2 == 0 ? (u + 1) % nodes : (u + nodes - 1) % nodes;
      writer.send(step, pair_sum(last[u]), u, partner);
      next[partner] = last[u];
    }
    last = std::move(next);
  }
  const std::uint64_t end = std::max<std::uint64_t>(nodes / 2, 1);
  for (std::uint64_t u = 0; u < nodes; ++u)
    for (std::uint64_t pair = 0; pair < nodes / 2; ++pair)
      writer.add(end, u, writer.other(pair), everyone, pair == 0 ? Combine::none : Combine::behind);
  return std::move(writer).plan();
}

Transfers two_sweeps(std::uint64_t nodes, std::uint32_t parts, Ports ports) {
  SumWriter writer(nodes, parts);
  const std::uint64_t period = ports == Ports::one ? 2 : 1;
  const std::uint64_t late = ports == Ports::one && nodes % 2 != 0 ? 1 : 0;
  for (std::uint32_t part = 0; part < parts; ++part)
    for (const bool right : {true, false})
      for (std::uint64_t i = 0; i + 1 < nodes; ++i) {  // in the direction of the sweep
        const auto place = [&](std::uint64_t at) { return right ? at : nodes - 1 - at; };
        const auto sum = [&](std::uint64_t at) { return writer.other(2 * at + (right ? 0U : 1U)); };
        const std::uint64_t step = i + part * period + (right ? 0 : late);
        if (i > 0) {
          writer.add(step, place(i), sum(i - 1), sum(i), Combine::none, part);
          writer.add(step, place(i), writer.own(place(i)), sum(i),
                     right ? Combine::behind : Combine::before, part);
        } else {
          writer.add(step, place(0), writer.own(place(0)), sum(0), Combine::none, part);
        }
        writer.send(step, sum(i), place(i), place(i + 1), Combine::none, part);
        writer.add(step + 1, place(i + 1), sum(i), everyone,
                   right ? Combine::before : Combine::behind, part);
      }
  return std::move(writer).plan();
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
  SumWriter writer(nodes);
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
    writer.send(step, name, from, to);
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
        sum.name = u <= r && arrived[u].empty() ? writer.own(u)
                   : single                     ? arrived[u].front().name
                                                : writer.other(known.size());
        for (const Sum& part : arrived[u]) sum.step = std::max(sum.step, part.step + 1);
        bool begun = false;
        const auto add = [&](Node what) {
          writer.add(sum.step, u, what, sum.name, begun ? Combine::behind : Combine::none);
          begun = true;
        };
        if (sum.name != writer.own(u) && !single) {
          for (const Sum& part : arrived[u]) add(part.name);
          if (own_bit != 0) add(writer.own(u));
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
    for (const Sum& part : arrived[r]) writer.add(last, r, part.name, everyone, Combine::before);
  }
  return std::move(writer).plan();
}

}  // namespace lockstep
