// SPDX-License-Identifier: Apache-2.0

/// Scan by sweeps over a tree in which the processors of every subtree have consecutive numbers:
/// their sum goes up, the sum of all numbers before them comes down (Blelloch 1990), and the parts
/// of a block follow each other. The tree is a breadth-first tree from the centre, or one whose
/// nodes are numbered in the order in which a depth-first walk meets them.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "algorithm/pipeline.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

using Node = std::uint32_t;
constexpr Node no_node = std::numeric_limits<Node>::max();

/// A tree with the numbers below each node.
struct OrderedTree {
  TreeLinks links{};
  /// Of a node: its children and, where it is a processor, itself, in the order of the numbers.
  std::vector<std::vector<Node>> items{};
};

/// Empty where the numbers of a subtree are not consecutive.
[[nodiscard]] std::optional<OrderedTree> ordered(const ErasedTopology& network, TreeLinks links) {
  const std::uint64_t nodes = network.node_count();
  OrderedTree tree{.links = std::move(links), .items = std::vector<std::vector<Node>>(nodes)};
  std::vector<Node> least(nodes, no_node);
  std::vector<std::uint64_t> count(nodes);
  for (Node u = 0; u < network.processor_count(); ++u) {
    tree.items[u] = {u};
    least[u] = u;
    count[u] = 1;
  }
  const auto close = [&](Node u) {
    std::ranges::sort(tree.items[u], {}, [&](Node item) { return item == u ? u : least[item]; });
    Node next = no_node;
    for (const Node item : tree.items[u]) {
      const Node first = item == u ? u : least[item];
      if (next != no_node && first != next) return false;
      if (next == no_node) least[u] = first;
      next = first + static_cast<Node>(item == u ? 1 : count[item]);
    }
    for (const Node item : tree.items[u]) count[u] += item == u ? 0 : count[item];
    return true;
  };
  for (auto link = tree.links.rbegin(); link != tree.links.rend(); ++link) {
    if (!close(link->child)) return std::nullopt;
    tree.items[link->parent].push_back(link->child);
  }
  const Node root = tree.links.empty() ? 0 : tree.links.front().parent;
  return close(root) ? std::optional(std::move(tree)) : std::nullopt;
}

/// Node v hangs below a neighbour on the path from the root to v - 1: the first of the path, or the
/// last. Empty where there is none.
[[nodiscard]] std::optional<TreeLinks> walked(const ErasedTopology& network, bool last) {
  if (network.processor_count() != network.node_count()) return std::nullopt;
  TreeLinks links;
  std::vector<Node> path{0};
  for (Node v = 1; v < network.node_count(); ++v) {
    std::vector<bool> is_neighbor(v);
    for (std::size_t p = 0; p < network.degree(NodeId{v}); ++p)
      if (const auto u = index(network.neighbor(NodeId{v}, port(p))); u < v) is_neighbor[u] = true;
    std::optional<std::size_t> at;  // on the path
    for (std::size_t i = 0; i < path.size() && (last || !at); ++i)
      if (is_neighbor[path[i]]) at = i;
    if (!at) return std::nullopt;
    links.push_back({path[*at], v});
    path.resize(*at + 1);
    path.push_back(v);
  }
  return links;
}

/// The node from which the farthest processor is least far away.
[[nodiscard]] NodeId centre(const ErasedTopology& network) {
  NodeId best{};
  std::uint32_t least = no_node;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    const std::vector<std::uint32_t> distances = distances_from(network, NodeId{u});
    const auto end = distances.begin() + static_cast<std::ptrdiff_t>(network.processor_count());
    const std::uint32_t farthest = *std::max_element(distances.begin(), end);
    if (farthest >= least) continue;
    least = farthest;
    best = NodeId{u};
  }
  return best;
}

[[nodiscard]] std::optional<OrderedTree> tree_of(const ErasedTopology& network, Ports ports) {
  if (auto tree = ordered(network, tree_links(network, centre(network), no_node))) return tree;
  for (const bool last : {ports == Ports::one, ports == Ports::all})
    if (std::optional<TreeLinks> links = walked(network, last))
      return ordered(network, *std::move(links));
  return std::nullopt;
}

