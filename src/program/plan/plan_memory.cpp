// SPDX-License-Identifier: Apache-2.0
#include "program/plan/plan_memory.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lockstep/core/expects.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::pair<std::uint32_t, std::uint32_t> block_of(const Transfer& transfer) {
  return {transfer.source, transfer.destination};
}

/// The numbers of the transfers, block by block; those of a block keep their order.
[[nodiscard]] std::vector<std::uint32_t> by_block(const Transfers& plan) {
  std::vector<std::uint32_t> order(plan.list.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto block = [&](std::uint32_t i) { return block_of(plan.list[i]); };
  if (!std::ranges::is_sorted(order, {}, block)) std::ranges::stable_sort(order, {}, block);
  return order;
}

}  // namespace

PlanMemory::PlanMemory(const Transfers& plan, const ErasedTopology& network)
    : plan_(plan), network_(network) {
  find_ports();
  find_holdings();
  sort();
  give_slots();
}

void PlanMemory::find_ports() {
  ports_.reserve(plan_.list.size());
  std::vector<std::vector<std::uint32_t>> neighbors(plan_.nodes());
  for (const Transfer& transfer : plan_.list) {
    if (transfer.port != first_port_there) {
      ports_.push_back(transfer.port);
      continue;
    }
    std::vector<std::uint32_t>& own = neighbors[transfer.from];
    if (own.empty())
      for (std::size_t p = 0; p < network_.degree(NodeId{transfer.from}); ++p)
        own.push_back(
            static_cast<std::uint32_t>(index(network_.neighbor(NodeId{transfer.from}, port(p)))));
    const auto at = std::ranges::find(own, transfer.to);
    expects(at != own.end(), "a transfer goes over a link");
    ports_.push_back(port(at - own.begin()));
  }
}

/// A block on a path is at one node at a time; one for everyone stays where it has been.
void PlanMemory::find_holdings() {
  sent_from_.resize(plan_.list.size());
  kept_in_.resize(plan_.list.size());
  first_send_.resize(plan_.list.size());
  holdings_.reserve(plan_.list.size() + plan_.representatives.size());
  std::vector<std::uint32_t> at(plan_.nodes());  // of the present block: its holding at a node
  std::size_t first = 0;                         // its first holding
  const Transfer* before = nullptr;
  for (const std::uint32_t i : by_block(plan_)) {
    const Transfer& transfer = plan_.list[i];
    const bool spreads = transfer.destination == everyone;
    if (before == nullptr || block_of(*before) != block_of(transfer)) {
      first = holdings_.size();
      expects(transfer.from == transfer.source, "a block begins at its source");
      at[transfer.from] = new_holding(transfer.from, transfer.step);
    } else {
      expects(spreads || before->to == transfer.from, "a block moves along a path");
    }
    before = &transfer;
    const auto is_at = [&](std::uint32_t node) {
      const std::uint32_t known = at[node];
      return known >= first && known < holdings_.size() && holdings_[known].node == node;
    };
    expects(is_at(transfer.from) && holdings_[at[transfer.from]].since <= transfer.step,
            "a node sends what it has received before");
    expects(!spreads || !is_at(transfer.to), "a node receives a block once");
    sent_from_[i] = at[transfer.from];
    ++holdings_[sent_from_[i]].sends_left;
    kept_in_[i] = at[transfer.to] = new_holding(transfer.to, transfer.step + 1);
    holdings_[kept_in_[i]].delivered =
        spreads ? transfer.to < network_.processor_count() : transfer.to == transfer.destination;
  }
}

std::uint32_t PlanMemory::new_holding(std::uint32_t node, std::uint32_t since) {
  holdings_.push_back({.node = node, .since = since});
  return static_cast<std::uint32_t>(holdings_.size() - 1);
}

void PlanMemory::sort() {
  const std::uint64_t classes = plan_.representatives.size();
  begin_.assign(classes + 1, 0);
  for (const Transfer& transfer : plan_.list)
    for (const std::uint32_t node : {transfer.from, transfer.to})
      ++begin_[plan_.class_of[node] + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  ends_.resize(2 * plan_.list.size());
  std::vector<std::uint64_t> at(begin_.begin(), begin_.end() - 1);
  const bool by_node = plan_.by_node();
  for (std::uint32_t i = 0; i < plan_.list.size(); ++i) {
    const Transfer& transfer = plan_.list[i];
    const auto through = static_cast<std::uint32_t>(index(ports_[i]));
    const auto into = by_node ? static_cast<std::uint32_t>(
                                    index(network_.reverse_port(NodeId{transfer.from}, ports_[i])))
                              : through;
    ends_[at[plan_.class_of[transfer.from]]++] = {transfer.step, through, 2 * i + 1};
    ends_[at[plan_.class_of[transfer.to]]++] = {transfer.step + 1, into, 2 * i};
  }
  for (std::uint64_t c = 0; c < classes; ++c)
    std::sort(ends_.begin() + static_cast<std::ptrdiff_t>(begin_[c]),
              ends_.begin() + static_cast<std::ptrdiff_t>(begin_[c + 1]),
              [](const TransferEnd& a, const TransferEnd& b) {
                return std::pair(a.message(), a.transfer) < std::pair(b.message(), b.transfer);
              });
}

void PlanMemory::give_slots() {
  for (std::uint64_t c = 0; c < plan_.representatives.size(); ++c) {
    SlotPool pool;
    std::uint32_t step = 0;
    for_each_message(c, [&](PlannedMessage message) {
      // What was sent in a step is free after two.
      for (std::uint32_t i = std::min(message.front().step - step, 2U); i > 0; --i)
        pool.begin_step();
      step = message.front().step;
      message.front().sends() ? send(pool, message) : receive(pool, message);
    });
    sizes_.push_back(pool.size());
  }
}
void PlanMemory::receive(SlotPool& pool, PlannedMessage message) {
  const auto goes_on = [&](const TransferEnd& end) {
    const Holding& kept = holding(end);
    return kept.sends_left != 0 || !kept.delivered;
  };
  if (std::ranges::none_of(message, goes_on)) return;
  for (const TransferEnd& end : message) {
    Holding& kept = holdings_[kept_in_[end.number()]];
    kept.slot = pool.acquire();
  }
  for (const TransferEnd& end : message)
    if (!goes_on(end)) pool.release_delivered(holding(end).slot);
}
void PlanMemory::send(SlotPool& pool, PlannedMessage message) {
  for (const TransferEnd& end : message) {
    Holding& kept = holdings_[sent_from_[end.number()]];
    if (kept.slot == no_slot) {
      kept.slot = pool.acquire();
      first_send_[end.number()] = 1;
    }
    if (--kept.sends_left == 0) pool.release_sent(kept.slot);
  }
}

}  // namespace lockstep
