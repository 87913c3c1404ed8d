// SPDX-License-Identifier: Apache-2.0
#include "program/plan/plan_memory.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "lockstep/core/expects.hpp"

namespace lockstep {

PlanMemory::PlanMemory(const Transfers& plan, const ErasedTopology& network, Operation operation)
    : plan_(plan), network_(network), operation_(operation) {
  expects(!has_sums() || plan.representatives.size() == plan.nodes() ||
              (plan.representatives.size() == 1 && operation == Operation::reduce_scatter),
          "in a plan of sums every node is a class, or all are one whose sums have destinations");
  expects(plan.parts == 1 || plan.by_node() || plan.representatives.size() == 1,
          "blocks in parts: every node is a class, or all are one");
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
  holdings_.reserve(plan_.list.size() + plan_.additions.size() + plan_.representatives.size());
  if (has_sums()) {
    names_.reserve(holdings_.capacity());
    return find_sums();
  }
  at_.resize(plan_.nodes());
  std::size_t first = 0;
  const Transfer* before = nullptr;
  for (const std::uint32_t i : in_order(plan_.list, [](const Transfer& t) { return t.block(); })) {
    const Transfer& transfer = plan_.list[i];
    if (before != nullptr && before->block() != transfer.block()) first = holdings_.size();
    expects(transfer.source != everyone && transfer.part < plan_.parts,
            "reductions move sums, and only they");
    before = &transfer;
    hold_block(i, first);
  }
}

/// A block on a path is at one node at a time; one for everyone stays where it has been.
void PlanMemory::hold_block(std::uint32_t i, std::size_t first) {
  const Transfer& transfer = plan_.list[i];
  const bool spreads = transfer.destination == everyone;
  if (first == holdings_.size()) {
    expects(transfer.from == plan_.maker(transfer.source), "a block begins at its source");
    at_[transfer.from] = new_holding(transfer.from, transfer.step);
    holdings_.back().is_own = true;
  } else {
    expects(spreads || holdings_.back().node == transfer.from, "a block moves along a path");
  }
  expects(is_at(transfer.from, first) && holdings_[at_[transfer.from]].since <= transfer.step,
          "a node sends what it has received before");
  expects(!spreads || !is_at(transfer.to, first), "a node receives a block once");
  sent_from_[i] = at_[transfer.from];
  ++holdings_[sent_from_[i]].uses_left;
  kept_in_[i] = at_[transfer.to] = new_holding(transfer.to, transfer.step + 1);
  if (plan_.parts > 1)
    names_.resize(holdings_.size(), {transfer.source, transfer.destination, transfer.part});
  holdings_[kept_in_[i]].delivered =
      spreads ? transfer.to < network_.processor_count() : transfer.to == transfer.destination;
}

std::uint64_t PlanMemory::deliveries() const {
  const auto there =
      static_cast<std::uint64_t>(std::ranges::count(holdings_, true, &Holding::delivered));
  return (there / plan_.parts + own_results_.size()) *
         (plan_.nodes() / plan_.representatives.size());
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
  const auto add = [&](std::uint32_t i, bool sends) {
    const Transfer& transfer = plan_.list[i];
    const auto through = static_cast<std::uint32_t>(index(ports_[i]));
    if (sends) {
      ends_[at[plan_.class_of[transfer.from]]++] = {transfer.step, through, 2 * i + 1};
      return;
    }
    const auto into = by_node ? static_cast<std::uint32_t>(
                                    index(network_.reverse_port(NodeId{transfer.from}, ports_[i])))
                              : through;
    ends_[at[plan_.class_of[transfer.to]]++] = {transfer.step + 1, into, 2 * i};
  };
  // Step by step, arrivals first: then only the messages of a node and step are to be sorted.
  const std::vector<std::uint32_t> order = in_order(plan_.list);
  for (auto sent = order.begin(), arrived = sent; arrived != order.end();) {
    const auto step_of = [&](auto one) { return plan_.list[*one].step; };
    const bool is_arrival = sent == order.end() || step_of(arrived) < step_of(sent);
    add(is_arrival ? *arrived++ : *sent++, !is_arrival);
  }
  const auto time = [](const TransferEnd& end) { return std::pair(end.step, end.sends()); };
  for (std::uint64_t c = 0; c < classes; ++c) {
    const auto end = ends_.begin() + static_cast<std::ptrdiff_t>(begin_[c + 1]);
    for (auto first = ends_.begin() + static_cast<std::ptrdiff_t>(begin_[c]); first != end;) {
      const auto last = std::find_if(
          first, end, [&](const TransferEnd& one) { return time(one) != time(*first); });
      std::ranges::sort(first, last, {},
                        [](const TransferEnd& one) { return std::pair(one.port, one.transfer); });
      first = last;
    }
  }
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

  void add(SlotAddition& addition) {
    const std::uint32_t step = memory_.plan_.additions[addition.number].step;
    Holding& what = memory_.holdings_[addition.what];
    if (what.slot == no_slot) addition.loads_what = load(what);
    const Operand operand = add_to(memory_.holdings_[addition.into], step);
    addition.operand = operand.slot;
    addition.loads_operand = operand.is_loaded;
    use(what);
  }
  [[nodiscard]] std::uint32_t scratch() const noexcept { return pool_.size(); }
  [[nodiscard]] std::uint32_t size() const noexcept { return pool_.size() + most_mixed_; }
  [[nodiscard]] std::uint32_t acquire_own_result() {
    return pool_.acquire_new(memory_.plan_.parts);
  }

  void receive(PlannedMessage message) {
    const auto goes_on = [&](const TransferEnd& end) {
      const Holding& kept = memory_.holding(end);
      return kept.uses_left != 0 || !kept.delivered || memory_.has_sums() || in_parts();
    };
    if (std::ranges::none_of(message, goes_on)) return;
    for (const TransferEnd& end : message) {
      if (!memory_.has_sums()) {
        kept_of(end).slot = kept_slot(kept_of(end));
        continue;
      }
      const Operand operand = add_to(kept_of(end), end.step);
      memory_.operands_[end.number()] = operand.slot;
      memory_.loaded_[end.transfer] = operand.is_loaded;
    }
    for (const TransferEnd& end : message)
      if (!goes_on(end)) pool_.release_delivered(kept_of(end).slot);
    if (memory_.is_mixed(message))
      most_mixed_ = std::max(most_mixed_, static_cast<std::uint32_t>(message.size()));
  }

  void send(PlannedMessage message) {
    for (const TransferEnd& end : message) {
      Holding& held = memory_.holdings_[memory_.sent_from_[end.number()]];
      if (held.slot == no_slot) memory_.loaded_[end.transfer] = load(held);
      use(held);
    }
  }

 private:
  [[nodiscard]] bool in_parts() const noexcept { return memory_.plan_.parts > 1; }
  [[nodiscard]] Holding& kept_of(const TransferEnd& end) {
    return memory_.holdings_[memory_.kept_in_[end.number()]];
  }

  /// Whether the block has to be loaded: its parts are loaded together.
  [[nodiscard]] bool load(Holding& own) {
    bool is_new = true;
    own.slot = in_parts() ? part_of(own_, own, is_new) : pool_.acquire();
    return is_new;
  }
  [[nodiscard]] std::uint32_t kept_slot(const Holding& kept) {
    bool is_new = false;
    return in_parts() && kept.delivered ? part_of(results_, kept, is_new) : pool_.acquire();
  }
  /// The slot of what a sum was before something is added to it; no_slot: there was nothing.
  struct Operand {
    std::uint32_t slot = no_slot;
    bool is_loaded = false;  ///< from the host, now
  };
  [[nodiscard]] Operand add_to(Holding& kept, std::uint32_t step) {
    if (kept.slot != no_slot) return {kept.slot};  // a further one of the same step
    if (kept.sum_of == no_slot) {
      kept.slot = kept_slot(kept);
      return {};
    }
    Holding& before = memory_.holdings_[kept.sum_of];
    const bool is_loaded = before.slot == no_slot && load(before);
    const Operand operand{before.slot, is_loaded};
    continue_in(before, kept, step);
    return operand;
  }
  /// A slot that the receiver of the step before still reads is not altered.
  void continue_in(Holding& before, Holding& kept, std::uint32_t step) {
    const bool is_read = before.last_sent != no_slot && before.last_sent + 1 >= step;
    const bool is_used = before.uses_left != 0;  // added to others in this step
    if (!is_read && !is_used && !(in_parts() && kept.delivered)) {
      kept.slot = before.slot;
      return;
    }
    kept.slot = kept_slot(kept);
    before.is_continued = false;
    if (!is_used) release(before);
  }
  void use(Holding& held) {
    if (--held.uses_left == 0 && !held.is_continued && !(held.delivered && memory_.has_sums()))
      release(held);
  }
  /// Whole blocks keep their slots.
  void release(const Holding& held) {
    if (!in_parts() || (!held.is_own && !held.delivered)) pool_.release_sent(held.slot);
  }

  using Wholes = std::unordered_map<std::uint64_t, std::uint32_t>;
  [[nodiscard]] std::uint32_t part_of(Wholes& wholes, const Holding& held, bool& is_new) {
    const auto& [source, destination, part] =
        memory_.names_[static_cast<std::size_t>(&held - memory_.holdings_.data())];
    // By nodes, blocks differ by their sources; of one class, by the nodes at which they are.
    const std::uint64_t block = memory_.plan_.by_node() ? source : held.node;
    constexpr unsigned half = 32;
    const auto [at, added] = wholes.try_emplace((block << half) | destination, 0);
    if (added) at->second = pool_.acquire_new(memory_.plan_.parts);
    is_new = added;
    return at->second + part;
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
    std::uint32_t now = 0;
    const auto advance = [&](std::uint32_t step) {
      // A slot that was sent in a step is free two steps later.
      for (std::uint32_t i = std::min(step - now, 2U); i > 0; --i) slots.begin_step();
      now = step;
    };
    if (own != own_results_.end() && own->node == plan_.representatives[c])
      (own++)->slot = slots.acquire_own_result();
    for_each_event(
        c,
        [&](PlannedMessage message) {
          advance(message.front().step);
          message.front().sends() ? slots.send(message) : slots.receive(message);
        },
        [&](const SlotAddition& addition) {
          advance(plan_.additions[addition.number].step);
          slots.add(additions_[static_cast<std::size_t>(&addition - additions_.data())]);
        });
    scratch_.push_back(slots.scratch());
    sizes_.push_back(slots.size());
  }
}

}  // namespace lockstep
