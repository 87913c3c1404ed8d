// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/plan/transformations.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/edge_colouring.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/bipartition.hpp"

namespace lockstep {
namespace {

/// A message of a step: its arc, and how many transfers it has.
struct ArcLoad {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  Port port{};
  std::uint32_t blocks = 0;

  [[nodiscard]] auto arc() const { return std::tuple(from, to, port); }
};

/// The messages of these transfers, the longest first.
[[nodiscard]] std::vector<ArcLoad> loads_of(std::span<const Transfer> transfers) {
  std::vector<ArcLoad> loads(transfers.size());
  std::ranges::transform(transfers, loads.begin(), [](const Transfer& transfer) {
    return ArcLoad{transfer.from, transfer.to, transfer.port};
  });
  std::ranges::sort(loads, {}, &ArcLoad::arc);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (i == 0 || loads[i].arc() != loads[kept - 1].arc()) loads[kept++] = loads[i];
    ++loads[kept - 1].blocks;
  }
  loads.resize(kept);
  std::ranges::stable_sort(loads, std::ranges::greater(), &ArcLoad::blocks);
  return loads;
}

/// `owner`: of a transfer, the processor whose part it becomes.
template <class OwnerOf>
void cut_by_processor(Transfers& plan, std::uint64_t processors, const OwnerOf& owner) {
  const std::uint32_t parts = plan.parts;
  check_block_parts(processors, parts);
  plan.parts *= static_cast<std::uint32_t>(processors);
  for (Transfer& transfer : plan.list)
    transfer.part = static_cast<std::uint16_t>(owner(transfer) * parts + transfer.part);
}

/// The arrivals of a block that spreads, by node.
class Arrivals {
 public:
  explicit Arrivals(std::uint64_t nodes) : by_node_(nodes) {}

  void set(const Transfer& transfer) { by_node_[transfer.to] = &transfer; }
  /// Adds the way of the block to this node, as one for it alone.
  void add_way(std::vector<Transfer>& list, std::uint32_t source, std::uint32_t node) const {
    const std::size_t first = list.size();
    for (std::uint32_t at = node; at != source; at = by_node_[at]->from) {
      list.push_back(*by_node_[at]);
      list.back().destination = node;
    }
    std::reverse(list.begin() + static_cast<std::ptrdiff_t>(first), list.end());
  }

 private:
  std::vector<const Transfer*> by_node_;
};

/// visit(transfers of a block), in the order of their steps.
template <class Visit>
void for_each_block(std::vector<Transfer>& list, const Visit& visit) {
  if (!std::ranges::is_sorted(list, {}, &Transfer::block))
    std::ranges::stable_sort(list, {}, &Transfer::block);
  for (auto begin = list.begin(); begin != list.end();) {
    const auto end = std::find_if(begin, list.end(), [begin](const Transfer& transfer) {
      return transfer.block() != begin->block();
    });
    visit(std::span<const Transfer>(begin, end));
    begin = end;
  }
}

void leave_out_idle_steps(Transfers& plan) {
  std::vector<std::uint32_t> is_used(plan.steps);
  for (const Transfer& transfer : plan.list) is_used[transfer.step] = 1;
  std::vector<std::uint32_t> step_of(plan.steps);
  std::exclusive_scan(is_used.begin(), is_used.end(), step_of.begin(), 0U);
  for (Transfer& transfer : plan.list) transfer.step = step_of[transfer.step];
  plan.steps = std::reduce(is_used.begin(), is_used.end(), std::uint64_t{0});
}

}  // namespace

Transfers then(Transfers first, const Transfers& second) {
  expects(first.parts == second.parts && first.nodes() == second.nodes(),
          "both plans cut blocks of the same network alike");
  const std::uint64_t begin = first.steps;
  first.steps += second.steps;
  first.list.reserve(first.list.size() + second.list.size());
  for (Transfer transfer : second.list) {
    transfer.step += static_cast<std::uint32_t>(begin);
    first.list.push_back(transfer);
  }
  for (Addition addition : second.additions) {
    addition.step += static_cast<std::uint32_t>(begin);
    first.additions.push_back(addition);
  }
  return first;
}

void check_block_parts(std::uint64_t processors, std::uint32_t parts) {
  if (processors > most_parts / parts)
    throw invalid("a part of every block for each of {} nodes; allowed: {}", processors,
                  most_parts / parts);
}

Transfers in_block_parts(Transfers plan, std::uint64_t processors) {
  cut_by_processor(plan, processors, [](const Transfer& transfer) {
    return transfer.source == everyone ? transfer.destination : transfer.source;
  });
  for (Transfer& transfer : plan.list) transfer.source = transfer.destination = everyone;
  return plan;
}

Transfers in_parts_of(NodeId root, Transfers plan, std::uint64_t processors) {
  cut_by_processor(plan, processors, [](const Transfer& transfer) {
    return transfer.destination == everyone ? transfer.source : transfer.destination;
  });
  for (Transfer& transfer : plan.list) {
    transfer.source = static_cast<std::uint32_t>(index(root));
    transfer.destination = everyone;
  }
  return plan;
}

Transfers in_finer_parts(Transfers plan, std::uint32_t parts) {
  expects(parts % plan.parts == 0, "parts are cut into equally many");
  const std::uint32_t times = parts / plan.parts;
  if (times == 1) return plan;
  std::vector<Transfer> list;
  list.reserve(plan.list.size() * times);
  for (Transfer transfer : plan.list)
    for (std::uint32_t i = 0; i < times; ++i) {
      list.push_back(transfer);
      list.back().part = static_cast<std::uint16_t>(transfer.part * times + i);
    }
  plan.list = std::move(list);
  plan.parts = parts;
  return plan;
}

