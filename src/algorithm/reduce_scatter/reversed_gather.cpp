// SPDX-License-Identifier: Apache-2.0
#include "algorithm/reduce_scatter/reversed_gather.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "lockstep/core/expects.hpp"

namespace lockstep {
namespace {

using Sources = std::vector<NodeId>;  // seen from the processor that has the blocks

/// What every processor sends through a port in a step.
struct Sent {
  std::uint64_t step;
  Port through;
  Sources at_sender;
  Sources at_receiver;
};

/// Follows the blocks of an all-gather, as the identity sees them.
class Followed {
 public:
  Followed(const AnyCayley& group, const NodeInvariantSchedule& gather)
      : group_(group), gather_(gather) {
    for (const std::uint32_t blocks : gather.regions()) regions_.emplace_back(blocks);
    for (std::uint64_t step = 0; step <= gather.step_count(); ++step)
      for (const Action& action : gather.actions(step)) follow(action, step);
  }

  [[nodiscard]] const std::vector<Sent>& messages() const noexcept { return sent_; }

 private:
  void follow(const Action& action, std::uint64_t step) {
    switch (action.kind) {
      case Action::Kind::load:
        return put(slots_of(action.blocks), Sources(action.blocks.count, group_.identity()));
      case Action::Kind::send:
        return send(step, action.port, slots_of(action.blocks));
      case Action::Kind::send_list:
        return send(step, action.port, slots_of_list(action));
      case Action::Kind::take_store:
        return put(slots_of(action.blocks), taken(action, step).at_receiver);
      case Action::Kind::take_scatter:
        return put(slots_of_list(action), taken(action, step).at_receiver);
      default:
        return;
    }
  }

  [[nodiscard]] std::vector<NodeId*> slots_of(const Blocks& blocks) {
    std::vector<NodeId*> slots;
    for (std::uint32_t i = 0; i < blocks.count; ++i)
      slots.push_back(&regions_[index(blocks.region)].at(blocks.first + i));
    return slots;
  }
  [[nodiscard]] std::vector<NodeId*> slots_of_list(const Action& action) {
    std::vector<NodeId*> slots;
    for (const std::uint32_t slot : gather_.list(static_cast<GatherList>(action.element_or_list)))
      slots.push_back(&regions_[index(action.blocks.region)].at(slot));
    return slots;
  }
  static void put(const std::vector<NodeId*>& slots, const Sources& sources) {
    expects(slots.size() == sources.size(), "a message is stored whole");
    for (std::size_t i = 0; i < slots.size(); ++i) *slots[i] = sources[i];
  }

  /// The neighbour is one move away: it sees each source from there.
  void send(std::uint64_t step, Port through, const std::vector<NodeId*>& slots) {
    const NodeId back = group_.inverse(group_.neighbor(group_.identity(), through));
    Sent message{step, through, {}, {}};
    for (const NodeId* const source : slots) {
      message.at_sender.push_back(*source);
      message.at_receiver.push_back(group_.product(back, *source));
    }
    sent_.push_back(std::move(message));
  }
  [[nodiscard]] const Sent& taken(const Action& action, std::uint64_t step) const {
    const auto found = std::find_if(sent_.rbegin(), sent_.rend(), [&](const Sent& message) {
      return message.step + 1 == step &&
             group_.reverse_port(group_.identity(), message.through) == action.port;
    });
    expects(found != sent_.rend(), "what is taken was sent");
    return *found;
  }

  const AnyCayley& group_;
  const NodeInvariantSchedule& gather_;
  std::vector<Sources> regions_;  // whose block each slot holds
  std::vector<Sent> sent_;
};

/// Slots for what is for each processor: those of a message lie together where it is sent.
class Slots {
 public:
  Slots(const AnyCayley& group, const std::vector<Sent>& gathered)
      : slot_of_(group.node_count(), none) {
    add(group.identity());
    for (const Sent& message : gathered)
      for (const NodeId source : message.at_receiver) add(source);
    expects(order_.size() == slot_of_.size(), "every block comes to every processor");
  }

  [[nodiscard]] const Sources& order() const noexcept { return order_; }
  [[nodiscard]] std::vector<std::uint32_t> of(const Sources& sources) const {
    std::vector<std::uint32_t> slots;
    for (const NodeId source : sources) slots.push_back(slot_of_[index(source)]);
    return slots;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  void add(NodeId source) {
    expects(slot_of_[index(source)] == none, "no block comes to a processor twice");
    slot_of_[index(source)] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(source);
  }

  std::vector<std::uint32_t> slot_of_;
  Sources order_;
};

[[nodiscard]] bool consecutive(const std::vector<std::uint32_t>& slots) {
  return std::adjacent_find(slots.begin(), slots.end(), [](std::uint32_t a, std::uint32_t b) {
           return b != a + 1;
         }) == slots.end();
}

}  // namespace

NodeInvariantSchedule reversed_gather(const AnyCayley& group, const NodeInvariantSchedule& gather) {
  const Followed followed(group, gather);
  const Slots slots(group, followed.messages());
  NodeInvariantSchedule schedule(group);
  const auto count = static_cast<std::uint32_t>(slots.order().size());
  const Region memory = schedule.add_region(count);
  const Elements all = schedule.add_elements(slots.order());
  const Elements me{all.first, 1};
  schedule.load({memory, 0, count}, me, all);
  std::uint64_t left = gather.step_count();
  std::vector<const Sent*> before;  // in the step before
  const auto take_all = [&] {
    for (const Sent* const message : std::exchange(before, {})) {
      const Port through = group.reverse_port(group.identity(), message->through);
      const std::vector<std::uint32_t> places = slots.of(message->at_sender);
      if (consecutive(places))
        schedule.take_combine(through,
                              {memory, places.front(), static_cast<std::uint32_t>(places.size())});
      else
        schedule.take_combine(through, memory, schedule.add_list(places));
    }
  };
  auto message = followed.messages().rbegin();
  while (left-- > 0) {
    take_all();
    for (; message != followed.messages().rend() && message->step == left; ++message) {
      const std::vector<std::uint32_t> places = slots.of(message->at_receiver);
      expects(consecutive(places), "blocks that come together lie together");
      schedule.send(group.reverse_port(group.identity(), message->through),
                    {memory, places.front(), static_cast<std::uint32_t>(places.size())});
      before.push_back(&*message);
    }
    schedule.next_step();
  }
  take_all();
  schedule.deliver({memory, 0, 1}, me);
  return schedule;
}

}  // namespace lockstep
