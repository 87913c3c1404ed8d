// SPDX-License-Identifier: Apache-2.0
#include "program/plan/plan_memory.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "lockstep/core/expects.hpp"

namespace lockstep {
namespace {

/// The numbers of the transfers, block by block; those of a block keep their order.
[[nodiscard]] std::vector<std::uint32_t> by_block(const Transfers& plan) {
  std::vector<std::uint32_t> order(plan.list.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto block = [&](std::uint32_t i) { return plan.list[i].block(); };
  if (!std::ranges::is_sorted(order, {}, block)) std::ranges::stable_sort(order, {}, block);
  return order;
}

}  // namespace

PlanMemory::PlanMemory(const Transfers& plan, const ErasedTopology& network, Operation operation)
    : plan_(plan), network_(network), operation_(operation) {
  expects(!has_sums() || plan.representatives.size() == plan.nodes(),
          "in a plan of sums every node is a class");
  find_ports();
  find_holdings();
  sort();
  give_slots();
}

void PlanMemory::find_ports() {
  ports_.reserve(plan_.list.size());
  std::vector<std::vector<std::pair<std::uint32_t, Port>>> neighbors(plan_.nodes());
  for (const Transfer& transfer : plan_.list) {
    if (transfer.port != first_port_there) {
      ports_.push_back(transfer.port);
      continue;
    }
    auto& own = neighbors[transfer.from];
    if (own.empty()) {
      const NodeId node{transfer.from};
      for (std::size_t p = 0; p < network_.degree(node); ++p)
        own.emplace_back(static_cast<std::uint32_t>(index(network_.neighbor(node, port(p)))),
                         port(p));
      std::ranges::sort(own);
    }
    const auto at = std::ranges::lower_bound(own, std::pair(transfer.to, Port{}));
    expects(at != own.end() && at->first == transfer.to, "a transfer goes over a link");
    ports_.push_back(at->second);
  }
}

void PlanMemory::find_holdings() {
  sent_from_.resize(plan_.list.size());
  kept_in_.resize(plan_.list.size());
  loaded_.resize(2 * plan_.list.size());
  if (has_sums()) {
    operands_.assign(plan_.list.size(), no_slot);
    has_result_.resize(plan_.nodes());
  }
  holdings_.reserve(plan_.list.size() + plan_.representatives.size());
  at_.resize(plan_.nodes());
  std::size_t first = 0;
  const Transfer* before = nullptr;
  for (const std::uint32_t i : by_block(plan_)) {
    const Transfer& transfer = plan_.list[i];
    if (before != nullptr && before->block() != transfer.block()) {
      if (has_sums()) end_sum(before->destination, first);
      first = holdings_.size();
    }
    expects((transfer.source == everyone) == has_sums() && transfer.part < plan_.parts,
            "reductions move sums, and only they");
    before = &transfer;
    has_sums() ? hold_sum(i, first) : hold_block(i, first);
  }
  if (!has_sums()) return;
  if (before != nullptr) end_sum(before->destination, first);
  find_own_results();
}

/// A block on a path is at one node at a time; one for everyone stays where it has been.
void PlanMemory::hold_block(std::uint32_t i, std::size_t first) {
  const Transfer& transfer = plan_.list[i];
  const bool spreads = transfer.destination == everyone;
  if (first == holdings_.size()) {
    expects(transfer.from == transfer.source, "a block begins at its source");
    at_[transfer.from] = new_contribution(transfer.from, transfer.step);
  } else {
    expects(spreads || holdings_.back().node == transfer.from, "a block moves along a path");
  }
  expects(is_at(transfer.from, first) && holdings_[at_[transfer.from]].since <= transfer.step,
          "a node sends what it has received before");
  expects(!spreads || !is_at(transfer.to, first), "a node receives a block once");
  sent_from_[i] = at_[transfer.from];
  ++holdings_[sent_from_[i]].sends_left;
  kept_in_[i] = at_[transfer.to] = new_holding(transfer.to, transfer.step + 1);
  holdings_[kept_in_[i]].delivered =
      spreads ? transfer.to < network_.processor_count() : transfer.to == transfer.destination;
}

void PlanMemory::hold_sum(std::uint32_t i, std::size_t first) {
  const Transfer& transfer = plan_.list[i];
  sent_from_[i] = sum_to_send(transfer, first);
  Holding& sent = holdings_[sent_from_[i]];
  ++sent.sends_left;
  sent.last_sent = transfer.step;
  kept_in_[i] = at_[transfer.to] = sum_to_keep(transfer, first);
}

/// The sum as it is in that step: what arrives later is not in it.
std::uint32_t PlanMemory::sum_to_send(const Transfer& transfer, std::size_t first) {
  const std::uint32_t node = transfer.from;
  if (!is_at(node, first)) {
    expects(contributes(node, transfer.destination), "a node sends a sum that it has");
    return at_[node] = new_contribution(node, transfer.step);
  }
  std::uint32_t sum = at_[node];
  while (holdings_[sum].since > transfer.step && holdings_[sum].sum_of != no_slot)
    sum = holdings_[sum].sum_of;
  Holding& held = holdings_[sum];
  if (held.is_own) held.since = std::min(held.since, transfer.step);
  expects(held.since <= transfer.step, "a node sends what it has received before");
  return sum;
}

std::uint32_t PlanMemory::sum_to_keep(const Transfer& transfer, std::size_t first) {
  const std::uint32_t node = transfer.to;
  const std::uint32_t now = transfer.step + 1;
  std::uint32_t before = no_slot;
  if (transfer.combine != Combine::none) {
    if (is_at(node, first))
      before = at_[node];
    else if (contributes(node, transfer.destination))
      before = new_contribution(node, now);
  }
  if (before != no_slot && holdings_[before].since == now && !holdings_[before].is_own)
    return before;  // a further arrival of the same step
  const std::uint32_t sum = new_holding(node, now);
  if (before != no_slot) {
    holdings_[sum].sum_of = before;
    holdings_[before].is_continued = true;
  }
  return sum;
}

void PlanMemory::end_sum(std::uint32_t destination, std::size_t first) {
  for (std::size_t h = first; h < holdings_.size(); ++h) {
    Holding& held = holdings_[h];
    const bool is_last = at_[held.node] == h;  // the sum of the node at the end
    if (!is_last || held.is_own || held.node >= network_.processor_count()) continue;
    if (destination != everyone && destination != held.node) continue;
    held.delivered = true;
    has_result_[held.node] = true;
  }
}

/// A processor to which nothing comes has its own contribution as result.
void PlanMemory::find_own_results() {
  if (operation_ == Operation::reduce && plan_.nodes() > 1) return;
  for (std::uint32_t u = 0; u < network_.processor_count(); ++u)
    if (!has_result_[u]) own_results_.push_back({u, u});
}

std::uint64_t PlanMemory::deliveries() const {
  const auto there =
      static_cast<std::uint64_t>(std::ranges::count(holdings_, true, &Holding::delivered));
  return there / plan_.parts + own_results_.size();
}

bool PlanMemory::contributes(std::uint32_t node, std::uint32_t destination) const {
  if (node >= network_.processor_count()) return false;
  return operation_ != Operation::scan || destination == everyone || node <= destination;
}

std::uint32_t PlanMemory::new_holding(std::uint32_t node, std::uint32_t since) {
  holdings_.push_back({.node = node, .since = since});
  return static_cast<std::uint32_t>(holdings_.size() - 1);
}

std::uint32_t PlanMemory::new_contribution(std::uint32_t node, std::uint32_t since) {
  const std::uint32_t own = new_holding(node, since);
  holdings_[own].is_own = true;
  return own;
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

bool PlanMemory::is_mixed(PlannedMessage message) const {
  if (!has_sums()) return false;
  const auto is_added = [&](const TransferEnd& end) { return operand(end) != no_slot; };
  const auto added = static_cast<std::size_t>(std::ranges::count_if(message, is_added));
  if (added != message.size()) return added != 0;
  const auto order = [&](const TransferEnd& end) { return plan_.list[end.number()].combine; };
  bool in_place = true;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const std::uint32_t own = operand(message[i]);
    const std::uint32_t into = holding(message[i]).slot;
    if (order(message[i]) != order(message.front())) return true;
    in_place = in_place && own == into;
    if (in_place) continue;
    if (own != operand(message.front()) + i || into != holding(message.front()).slot + i)
      return true;
  }
  return false;
}

/// Gives slots to the blocks of one class, in the order in which it sees them.
class PlanMemory::Slots {
 public:
  explicit Slots(PlanMemory& memory) : memory_(memory) {}

