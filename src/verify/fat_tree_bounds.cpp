// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/fat_tree_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "lockstep/core/fraction.hpp"
#include "verify/message_time_bounds.hpp"

namespace lockstep {
namespace {

using detail::NodePorts;

/// Products of two numbers of leaves, summed: below 2^95.
constexpr std::uint64_t most_leaves = std::uint64_t{1} << 31U;

WideCount rounded_up(WideCount a, WideCount b) { return a / b + (a % b == 0 ? 0 : 1); }

/// The arities of the levels below `level`.
std::uint64_t arities_below(const FatTree& tree, std::size_t level) {
  return std::accumulate(tree.arities().begin(),
                         tree.arities().begin() + static_cast<std::ptrdiff_t>(level - 1),
                         std::uint64_t{0});
}

template <class Tree>
std::uint64_t through_a_leaf(const Tree& tree, std::uint64_t lanes) {
  std::uint64_t least = 0;
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t messages = tree.processor_count() - tree.leaves_below(i - 1);
    least = std::max(least, (messages + lanes - 1) / lanes + 2 * i - 1);
  }
  return least;
}

std::uint64_t all_gather_with_one_send(const FatTree& tree) {
  const std::uint64_t n = tree.processor_count();
  const std::size_t h = tree.height();
  std::uint64_t least = h + (tree.arity(h) - 1) * n + arities_below(tree, h);  // the root
  for (std::size_t i = 1; i < h; ++i)
    least = std::max(least, i + tree.arity(i) * n + arities_below(tree, i));
  return least;
}

std::uint64_t exchange_with_one_send(const FatTree& tree) {
  const std::uint64_t n = tree.processor_count();
  std::uint64_t least = 0;
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t inside = tree.leaves_below(i);
    least = std::max(least, 2 * inside * (n - inside) +
                                inside * (inside - tree.leaves_below(i - 1)) + 2 * i - 1);
  }
  return least;
}

/// The crossings of a branch of each level, counted.
template <class Tree>
std::uint64_t exchange_by_all_ports(const Tree& tree) {
  const std::uint64_t n = tree.processor_count();
  WideCount least = 0;
  for (std::size_t l = 1; l <= tree.height(); ++l) {
    const WideCount inside = tree.leaves_below(l - 1);
    const WideCount lanes = tree.effective_capacity(l);
    const WideCount crossings = inside * (n - inside);
    const WideCount full = crossings / lanes;
    const WideCount first_crossings =  // the j-th in step ceil(j / lanes), summed over j
        lanes * (full * (full + 1) / 2) + crossings % lanes * (full + 1);
    WideCount on_the_way = 0;
    for (std::size_t m = l; m <= tree.height(); ++m)
      on_the_way += inside * (tree.leaves_below(m) - tree.leaves_below(m - 1)) * (2 * (m - l) + 1);
    const WideCount steps = rounded_up(2 * first_crossings + on_the_way, crossings) + 2 * l;
    least = std::max({least, steps - 3, rounded_up(crossings, lanes) + 2 * l - 1});
  }
  return static_cast<std::uint64_t>(least);
}

detail::LeastStartups startups_of(Operation operation, const FatTree& tree, bool one_send) {
  const std::size_t h = tree.height();
  if (one_send && operation == Operation::broadcast)
    return {h - 1 + arities_below(tree, h + 1), "sends of a switch"};
  return {tree.diameter(), "diameter"};
}
detail::LeastStartups startups_of(Operation /*operation*/, const Xgft& tree, bool /*one_send*/) {
  return {tree.diameter(), "diameter"};
}

/// Blocks that a switch of a level sends at least, in parts of any size, in the busiest level.
std::uint64_t sent_by_a_switch(Operation operation, const FatTree& tree) {
  const std::uint64_t n = tree.processor_count();
  std::uint64_t most = 0;
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t inside = tree.leaves_below(i);
    const std::uint64_t from_above = i < tree.height() ? 1 : 0;
    if (operation == Operation::broadcast)  // to all children, or to the parent for one of these
      most = std::max(most, tree.arity(i) - 1 + from_above);
    if (operation == Operation::all_gather)
      most = std::max(most, (tree.arity(i) - 1 + from_above) * n);
    if (operation == Operation::total_exchange)
      most =
          std::max(most, 2 * inside * (n - inside) + inside * (inside - tree.leaves_below(i - 1)));
  }
  return most;
}
std::uint64_t sent_by_a_switch(Operation /*operation*/, const Xgft& /*tree*/) {
  return 0;  // the switches on top of a subtree share it
}

