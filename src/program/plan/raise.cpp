// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/plan/raise.hpp"

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/invalid.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/program/plan/check_transfers.hpp"
#include "lockstep/program/schedule_program.hpp"

namespace lockstep {
namespace {

/// The contents of a slot: a block, or a part of a sum.
struct Held {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint16_t part = 0;
};
using Message = std::vector<std::optional<Held>>;

/// Follows the turns of all nodes, as a machine would, and writes down what moves. It is the view
/// that the program of the schedule is handed.
class Raiser {
 public:
  Raiser(const Schedule& schedule, const ErasedTopology& network, Operation operation,
         std::uint32_t parts)
      : network_(network),
        operation_(operation),
        sums_(is_reduction(operation)),
        plan_(every_node_a_class(network.node_count())),
        slots_(network.node_count()),
        turns_(network.node_count()) {
    plan_.parts = parts;
    plan_.steps = schedule.step_count();
    std::uint32_t slots = 0;
    for (const std::uint32_t blocks : schedule.regions()) {
      first_slot_.push_back(slots);
      slots += blocks;
    }
    for (Message& own : slots_) own.resize(slots);
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      first_arc_.push_back(first_arc_.back() + network.degree(NodeId{u}));
    if (sums_ && (first_arc_.back() + 1) * slots >= everyone - 2 * network.node_count())
      throw invalid("raise: the schedule on {} is too large", network.name());
  }

  void run(const ScheduleProgram& program) {
    for (step_ = 0; step_ <= plan_.steps; ++step_) {
      arrivals_ = std::exchange(sent_, {});
      for (const std::uint32_t node : program.plan().nodes_in(step_)) {
        node_ = node;
        program_ = &program;
        program(*this);
      }
    }
  }
  [[nodiscard]] Transfers plan() && { return std::move(plan_); }

  // The view.

  [[nodiscard]] NodeId node() const { return NodeId{node_}; }
  [[nodiscard]] std::uint64_t step() const { return step_; }
  [[nodiscard]] ScheduleProgram::Memory& memory() { return turns_[node_]; }

  /// The first sum of a message is sum `name` of the receiver.
  struct Arrival {
    const Message* blocks = nullptr;
    std::uint32_t name = 0;
  };
  [[nodiscard]] Arrival take(Port through) {
    const auto found = arrivals_.find({node_, through});
    if (found == arrivals_.end()) refuse("a node takes a message that did not arrive");
    return {&found->second, message_name(node_, through, 0)};
  }

  void store(const Arrival& arrival, Blocks into) { store(arrival, into.region, slots_of(into)); }
  void store(const Arrival& arrival, Region region, std::span<const std::uint32_t> slots) {
    for (std::uint32_t i = 0; i < slots.size(); ++i)
      put(arrival, i, slot_of(region, slots[i]), Combine::none);
  }
  void combine(const Arrival& arrival, Blocks own, Blocks into, Operands order) {
    for (std::uint32_t i = 0; i < into.count; ++i) {
      const std::uint32_t target = slot_of(into.region, into.first + i);
      move(slot_of(own.region, own.first + i), target);
      put(arrival, i, target, order_of(order));
    }
  }
  void combine(const Arrival& arrival, Region region, std::span<const std::uint32_t> slots,
               Operands order) {
    for (std::uint32_t i = 0; i < slots.size(); ++i)
      put(arrival, i, slot_of(region, slots[i]), order_of(order));
  }
  void combine(Blocks left, Blocks right, Blocks into) {
    for (std::uint32_t i = 0; i < into.count; ++i) {
      const std::uint32_t target = slot_of(into.region, into.first + i);
      const std::uint32_t second = slot_of(right.region, right.first + i);
      if (second == target) {
        add(second, slot_name(slot_of(left.region, left.first + i)), slot_name(target),
            Combine::before);
        continue;
      }
      move(slot_of(left.region, left.first + i), target);
      add(second, slot_name(second), slot_name(target), Combine::behind);
    }
  }
  void copy(Blocks from, Blocks into) {
    for (std::uint32_t i = 0; i < into.count; ++i)
      move(slot_of(from.region, from.first + i), slot_of(into.region, into.first + i));
  }
  void load(Region region, std::uint32_t first, NodeId destination) {
    for (std::uint32_t part = 0; part < plan_.parts; ++part)
      load_part(slot_of(region, first + part), static_cast<std::uint32_t>(index(destination)),
                static_cast<std::uint16_t>(part));
  }
  void load(Region region, std::uint32_t first, Origin origin, NodeId destination) {
    if (index(origin) != node_) refuse("a node loads a block that another one makes");
    load(region, first, destination);
  }
  void deliver(const Arrival& arrival, std::uint32_t i, Origin) {
    if (!sums_) return;
    const std::optional<Held>& held = block_of(arrival, i);
    plan_.additions.push_back({now(), node_, arrival.name + i, node_, held->part, Combine::none});
  }
  void deliver(Region region, std::uint32_t first, Origin) {
    for (std::uint32_t part = 0; sums_ && part < plan_.parts; ++part) {
      const std::uint32_t slot = slot_of(region, first + part);
      add(slot, slot_name(slot), node_, Combine::none);
    }
  }
  void send(Port through, Blocks blocks) { send(through, blocks.region, slots_of(blocks)); }
  void send(Port through, Region region, GatherList list) {
    send(through, region, program_->gather_list(list));
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw invalid("raise: node {}, step {} on {}: {}", node_, step_, network_.name(), why);
  }
  [[nodiscard]] std::uint32_t now() const { return static_cast<std::uint32_t>(step_); }
  [[nodiscard]] static Combine order_of(Operands order) {
    return order == Operands::own_first ? Combine::behind : Combine::before;
  }