[[nodiscard]] Transfers swept(const PlanRequest& asked, Ports ports) {
  const std::uint64_t nodes = asked.network.node_count();
  const std::optional<OrderedTree> tree = tree_of(asked.network, ports);
  if (!tree)
    throw InvalidParameter(fmt::format(
        "{}: no tree is known whose subtrees have consecutive numbers", asked.network.name()));
  Pipeline pipeline(nodes);
  std::vector<std::size_t> up(nodes);
  std::vector<std::size_t> down(nodes);
  std::vector<std::vector<std::size_t>> arrived(nodes);  // from the children
  for (auto link = tree->links.rbegin(); link != tree->links.rend(); ++link) {
    up[link->child] =
        pipeline.add({.from = link->child, .to = link->parent, .after = arrived[link->child]});
    arrived[link->parent].push_back(up[link->child]);
  }
  for (const auto& [parent, child] : tree->links) {
    std::vector<std::size_t> after = arrived[parent];
    if (parent != tree->links.front().parent) after.push_back(down[parent]);
    down[child] = pipeline.add({.from = parent, .to = child, .after = std::move(after)});
  }
  const Pipeline::Timing timing = pipeline.timing(ports);
  Transfers plan = every_node_a_class(nodes);
  plan.parts = asked.parts;
  const auto sum_of = [&](Node u) { return auxiliary(nodes, u); };
  const auto before = [&](Node u) { return auxiliary(nodes, nodes + u); };
  const Node root = tree->links.empty() ? 0 : tree->links.front().parent;
  for (std::uint32_t p = 0; p < asked.parts; ++p) {
    const auto part = static_cast<std::uint16_t>(p);
    const auto step_of = [&](std::size_t arc) {
      return static_cast<std::uint32_t>(timing.first[arc] + p * timing.period);
    };
    const auto send = [&](std::size_t arc, Node sum, Node from, Node to) {
      plan.move_part(
          step_of(arc),
          {.source = everyone, .destination = sum, .from = from, .to = to, .part = part});
    };
    // The sum of some items of u in their order, after what is in `into` already.
    const auto add_items = [&](std::uint32_t step, Node u, Node into, bool is_empty, Node until) {
      for (const Node item : tree->items[u]) {
        if (item == until) break;
        plan.additions.push_back({step, u, item == u ? alone(nodes, u) : sum_of(item), into, part,
                                  is_empty ? Combine::none : Combine::behind});
        is_empty = false;
      }
      return is_empty;
    };
    for (auto link = tree->links.rbegin(); link != tree->links.rend(); ++link) {
      const auto& [parent, child] = *link;
      (void)add_items(step_of(up[child]), child, sum_of(child), true, no_node);
      send(up[child], sum_of(child), child, parent);
    }
    std::vector<bool> is_empty(nodes);  // nothing comes before the numbers of that subtree
    is_empty[root] = true;
    for (const auto& [parent, child] : tree->links) {
      const std::uint32_t step = step_of(down[child]);
      if (!is_empty[parent])
        plan.additions.push_back(
            {step, parent, before(parent), before(child), part, Combine::none});
      is_empty[child] = add_items(step, parent, before(child), is_empty[parent], child);
      if (!is_empty[child]) send(down[child], before(child), parent, child);
    }
    for (Node u = 0; u < asked.network.processor_count(); ++u) {
      const std::size_t last = u == root ? 0 : down[u];
      std::uint32_t step = u == root ? 0 : step_of(last) + 1;
      for (const std::size_t arc : arrived[u]) step = std::max(step, step_of(arc) + 1);
      // `everyone` begins with the own contribution: what comes before it, from the nearest on.
      const std::vector<Node>& items = tree->items[u];
      for (auto item = std::find(items.begin(), items.end(), u); item != items.begin();)
        plan.additions.push_back({step, u, sum_of(*--item), everyone, part, Combine::before});
      if (!is_empty[u])
        plan.additions.push_back({step, u, before(u), everyone, part, Combine::before});
    }
  }
  std::ranges::stable_sort(plan.list, {}, &Transfer::step);
  std::ranges::stable_sort(plan.additions, {}, &Addition::step);
  for (const Addition& addition : plan.additions)
    plan.steps = std::max<std::uint64_t>(plan.steps, addition.step);
  return plan;
}

template <Ports ports>
[[nodiscard]] bool has_tree(const ErasedTopology& network) {
  return tree_of(network, ports).has_value();
}
template <Ports ports>
constexpr NetworkShape consecutive_tree{.text = "any network",
                                        .plural = "networks",
                                        .clause = " with a tree of consecutive numbers",
                                        .is = has_tree<ports>,
                                        .searched = true,
                                        .wider = &shapes::any_network};

[[nodiscard]] PlannedAlgorithm sweeps(std::string_view name, PortModel model,
                                      std::string_view costs, const NetworkShape& shape,
                                      Transfers (*plan)(const PlanRequest&)) {
  return {.info = {.name = name,
                   .operation = Operation::scan,
                   .model = model,
                   .source = "Blelloch 1990",
                   .costs = costs,
                   .summary = "sums go up a tree of consecutive numbers, those before come down"},
          .networks = shape.up_to_nodes(512),
          .plan = plan,
          .parts = Parts::open};
}

}  // namespace

const PlannedAlgorithm sweeping_scan =
    sweeps("sweeps", port_models::all_port, "2H + P - 1 steps of 1/P, H = height of the tree",
           consecutive_tree<Ports::all>,
           [](const PlanRequest& asked) { return swept(asked, Ports::all); });
const PlannedAlgorithm sweeping_scan_in_turn =
    sweeps("sweeps-in-turn", port_models::single_port,
           "counted in the plan: about D P steps of 1/P, D = arcs of a node in one direction",
           consecutive_tree<Ports::one>,
           [](const PlanRequest& asked) { return swept(asked, Ports::one); });

}  // namespace lockstep
