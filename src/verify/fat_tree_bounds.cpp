// SPDX-License-Identifier: Apache-2.0
#include "verify/fat_tree_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lockstep/core/fraction.hpp"
#include "verify/message_time_bounds.hpp"

namespace lockstep {
namespace {

using detail::NodePorts;
using detail::raise_message_times;

/// Products of two numbers of leaves, summed: below 2^95.
constexpr std::uint64_t most_leaves = std::uint64_t{1} << 31U;

WideCount rounded_up(WideCount a, WideCount b) { return a / b + (a % b == 0 ? 0 : 1); }

/// The arities of the levels below `level`.
std::uint64_t arities_below(const SwitchTree& tree, std::size_t level) {
  std::uint64_t sum = 0;
  for (std::size_t i = 1; i < level; ++i) sum += tree.arity(i);
  return sum;
}

std::uint64_t through_a_leaf(const SwitchTree& tree, std::uint64_t lanes) {
  std::uint64_t least = 0;
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t messages = tree.processor_count() - tree.leaves_below(i - 1);
    least = std::max(least, (messages + lanes - 1) / lanes + 2 * i - 1);
  }
  return least;
}

std::uint64_t all_gather_with_one_send(const SwitchTree& tree) {
  const std::uint64_t n = tree.processor_count();
  const std::size_t h = tree.height();
  std::uint64_t least = h + (tree.arity(h) - 1) * n + arities_below(tree, h);  // the root
  for (std::size_t i = 1; i < h; ++i)
    least = std::max(least, i + tree.arity(i) * n + arities_below(tree, i));
  return least;
}

std::uint64_t exchange_with_one_send(const SwitchTree& tree) {
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
std::uint64_t exchange_by_all_ports(const SwitchTree& tree) {
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

detail::LeastStartups startups_of(Operation operation, const SwitchTree& tree, bool one_send) {
  const std::size_t h = tree.height();
  if (one_send && operation == Operation::broadcast && tree.has_one_column())
    return {h - 1 + arities_below(tree, h + 1), "sends of a switch"};
  return {tree.diameter(), "diameter"};
}

/// Blocks that the switches on top of a subtree of level i send at least, in parts of any size.
/// Broadcast: to all children, or to the parents for one of these. All-gather: the same of every
/// block. Total exchange: blocks that leave the subtree or enter it, and those that turn in it.
/// All-reduce: every child needs what all others contribute, and so do those outside. Scan: the
/// same of a subtree that has others before and behind it.
std::uint64_t sent_on_top(Operation operation, const SwitchTree& tree, std::size_t i) {
  const std::uint64_t n = tree.processor_count();
  const std::uint64_t inside = tree.leaves_below(i);
  const std::uint64_t from_above = i < tree.height() ? 1 : 0;
  switch (operation) {
    case Operation::broadcast:
      return tree.arity(i) - 1 + from_above;
    case Operation::all_gather:
      return (tree.arity(i) - 1 + from_above) * n;
    case Operation::total_exchange:
      return 2 * inside * (n - inside) + inside * (inside - tree.leaves_below(i - 1));
    case Operation::all_reduce:
      return tree.arity(i) + from_above;
    case Operation::scan:
      return n / inside >= 3 ? tree.arity(i) + 1 : tree.arity(i) - 1;
    default:
      return 0;
  }
}

/// The switches on top of a subtree share what they send.
Fraction sent_by_a_switch(Operation operation, const SwitchTree& tree) {
  Fraction most{};
  for (std::size_t i = 1; i <= tree.height(); ++i)
    most = std::max(most, detail::ratio(sent_on_top(operation, tree, i), tree.columns(i)));
  return most;
}

/// Of whole blocks; 0 where the start-ups say more. A leaf receives from all its parents, whose
/// sends are counted where there is one.
std::uint64_t with_latency(Operation operation, const SwitchTree& tree, const PortModel& model) {
  const std::uint64_t lanes = tree.capacity(1);
  const bool one_column = tree.has_one_column();
  const bool one_send = model.sends == 1;
  const bool one_reception = model.receptions == 1;
  switch (operation) {
    case Operation::scatter:  // with one parent, what that receives is what the source sends
      return through_a_leaf(tree, one_send || (one_reception && one_column) ? 1 : lanes);
    case Operation::all_gather:
      return std::max(through_a_leaf(tree, one_reception ? 1 : lanes),
                      one_send && one_column ? all_gather_with_one_send(tree) : 0);
    case Operation::total_exchange:
      if (!one_send) return exchange_by_all_ports(tree);
      return one_column ? exchange_with_one_send(tree) : through_a_leaf(tree, 1);
    default:
      return 0;
  }
}

/// Blocks that a leaf sends and receives at least: the root of a scatter, else any.
Fraction through_a_leafs_links(Operation operation, std::uint64_t leaves, const NodePorts& ports) {
  const std::uint64_t others = leaves - 1;
  switch (operation) {
    case Operation::scatter:
      return ports.times(others, 0);
    case Operation::all_gather:
      return ports.times(1, others);
    case Operation::total_exchange:
      return ports.times(others, others);
    case Operation::all_reduce:
      return ports.times(1, 1);
    default:  // one leaf sends a block, another one receives it
      return std::max(ports.times(1, 0), ports.times(0, 1));
  }
}

/// A branch carries what its leaves send to all others, and receive from these.
Fraction through_a_branch(const SwitchTree& tree, const PortModel& model) {
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

}  // namespace

std::optional<LowerBound> lower_bound(const Collective& collective, const SwitchTree& tree,
                                      const PortModel& model) {
  if (const auto mirror = mirror_with_bounds(collective))
    return lower_bound(*mirror, tree, mirrored(model));
  const Operation operation = collective.operation;
  if (model.switching == Switching::wormhole || tree.processor_count() > most_leaves ||
      collective.needs_pattern() || model.sends == 0 || model.receptions == 0)
    return std::nullopt;
  const bool one_send = model.sends == 1;
  const bool exchange = operation == Operation::total_exchange;
  const NodePorts leaf(model, tree.capacity(1));
  LowerBound times{.message_times_by = detail::by_ports, .undivided_by = detail::by_ports};
  raise_message_times(times, through_a_leafs_links(operation, tree.processor_count(), leaf),
                      detail::by_ports);
  if (one_send) raise_message_times(times, sent_by_a_switch(operation, tree), "sends of a switch");
  if (exchange) raise_message_times(times, through_a_branch(tree, model), "crossings of a branch");
  detail::raise_undivided(times, with_latency(operation, tree, model),
                          exchange && !one_send ? "crossings of a branch" : times.message_times_by);
  return detail::bound_of(startups_of(operation, tree, one_send), times);
}

}  // namespace lockstep
