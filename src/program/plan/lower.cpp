// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/plan/lower.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "program/plan/class_writer.hpp"
#include "program/plan/plan_memory.hpp"

namespace lockstep {
namespace {

constexpr Region plan_memory{0};

/// Writes plans of a network in which every node is a class.
class NodeWriter {
 public:
  NodeWriter(const Transfers& plan, const PlanMemory& memory, Operation operation)
      : plan_(plan),
        memory_(memory),
        operation_(operation),
        schedule_(plan.nodes(), {*std::ranges::max_element(memory.sizes())}) {}

  [[nodiscard]] Schedule written() && {
    for (std::uint64_t u = 0; u < plan_.nodes(); ++u) write(u);
    schedule_.close(plan_.steps);
    return std::move(schedule_);
  }

 private:
  using Numbers = std::vector<std::uint32_t>;

  void write(std::uint64_t u) {
    node_ = NodeId{u};
    schedule_.set_sizes(node_, std::array{memory_.sizes()[u]});
    step_ = everyone;
    parts_there_.clear();
    deliver_own();
    memory_.for_each_event(
        u,
        [&](PlannedMessage message) {
          const TransferEnd& end = message.front();
          if (end.step != step_ || end.sends()) deliver_altered();
          at(end.step);
          end.sends() ? send(message) : receive(message);
        },
        [&](const SlotAddition& addition) {
          const std::uint32_t step = plan_.additions[addition.number].step;
          if (step != step_) deliver_altered();
          at(step);
          add(addition);
        });
    deliver_altered();
  }
  void at(std::uint32_t step) {
    if (std::exchange(step_, step) != step) schedule_.begin_turn(step, node_);
  }

  /// A result to which no other processor contributes.
  void deliver_own() {
    const auto& own =
        std::ranges::lower_bound(memory_.own_results(), index(node_), {}, &OwnResult::node);
    if (own == memory_.own_results().end() || own->node != index(node_)) return;
    at(0);
    schedule_.load(Blocks{plan_memory, own->slot, 1}, NodeId{own->destination});
    schedule_.deliver(Blocks{plan_memory, own->slot, 1}, node_);
  }

  void send(PlannedMessage message) {
    load(message);
    schedule_.send(port(message.front().port), plan_memory, memory_.slots_of(message));
  }

  void receive(PlannedMessage message) {
    const Port through = port(message.front().port);
    if (!memory_.is_stored(message)) {
      Numbers all;
      for (const TransferEnd& one : message) all.push_back(one.number());
      return schedule_.take_deliver(through, 0, origins(all));
    }
    if (memory_.has_sums()) load(message);
    if (memory_.is_mixed(message))
      combine_some(through, message);
    else if (memory_.has_sums() && memory_.operand(message.front()) != no_slot)
      combine(through, message);
    else
      schedule_.take_store(through, plan_memory, memory_.slots_of(message));
    if (memory_.has_sums() || plan_.parts > 1) {
      for (const TransferEnd& end : message) altered_.push_back(memory_.kept_in(end));
      return;
    }
    memory_.for_each_run(
        message, [&](const TransferEnd& one) { return memory_.holding(one).delivered; },
        [&](std::uint32_t first, const Numbers& transfers) {
          schedule_.deliver(plan_memory, first, origins(transfers));
        });
  }

  [[nodiscard]] Operands order(const TransferEnd& end) const {
    return plan_.list[end.number()].combine == Combine::before ? Operands::arrived_first
                                                               : Operands::own_first;
  }
  void combine(Port through, PlannedMessage message) {
    Numbers own;
    for (const TransferEnd& end : message) own.push_back(memory_.operand(end));
    schedule_.take_combine(through, plan_memory, own, memory_.slots_of(message),
                           order(message.front()));
  }
  /// Stores all, then adds.
  void combine_some(Port through, PlannedMessage message) {
    const std::uint32_t first = memory_.scratch(index(node_));
    Numbers slots = memory_.slots_of(message);
    for (std::uint32_t i = 0; i < message.size(); ++i)
      if (memory_.operand(message[i]) != no_slot) slots[i] = first + i;
    schedule_.take_store(through, plan_memory, slots);
    for (std::uint32_t i = 0; i < message.size(); ++i) {
      if (memory_.operand(message[i]) == no_slot) continue;
      Blocks left{plan_memory, memory_.operand(message[i]), 1};
      Blocks right{plan_memory, first + i, 1};
      if (order(message[i]) == Operands::arrived_first) std::swap(left, right);
      schedule_.combine(left, right, {plan_memory, memory_.holding(message[i]).slot, 1});
    }
  }