/// Of whole blocks; 0 where the start-ups say more.
std::uint64_t with_latency(Operation operation, const FatTree& tree, bool one_send) {
  switch (operation) {
    case Operation::scatter:
    case Operation::gather:
      return through_a_leaf(tree, one_send ? 1 : tree.capacity(1));
    case Operation::all_gather:
      return one_send ? all_gather_with_one_send(tree) : through_a_leaf(tree, tree.capacity(1));
    case Operation::total_exchange:
      return one_send ? exchange_with_one_send(tree) : exchange_by_all_ports(tree);
    default:
      return 0;
  }
}
std::uint64_t with_latency(Operation operation, const Xgft& tree, bool one_send) {
  switch (operation) {
    case Operation::scatter:
      return through_a_leaf(tree, one_send ? 1 : tree.capacity(1));
    case Operation::gather:
    case Operation::all_gather:  // leaves receive from all their parents
      return through_a_leaf(tree, tree.capacity(1));
    case Operation::total_exchange:
      return one_send ? through_a_leaf(tree, 1) : exchange_by_all_ports(tree);
    default:
      return 0;
  }
}

/// Blocks that a leaf sends and receives at least: the root of a scatter or a gather, else any.
Fraction through_a_leafs_links(Operation operation, std::uint64_t leaves, const NodePorts& ports) {
  const std::uint64_t others = leaves - 1;
  switch (operation) {
    case Operation::scatter:
    case Operation::reduce_scatter:
      return ports.times(others, operation == Operation::scatter ? 0 : 1);
    case Operation::gather:
    case Operation::all_gather:
      return ports.times(operation == Operation::gather ? 0 : 1, others);
    case Operation::total_exchange:
      return ports.times(others, others);
    case Operation::all_reduce:
      return ports.times(1, 1);
    default:  // one leaf sends a block, another one receives it
      return std::max(ports.times(1, 0), ports.times(0, 1));
  }
}

/// A branch carries what its leaves send to all others, and receive from these.
template <class Tree>
Fraction through_a_branch(const Tree& tree, const PortModel& model) {
  const std::uint64_t n = tree.processor_count();
  const WideCount directions = model.duplex == Duplex::full ? 1 : 2;  // that share a lane
  Fraction most{};
  for (std::size_t l = 1; l <= tree.height(); ++l) {
    const WideCount inside = tree.leaves_below(l - 1);
    most = std::max(most,
                    detail::ratio(directions * inside * (n - inside), tree.effective_capacity(l)));
  }
  return most;
}

template <class Tree>
std::optional<LowerBound> bound_of_tree(const Collective& collective, const Tree& tree,
                                        const PortModel& model) {
  const Operation operation = collective.operation;
  if (model.switching == Switching::wormhole || tree.processor_count() > most_leaves ||
      collective.needs_pattern() || model.sends == 0 || model.receptions == 0)
    return std::nullopt;
  const bool one_send = model.sends == 1;
  const bool exchange = operation == Operation::total_exchange;
  const NodePorts leaf(model, tree.capacity(1));
  detail::LeastMessageTimes times;
  times.at_least(through_a_leafs_links(operation, tree.processor_count(), leaf),
                 detail::LeastMessageTimes::by_ports);
  if (one_send) times.at_least(sent_by_a_switch(operation, tree), "sends of a switch");
  if (exchange) times.at_least(through_a_branch(tree, model), "crossings of a branch");
  times.undivided_at_least(with_latency(operation, tree, one_send),
                           exchange && !one_send ? "crossings of a branch" : times.least_by);
  return detail::bound_of(startups_of(operation, tree, one_send), times);
}

}  // namespace

std::optional<LowerBound> lower_bound(const Collective& collective, const FatTree& tree,
                                      const PortModel& model) {
  return bound_of_tree(collective, tree, model);
}

std::optional<LowerBound> lower_bound(const Collective& collective, const Xgft& tree,
                                      const PortModel& model) {
  return bound_of_tree(collective, tree, model);
}

std::optional<LowerBound> lower_bound(const Collective& collective, const ErasedTopology& network,
                                      const PortModel& model) {
  if (const auto* const tree = network.as<FatTree>()) return lower_bound(collective, *tree, model);
  if (const auto* const tree = network.as<Xgft>()) return lower_bound(collective, *tree, model);
  return std::nullopt;
}

}  // namespace lockstep