  // Sums have the names of places: of slots, and of the blocks of the message over an arc.
  [[nodiscard]] std::uint32_t slot_of(Region region, std::uint32_t slot) const {
    return first_slot_[index(region)] + slot;
  }
  [[nodiscard]] std::uint32_t slot_name(std::uint32_t slot) const {
    return auxiliary(plan_.nodes(), slot);
  }
  /// The arc that ends at this port.
  [[nodiscard]] std::uint32_t message_name(std::uint32_t to, Port into, std::uint32_t block) const {
    const std::uint64_t slots = slots_.front().size();
    return auxiliary(plan_.nodes(), slots * (1 + first_arc_[to] + index(into)) + block);
  }

  [[nodiscard]] std::optional<Held>& held_in(std::uint32_t slot) {
    std::optional<Held>& held = slots_[node_][slot];
    if (!held) refuse("a slot is used that holds nothing");
    return held;
  }
  [[nodiscard]] const std::optional<Held>& block_of(const Arrival& arrival, std::uint32_t i) const {
    if (i >= arrival.blocks->size()) refuse("a message is shorter than what is taken of it");
    return (*arrival.blocks)[i];
  }
  void add(std::uint32_t slot, std::uint32_t what, std::uint32_t into, Combine combine) {
    plan_.additions.push_back({now(), node_, what, into, held_in(slot)->part, combine});
  }
  /// A block of a message into a slot, or added to it.
  void put(const Arrival& arrival, std::uint32_t i, std::uint32_t slot, Combine combine) {
    const std::optional<Held>& held = block_of(arrival, i);
    if (combine == Combine::none)
      slots_[node_][slot] = held;
    else if (!sums_)
      refuse("blocks are combined in an operation that adds nothing");
    if (sums_)
      plan_.additions.push_back(
          {now(), node_, arrival.name + i, slot_name(slot), held->part, combine});
  }
  void move(std::uint32_t from, std::uint32_t into) {
    if (from == into) return;
    slots_[node_][into] = held_in(from);
    if (sums_) add(into, slot_name(from), slot_name(into), Combine::none);
  }
  void load_part(std::uint32_t slot, std::uint32_t destination, std::uint16_t part) {
    const bool spreads = operation_ == Operation::broadcast || operation_ == Operation::all_gather;
    if (sums_) {
      slots_[node_][slot] = Held{everyone, slot_name(slot), part};
      const std::uint32_t own = operation_ == Operation::reduce_scatter ? destination : everyone;
      return add(slot, own, slot_name(slot), Combine::none);
    }
    slots_[node_][slot] = Held{node_, spreads ? everyone : destination, part};
  }

  void send(Port through, Region region, std::span<const std::uint32_t> slots) {
    const auto to = static_cast<std::uint32_t>(index(network_.neighbor(NodeId{node_}, through)));
    const Port into = network_.reverse_port(NodeId{node_}, through);
    Message& message = sent_[{to, into}];
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
      const std::uint32_t slot = slot_of(region, slots[i]);
      const Held held = *held_in(slot);
      message.push_back(held);
      Transfer transfer{.source = held.source,
                        .destination = held.destination,
                        .from = node_,
                        .to = to,
                        .port = through,
                        .part = held.part};
      if (sums_) {
        transfer.destination = message_name(to, into, i);
        add(slot, slot_name(slot), transfer.destination, Combine::none);
      }
      transfer.step = now();
      plan_.list.push_back(transfer);
    }
  }

  const ErasedTopology& network_;
  Operation operation_;
  bool sums_;
  Transfers plan_;
  std::vector<std::uint32_t> first_slot_;    // of regions
  std::vector<std::uint64_t> first_arc_{0};  // of nodes
  std::vector<Message> slots_;               // by node
  std::vector<ScheduleProgram::Memory> turns_;
  std::map<std::pair<std::uint32_t, Port>, Message> arrivals_;  // by receiver
  std::map<std::pair<std::uint32_t, Port>, Message> sent_;
  const ScheduleProgram* program_ = nullptr;
  std::uint32_t node_ = 0;
  std::uint64_t step_ = 0;
};

}  // namespace

Transfers raised(const Schedule& schedule, const ErasedTopology& network, Operation operation,
                 std::uint32_t parts) {
  if (operation == Operation::many_to_all)
    throw InvalidParameter("raise: blocks of a many-to-all have other homes than their makers");
  if (schedule.takes_routes() || !schedule.control_regions().empty())
    throw InvalidParameter("raise: routes and control words are no transfers");
  // The program shares the schedule, which is only looked at.
  const ScheduleProgram program(
      std::shared_ptr<const Schedule>(std::shared_ptr<const void>(), &schedule));
  Raiser raiser(schedule, network, operation, parts);
  raiser.run(program);
  Transfers plan = std::move(raiser).plan();
  check_transfers(plan, network, operation);
  return plan;
}

}  // namespace lockstep
