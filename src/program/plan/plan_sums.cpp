// SPDX-License-Identifier: Apache-2.0

/// The holdings of sums: part by part, in the order of time, what arrives, what is added, what is
/// sent.

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "program/plan/plan_memory.hpp"

namespace lockstep {
namespace {

/// Numbers of transfers or additions, part by part, each in the order of time.
class ByPart {
 public:
  template <class Item>
  ByPart(const std::vector<Item>& items, std::uint32_t parts)
      : numbers_(items.size()), begin_(parts + std::size_t{1}) {
    for (const Item& item : items) {
      expects(item.part < parts, "a part of the block");
      ++begin_[item.part + std::size_t{1}];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (const std::uint32_t i : in_order(items)) numbers_[next[items[i].part]++] = i;
  }

  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t part) const {
    return std::span(numbers_).subspan(begin_[part], begin_[part + 1] - begin_[part]);
  }

 private:
  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> begin_;
};

}  // namespace

/// The parts of every sum that every node has, as time passes.
class PlanMemory::Sums {
 public:
  explicit Sums(PlanMemory& memory) : memory_(memory), plan_(memory.plan_) {}

  void follow() {
    const ByPart transfers(plan_.list, plan_.parts);
    const ByPart additions(plan_.additions, plan_.parts);
    has_result_.resize(memory_.network_.processor_count());
    for (std::uint32_t part = 0; part < plan_.parts; ++part) {
      follow(transfers.of(part), additions.of(part));
      deliver();
    }
    if (memory_.operation_ == Operation::reduce && memory_.network_.processor_count() > 1) return;
    for (const std::uint32_t u : plan_.representatives)
      if (u < has_result_.size() && !has_result_[u]) memory_.own_results_.push_back({u, u});
  }

 private:
  /// The holdings of one part, by node and sum: a hash table of open addresses, which is emptied
  /// for each part.
  class HoldingTable {
   public:
    void begin(std::size_t most) { entries_.assign(std::bit_ceil(most + most / 2 + 1), Entry{}); }
    /// no_slot where there is none yet.
    [[nodiscard]] std::uint32_t& of(std::uint32_t node, std::uint32_t destination) {
      constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;  // 2^64 / golden ratio
      constexpr unsigned half = 32;
      const std::uint64_t hash = ((std::uint64_t{destination} << half) | node) * odd;
      for (std::size_t i = hash >> half;; ++i) {
        Entry& entry = entries_[i & (entries_.size() - 1)];
        if (entry.node == no_slot) entry = {node, destination, no_slot};
        if (entry.node == node && entry.destination == destination) return entry.holding;
      }
    }
    template <class Visit>
    void for_each(const Visit& visit) const {
      for (const Entry& entry : entries_)
        if (entry.node != no_slot && entry.holding != no_slot) visit(entry.holding);
    }

   private:
    struct Entry {
      std::uint32_t node = no_slot;
      std::uint32_t destination = 0;
      std::uint32_t holding = no_slot;
    };
    std::vector<Entry> entries_;
  };

  void follow(std::span<const std::uint32_t> transfers, std::span<const std::uint32_t> additions) {
    at_.begin(2 * (transfers.size() + additions.size()));
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
    std::uint32_t& known = at_.of(node, destination);
    if (known != no_slot || !contributes(node, destination)) return known;
    known = made(node, destination, part, step);
    memory_.holdings_[known].is_own = true;
    return known;
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
    at_.of(node, destination) = sum;
    return sum;
  }

  void send(std::uint32_t i, std::uint32_t step) {
    const Transfer& transfer = plan_.list[i];
    expects(transfer.source == everyone, "reductions move sums, and only they");
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
    at_.for_each([this](std::uint32_t holding) {
      Holding& held = memory_.holdings_[holding];
      const std::uint32_t destination = memory_.names_[holding].destination;
      const bool is_result = destination == everyone || destination == held.node;
      if (!is_result || held.is_own || held.node >= has_result_.size()) return;
      held.delivered = true;
      has_result_[held.node] = true;
    });
  }

  PlanMemory& memory_;
  const Transfers& plan_;
  HoldingTable at_;
  std::vector<bool> has_result_;  // of processors
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
  std::ranges::sort(additions_, {}, [&](const SlotAddition& addition) {
    return std::tuple(node(addition), plan_.additions[addition.number].step, addition.number);
  });
  additions_begin_.assign(plan_.nodes() + 1, 0);
  for (const SlotAddition& addition : additions_) ++additions_begin_[node(addition) + 1];
  std::partial_sum(additions_begin_.begin(), additions_begin_.end(), additions_begin_.begin());
}

}  // namespace lockstep