  void add(const SlotAddition& addition) {
    const Addition& planned = plan_.additions[addition.number];
    const std::uint32_t what = memory_.held(addition.what).slot;
    const Blocks into{plan_memory, memory_.held(addition.into).slot, 1};
    const auto load_own = [&](std::uint32_t slot, std::uint32_t sum) {
      const bool is_for_sum = operation_ == Operation::reduce_scatter && sum < plan_.nodes();
      schedule_.load(Blocks{plan_memory, slot - planned.part, 1}, is_for_sum ? NodeId{sum} : node_);
    };
    if (addition.loads_what) load_own(what, planned.what);
    if (addition.loads_operand) load_own(addition.operand, planned.into);
    Blocks left{plan_memory, addition.operand, 1};
    Blocks right{plan_memory, what, 1};
    if (planned.combine == Combine::before) std::swap(left, right);
    if (addition.operand == no_slot)
      schedule_.copy({plan_memory, what, 1}, into);
    else
      schedule_.combine(left, right, into);
    altered_.push_back(addition.into);
  }

  void load(PlannedMessage message) {
    for (const TransferEnd& end : message)
      if (memory_.is_loaded(end)) load(memory_.loaded_slot(end), plan_.list[end.number()]);
  }
  void load(std::uint32_t slot, const Transfer& transfer) {
    if (plan_.makers.empty())
      schedule_.load(Blocks{plan_memory, slot, 1}, wanted(transfer));
    else
      schedule_.load(plan_memory, SlotNumber{slot},
                     std::array{LoadedBlock{Origin{transfer.source}, node_}});
  }
  /// For whom the host makes the block.
  [[nodiscard]] NodeId wanted(const Transfer& transfer) const {
    const bool own = transfer.destination == everyone ||
                     (memory_.has_sums() && operation_ != Operation::reduce_scatter);
    return own ? node_ : NodeId{transfer.destination};
  }

  /// Results when they are complete; blocks in parts when all parts are there.
  void deliver_altered() {
    std::ranges::sort(altered_);
    altered_.erase(std::unique(altered_.begin(), altered_.end()), altered_.end());
    for (const std::uint32_t holding : altered_) {
      const Holding& held = memory_.held(holding);
      if (!held.delivered) continue;
      const auto& [source, destination, part] = memory_.name(holding);
      const std::uint32_t first = plan_.parts == 1 ? held.slot : held.slot - part;
      if (++parts_there_[first] == plan_.parts)
        schedule_.deliver(Blocks{plan_memory, first, 1},
                          memory_.has_sums() ? Origin{node_} : Origin{source});
    }
    altered_.clear();
  }
  [[nodiscard]] std::vector<Origin> origins(const Numbers& transfers) const {
    std::vector<Origin> all;
    for (const std::uint32_t i : transfers) all.emplace_back(plan_.list[i].source);
    return all;
  }

  const Transfers& plan_;
  const PlanMemory& memory_;
  Operation operation_;
  Schedule schedule_;
  NodeId node_{};
  std::uint32_t step_ = everyone;
  Numbers altered_;                                               // holdings, in this turn
  std::unordered_map<std::uint32_t, std::uint32_t> parts_there_;  // of the block of that slot
};

/// Counts what the plan does, for all nodes.
void count(LoweredPlan& lowered, const Transfers& plan, const PlanMemory& memory) {
  std::vector<std::uint64_t> class_sizes(plan.representatives.size());
  for (const std::uint32_t c : plan.class_of) ++class_sizes[c];
  std::vector<std::uint64_t> largest(plan.steps);
  for (std::uint64_t c = 0; c < class_sizes.size(); ++c)
    memory.for_each_message(c, [&](PlannedMessage message) {
      if (message.front().sends()) {
        lowered.messages += class_sizes[c];
        std::uint64_t& most = largest.at(message.front().step);
        most = std::max<std::uint64_t>(most, message.size());
        return;
      }
      for (const TransferEnd& end : message)
        lowered.deliveries += memory.holding(end).delivered ? class_sizes[c] : 0;
    });
  std::uint64_t times = 0;
  for (const std::uint64_t blocks : largest) {
    lowered.cost.startups += blocks != 0 ? 1 : 0;
    times += blocks;
  }
  lowered.cost.message_times = Fraction(times, plan.parts);
  if (memory.has_sums() || plan.parts > 1) lowered.deliveries = memory.deliveries();
}

}  // namespace

bool is_written_by_node(const Transfers& plan, const ErasedTopology& network, Operation operation) {
  const bool adds_by_node = is_reduction(operation) && operation != Operation::reduce_scatter;
  return plan.by_node() || !network.symmetric() || adds_by_node;
}

LoweredPlan lower(const Transfers& plan, const ErasedTopology& network, Operation operation) {
  const PlanMemory memory(plan, network, operation);
  LoweredPlan lowered;
  count(lowered, plan, memory);
  lowered.slots = memory.sizes();
  if (is_written_by_node(plan, network, operation))
    lowered.schedule = NodeWriter(plan, memory, operation).written();
  else
    lowered.schedule = written_by_class(plan, *network.cayley(), memory);
  return lowered;
}

std::uint64_t lowering_bytes(const Transfers& plan) noexcept {
  constexpr std::uint64_t of_a_transfer = sizeof(Transfer) + sizeof(Port) +
                                          2 * (sizeof(TransferEnd) + sizeof(std::uint32_t)) +
                                          sizeof(Holding) + sizeof(std::uint32_t);
  return plan.list.size() * of_a_transfer + plan.nodes() * sizeof(std::uint32_t);
}

}  // namespace lockstep