Transfers then_the_rest(Transfers first, const Transfers& second) {
  std::vector<bool> holds(first.nodes() * first.parts);
  const auto at = [&](std::uint32_t node, const Transfer& transfer) {
    return std::size_t{node} * first.parts + transfer.part;
  };
  for (const Transfers* const plan : {&std::as_const(first), &second})
    for (const Transfer& transfer : plan->list) holds[at(transfer.source, transfer)] = true;
  // A way of the first plan may meet itself, too.
  Transfers rest = second;
  for (Transfers* const plan : {&first, &rest}) {
    plan->sort_by_step();
    std::erase_if(plan->list, [&](const Transfer& transfer) {
      if (holds[at(transfer.to, transfer)]) return true;
      holds[at(transfer.to, transfer)] = true;
      return false;
    });
  }
  return then(std::move(first), rest);
}

Transfers personalised(Transfers plan, std::uint64_t processors) {
  std::vector<Transfer> list;
  Arrivals arrivals(plan.nodes());
  for_each_block(plan.list, [&](std::span<const Transfer> block) {
    for (const Transfer& transfer : block) arrivals.set(transfer);
    for (const Transfer& transfer : block)
      if (transfer.to < processors) arrivals.add_way(list, transfer.source, transfer.to);
    check_planned_transfers("the plan of every destination", list.size());
  });
  plan.list = std::move(list);
  return plan;
}

Transfers collected(const Transfers& all_gather, const ErasedTopology& network, NodeId root) {
  Transfers plan = every_node_a_class(all_gather.nodes());
  plan.steps = all_gather.steps;
  plan.parts = all_gather.parts;
  const std::optional<AnyCayley> group =
      all_gather.by_node() || plan.nodes() == 1 ? std::nullopt : network.cayley();
  const auto to_root = static_cast<std::uint32_t>(index(root));
  Arrivals arrivals(plan.nodes());
  std::vector<Transfer> transfers = all_gather.list;
  for_each_block(transfers, [&](std::span<const Transfer> block) {
    for (const Transfer& transfer : block) arrivals.set(transfer);
    const std::uint32_t source = block.front().source;
    if (!group) {
      if (source != to_root) arrivals.add_way(plan.list, source, to_root);
      return;
    }
    for (const Transfer& transfer : block) {  // the translation that takes its end to the root
      const std::size_t first = plan.list.size();
      arrivals.add_way(plan.list, source, transfer.to);
      const NodeId by = group->product(root, group->inverse(NodeId{transfer.to}));
      for (Transfer& moved : std::span(plan.list).subspan(first))
        move_by(moved, [&](std::uint32_t node) { return index(group->product(by, NodeId{node})); });
    }
  });
  return plan;
}

Transfers with_makers(const Transfers& all_gather, std::vector<std::uint32_t> makers,
                      WholeBlocks whole) {
  std::vector<std::vector<std::uint32_t>> made(all_gather.nodes());
  for (std::uint32_t block = 0; block < makers.size(); ++block)
    made[makers[block]].push_back(block);
  Transfers plan = every_node_a_class(all_gather.nodes());
  plan.steps = all_gather.steps;
  if (whole == WholeBlocks::no) plan.parts = all_gather.parts;
  for (const Transfer& transfer : all_gather.list) {
    check_planned_transfers("the plan of all messages",
                            plan.list.size() + made[transfer.source].size());
    for (const std::uint32_t block : made[transfer.source]) {
      if (whole == WholeBlocks::yes && block % all_gather.parts != transfer.part) continue;
      plan.list.push_back(transfer);
      plan.list.back().source = block;
      if (whole == WholeBlocks::yes) plan.list.back().part = 0;
    }
  }
  plan.makers = std::move(makers);
  leave_out_idle_steps(plan);
  return plan;
}

Transfers between_classes(Transfers total_exchange, const ErasedTopology& network) {
  const Bipartition classes(network);
  Transfers plan = std::move(total_exchange);
  std::erase_if(plan.list, [&](const Transfer& one) {
    return classes.is_odd(NodeId{one.source}) == classes.is_odd(NodeId{one.destination});
  });
  leave_out_idle_steps(plan);
  return plan;
}

Transfers in_turn(Transfers plan) {
  plan.sort_by_step();
  std::vector<std::uint32_t> begins(plan.steps + 1);  // the first step of each
  std::uint32_t next = 0;
  for (auto begin = plan.list.begin(); begin != plan.list.end();) {
    const auto end = std::find_if(begin, plan.list.end(), [begin](const Transfer& transfer) {
      return transfer.step != begin->step;
    });
    const std::size_t step = begin->step;
    const std::vector<ArcLoad> loads = loads_of({begin, end});
    const std::vector<BipartiteEdge> edges = edges_of(loads);
    const std::vector<std::uint32_t> colours = edge_colouring(edges);
    std::map<std::tuple<std::uint32_t, std::uint32_t, Port>, std::uint32_t> colour_of;
    for (std::size_t i = 0; i < loads.size(); ++i) colour_of[loads[i].arc()] = colours[i];
    for (auto transfer = begin; transfer != end; ++transfer)
      transfer->step =
          next + colour_of.at(std::tuple(transfer->from, transfer->to, transfer->port));
    std::ranges::stable_sort(begin, end, {}, &Transfer::step);
    next += colours_needed(edges);
    std::fill(begins.begin() + static_cast<std::ptrdiff_t>(step) + 1, begins.end(), next);
    begin = end;
  }
  for (Addition& addition : plan.additions) addition.step = begins.at(addition.step);
  plan.steps = next;
  return plan;
}

}  // namespace lockstep
