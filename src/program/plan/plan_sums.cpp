// SPDX-License-Identifier: Apache-2.0

/// The holdings of sums, in the order of time: what arrives, what is added, what is sent.

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "program/plan/plan_memory.hpp"

namespace lockstep {
namespace {

template <class Item>
[[nodiscard]] std::vector<std::uint32_t> in_time(const std::vector<Item>& items) {
  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return items[i].step; });
  return order;
}

}  // namespace

/// The parts of every sum that every node has, as time passes.
class PlanMemory::Sums {
 public:
  explicit Sums(PlanMemory& memory) : memory_(memory), plan_(memory.plan_) {}

  void follow() {
    const std::vector<std::uint32_t> transfers = in_time(plan_.list);
    const std::vector<std::uint32_t> additions = in_time(plan_.additions);
    auto sent = transfers.begin();
    auto arrived = transfers.begin();
    auto added = additions.begin();
    for (std::uint32_t step = 0; step <= plan_.steps; ++step) {
      for (; arrived != sent; ++arrived) arrive(*arrived, step);
      for (; added != additions.end() && plan_.additions[*added].step == step; ++added) add(*added);
      for (; sent != transfers.end() && plan_.list[*sent].step == step; ++sent) send(*sent, step);
    }
    expects(sent == transfers.end() && arrived == sent && added == additions.end(),
            "all is done within the steps of the plan");
    deliver();
  }

 private:
  /// A sum at a node.
  [[nodiscard]] std::uint64_t key(std::uint32_t node, std::uint32_t destination,
                                  std::uint32_t part) {
    constexpr unsigned half = 32;
    const auto name = (std::uint64_t{destination} << half) | part;
    const auto [at, is_new] = sums_.try_emplace(name, sums_.size());
    return at->second * plan_.nodes() + node;
  }
  [[nodiscard]] bool contributes(std::uint32_t node, std::uint32_t destination) const {
    if (node >= memory_.network_.processor_count()) return false;
    if (destination == everyone) return true;
    if (destination >= plan_.nodes()) return destination == alone(plan_.nodes(), node);
    return memory_.operation_ != Operation::scan || node <= destination;
  }
  [[nodiscard]] std::uint32_t made(std::uint32_t node, std::uint32_t destination,
                                   std::uint32_t part, std::uint32_t step) {
    memory_.names_.push_back({everyone, destination, part});
    return memory_.new_holding(node, step);
  }
  /// The part of the sum that the node has; its own contribution if it has nothing yet; none if it
  /// does not contribute.
  [[nodiscard]] std::uint32_t current(std::uint32_t node, std::uint32_t destination,
                                      std::uint32_t part, std::uint32_t step) {
    const std::uint64_t place = key(node, destination, part);
    if (const auto known = at_.find(place); known != at_.end()) return known->second;
    if (!contributes(node, destination)) return no_slot;
    const std::uint32_t own = made(node, destination, part, step);
    memory_.holdings_[own].is_own = true;
    at_[place] = own;
    return own;
  }
  /// The sum after an arrival or an addition.
  [[nodiscard]] std::uint32_t altered(std::uint32_t node, std::uint32_t destination,
                                      std::uint32_t part, std::uint32_t step, Combine combine) {
    std::uint32_t before = no_slot;
    if (combine != Combine::none) before = current(node, destination, part, step);
    if (before != no_slot) {
      const Holding& held = memory_.holdings_[before];
      const bool is_of_now = held.since == step && !held.is_own;
      if (is_of_now && held.uses_left == 0) return before;  // altered again in the same step
    }
    const std::uint32_t sum = made(node, destination, part, step);
    if (before != no_slot) {
      memory_.holdings_[sum].sum_of = before;
      memory_.holdings_[before].is_continued = true;
    }
    at_[key(node, destination, part)] = sum;
    return sum;
  }

  void send(std::uint32_t i, std::uint32_t step) {
    const Transfer& transfer = plan_.list[i];
    expects(transfer.source == everyone && transfer.part < plan_.parts,
            "reductions move sums, and only they");
    const std::uint32_t sum = current(transfer.from, transfer.destination, transfer.part, step);
    expects(sum != no_slot, "a node sends a sum that it has");
    memory_.sent_from_[i] = sum;
    ++memory_.holdings_[sum].uses_left;
    memory_.holdings_[sum].last_sent = step;
  }
  void arrive(std::uint32_t i, std::uint32_t step) {
    const Transfer& transfer = plan_.list[i];
    memory_.kept_in_[i] =
        altered(transfer.to, transfer.destination, transfer.part, step, transfer.combine);
  }
  void add(std::uint32_t i) {
    const Addition& addition = plan_.additions[i];
    const std::uint32_t what = current(addition.node, addition.what, addition.part, addition.step);
    expects(what != no_slot, "a node adds a sum that it has");
    ++memory_.holdings_[what].uses_left;
    const std::uint32_t into =
        altered(addition.node, addition.into, addition.part, addition.step, addition.combine);
    memory_.additions_.push_back({.number = i, .what = what, .into = into});
  }

  /// The sums of processors at the end are results. Where nothing came, the own contribution is.
  void deliver() {
    const std::uint64_t processors = memory_.network_.processor_count();
    std::vector<bool> has_result(processors);
    for (const auto& [place, holding] : at_) {
      Holding& held = memory_.holdings_[holding];
      const std::uint32_t destination = memory_.names_[holding].destination;
      const bool is_result = destination == everyone || destination == held.node;
      if (!is_result || held.is_own || held.node >= processors) continue;
      held.delivered = true;
      has_result[held.node] = true;
    }
    if (memory_.operation_ == Operation::reduce && plan_.nodes() > 1) return;
    for (const std::uint32_t u : plan_.representatives)
      if (u < processors && !has_result[u]) memory_.own_results_.push_back({u, u});
  }

  PlanMemory& memory_;
  const Transfers& plan_;
  std::unordered_map<std::uint64_t, std::uint64_t> sums_;  // number of a sum
  std::unordered_map<std::uint64_t, std::uint32_t> at_;    // holding of a sum at a node
};

void PlanMemory::find_sums() {
  operands_.assign(plan_.list.size(), no_slot);
  Sums(*this).follow();
  sort_additions();
}

void PlanMemory::sort_additions() {
  if (additions_.empty()) return;
  const auto node = [&](const SlotAddition& addition) {
    return plan_.additions[addition.number].node;
  };
  std::ranges::stable_sort(additions_, {}, node);
  additions_begin_.assign(plan_.nodes() + 1, 0);
  for (const SlotAddition& addition : additions_) ++additions_begin_[node(addition) + 1];
  std::partial_sum(additions_begin_.begin(), additions_begin_.end(), additions_begin_.begin());
}

}  // namespace lockstep