  void begin_step() { pool_.begin_step(); }
  [[nodiscard]] std::uint32_t scratch() const noexcept { return pool_.size(); }
  [[nodiscard]] std::uint32_t size() const noexcept { return pool_.size() + most_mixed_; }
  [[nodiscard]] std::uint32_t acquire_own_result() {
    return pool_.acquire_new(memory_.plan_.parts);
  }

  void receive(PlannedMessage message) {
    const auto goes_on = [&](const TransferEnd& end) {
      const Holding& kept = memory_.holding(end);
      return kept.sends_left != 0 || !kept.delivered || memory_.has_sums() || in_parts();
    };
    if (std::ranges::none_of(message, goes_on)) return;
    for (const TransferEnd& end : message) memory_.has_sums() ? add(end) : keep(end, kept_of(end));
    for (const TransferEnd& end : message)
      if (!goes_on(end)) pool_.release_delivered(kept_of(end).slot);
    if (memory_.is_mixed(message))
      most_mixed_ = std::max(most_mixed_, static_cast<std::uint32_t>(message.size()));
  }

  void send(PlannedMessage message) {
    for (const TransferEnd& end : message) {
      Holding& held = memory_.holdings_[memory_.sent_from_[end.number()]];
      if (held.slot == no_slot) load(end, held);
      if (--held.sends_left == 0 && !held.is_continued && !(held.delivered && memory_.has_sums()))
        release(held);
    }
  }

