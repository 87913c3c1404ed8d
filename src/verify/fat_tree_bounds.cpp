// SPDX-License-Identifier: Apache-2.0
#include "lockstep/verify/fat_tree_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "lockstep/core/fraction.hpp"

namespace lockstep {
namespace {

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

std::optional<std::uint64_t> least_message_times(Operation operation, const FatTree& tree,
                                                 bool one_send) {
  switch (operation) {
    case Operation::broadcast:
      return 0;
    case Operation::scatter:
    case Operation::gather:
      return through_a_leaf(tree, one_send ? 1 : tree.capacity(1));
    case Operation::all_gather:
      return one_send ? all_gather_with_one_send(tree) : through_a_leaf(tree, tree.capacity(1));
    case Operation::total_exchange:
      return one_send ? exchange_with_one_send(tree) : exchange_by_all_ports(tree);
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> least_message_times(Operation operation, const Xgft& tree,
                                                 bool one_send) {
  switch (operation) {
    case Operation::broadcast:
      return 0;
    case Operation::scatter:
      return through_a_leaf(tree, one_send ? 1 : tree.capacity(1));
    case Operation::gather:
    case Operation::all_gather:  // leaves receive from all their parents
      return through_a_leaf(tree, tree.capacity(1));
    case Operation::total_exchange:
      return one_send ? through_a_leaf(tree, 1) : exchange_by_all_ports(tree);
    default:
      return std::nullopt;
  }
}

std::string_view reason(Operation operation, bool one_send) {
  if (operation == Operation::scatter || operation == Operation::gather) return "blocks per port";
  if (one_send) return "sends of a switch";
  return operation == Operation::total_exchange ? "crossings of a branch" : "blocks per port";
}

}  // namespace

std::optional<LowerBound> lower_bound(const Collective& collective, const FatTree& tree,
                                      const PortModel& model) {
  if (model.switching == Switching::wormhole || tree.processor_count() > most_leaves)
    return std::nullopt;
  const bool one_send = model.sends == 1;
  const auto times = least_message_times(collective.operation, tree, one_send);
  if (!times) return std::nullopt;
  const std::size_t h = tree.height();
  const bool in_turn = one_send && collective.operation == Operation::broadcast;
  const std::uint64_t startups = in_turn ? h - 1 + arities_below(tree, h + 1) : tree.diameter();
  const std::string_view by = in_turn ? "sends of a switch" : "diameter";
  if (*times <= startups) return LowerBound{{startups, startups}, by, "start-ups"};
  return LowerBound{{startups, *times}, by, reason(collective.operation, one_send)};
}

std::optional<LowerBound> lower_bound(const Collective& collective, const Xgft& tree,
                                      const PortModel& model) {
  if (model.switching == Switching::wormhole || tree.processor_count() > most_leaves)
    return std::nullopt;
  const auto times = least_message_times(collective.operation, tree, model.sends == 1);
  if (!times) return std::nullopt;
  const std::uint64_t startups = tree.diameter();
  if (*times <= startups) return LowerBound{{startups, startups}, "diameter", "start-ups"};
  const bool by_a_leaf = model.sends == 1;
  return LowerBound{{startups, *times},
                    "diameter",
                    by_a_leaf ? "blocks per port" : reason(collective.operation, false)};
}

std::optional<LowerBound> lower_bound(const Collective& collective, const ErasedTopology& network,
                                      const PortModel& model) {
  if (const auto* const tree = network.as<FatTree>()) return lower_bound(collective, *tree, model);
  if (const auto* const tree = network.as<Xgft>()) return lower_bound(collective, *tree, model);
  return std::nullopt;
}

}  // namespace lockstep