 private:
  [[nodiscard]] bool in_parts() const noexcept { return memory_.plan_.parts > 1; }
  [[nodiscard]] Holding& kept_of(const TransferEnd& end) {
    return memory_.holdings_[memory_.kept_in_[end.number()]];
  }

  void load(const TransferEnd& end, Holding& own) {
    const Transfer& transfer = memory_.plan_.list[end.number()];
    bool is_new = true;
    own.slot = in_parts() ? part_of(own_, transfer, is_new) : pool_.acquire();
    memory_.loaded_[end.transfer] = is_new;
  }
  void keep(const TransferEnd& end, Holding& kept) {
    bool is_new = false;
    kept.slot = in_parts() && kept.delivered
                    ? part_of(results_, memory_.plan_.list[end.number()], is_new)
                    : pool_.acquire();
  }
  /// A slot that the receiver of the step before still reads is not altered.
  void add(const TransferEnd& end) {
    Holding& kept = kept_of(end);
    std::uint32_t& operand = memory_.operands_[end.number()];
    if (kept.slot != no_slot) {
      operand = kept.slot;
      return;
    }
    if (kept.sum_of == no_slot) return keep(end, kept);
    Holding& before = memory_.holdings_[kept.sum_of];
    if (before.slot == no_slot) load(end, before);
    operand = before.slot;
    const bool is_read = before.last_sent != no_slot && before.last_sent + 1 >= end.step;
    if (!is_read && !(in_parts() && kept.delivered)) {
      kept.slot = before.slot;
      return;
    }
    keep(end, kept);
    release(before);
  }
  /// Whole blocks keep their slots.
  void release(const Holding& held) {
    if (!in_parts() || (!held.is_own && !held.delivered)) pool_.release_sent(held.slot);
  }

  using Wholes = std::unordered_map<std::uint64_t, std::uint32_t>;
  [[nodiscard]] std::uint32_t part_of(Wholes& wholes, const Transfer& transfer, bool& is_new) {
    constexpr unsigned half = 32;
    const std::uint64_t key = (std::uint64_t{transfer.source} << half) | transfer.destination;
    const auto [at, added] = wholes.try_emplace(key, 0);
    if (added) at->second = pool_.acquire_new(memory_.plan_.parts);
    is_new = added;
    return at->second + transfer.part;
  }

  PlanMemory& memory_;
  SlotPool pool_;
  Wholes own_;  // the first slots of blocks
  Wholes results_;
  std::uint32_t most_mixed_ = 0;
};

void PlanMemory::give_slots() {
  auto own = own_results_.begin();
  for (std::uint64_t c = 0; c < plan_.representatives.size(); ++c) {
    Slots slots(*this);
    std::uint32_t step = 0;
    if (own != own_results_.end() && own->node == c) (own++)->slot = slots.acquire_own_result();
    for_each_message(c, [&](PlannedMessage message) {
      // What was sent in a step is free after two.
      for (std::uint32_t i = std::min(message.front().step - step, 2U); i > 0; --i)
        slots.begin_step();
      step = message.front().step;
      message.front().sends() ? slots.send(message) : slots.receive(message);
    });
    scratch_.push_back(slots.scratch());
    sizes_.push_back(slots.size());
  }
}

}  // namespace lockstep
