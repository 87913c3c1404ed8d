// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/largest_queue.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace lockstep {
namespace {

/// What one processor holds, while its list of actions is followed.
class Count {
 public:
  template <class Regions>
  Count(const Regions& regions, std::uint64_t own_blocks) : unloaded_(own_blocks) {
    for (const std::uint32_t blocks : regions) {
      slots_.emplace_back(blocks, Slot::free);
      held(Slot::free) += blocks;
    }
    look();
  }

  /// The actions of a step. `list(action)`: the slots of its gather list.
  template <class List>
  void step(std::span<const Action> actions, const List& list) {
    bool sending = false;
    for (const Action& action : actions) {
      if (!sending && is_send(action)) look();
      sending = sending || is_send(action);
      follow(action, list);
    }
    if (!sending) look();
  }

  [[nodiscard]] const QueueFigures& result() const noexcept { return largest_; }

 private:
  enum class Slot : std::uint8_t { free, own, foreign };

  [[nodiscard]] static bool is_send(const Action& action) noexcept {
    return action.kind == Action::Kind::send || action.kind == Action::Kind::send_list;
  }

  [[nodiscard]] std::uint64_t& held(Slot content) noexcept {
    return held_[static_cast<std::size_t>(content)];
  }

  /// The moment between two steps: before the first send.
  void look() noexcept {
    largest_.blocks = std::max(largest_.blocks, unloaded_ + held(Slot::own) + held(Slot::foreign));
    largest_.foreign = std::max(largest_.foreign, held(Slot::foreign));
  }

  void set(Region region, std::uint32_t slot, Slot content) {
    Slot& place = slots_[index(region)][slot];
    --held(place);
    ++held(content);
    place = content;
  }
  void set(const Blocks& blocks, Slot content) {
    for (std::uint32_t i = 0; i < blocks.count; ++i) set(blocks.region, blocks.first + i, content);
  }
  template <class Slots>
  void set(Region region, const Slots& slots, Slot content) {
    for (const std::uint32_t slot : slots) set(region, slot, content);
  }

  template <class List>
  void follow(const Action& action, const List& list) {
    switch (action.kind) {
      case Action::Kind::take_store:
        return set(action.blocks, Slot::foreign);
      case Action::Kind::take_scatter:
        return set(action.blocks.region, list(action), Slot::foreign);
      case Action::Kind::load:
        unloaded_ -= std::min<std::uint64_t>(unloaded_, action.blocks.count);
        return set(action.blocks, Slot::own);
      case Action::Kind::deliver:
      case Action::Kind::send:
        return set(action.blocks, Slot::free);
      case Action::Kind::send_list:
        return set(action.blocks.region, list(action), Slot::free);
      default:
        return;  // keeps what is held
    }
  }

  std::uint64_t unloaded_;
  std::vector<std::vector<Slot>> slots_;
  std::array<std::uint64_t, 3> held_{};  // slots of each content
  QueueFigures largest_;
};

/// The slots of an action of a schedule that has lists.
template <class Lists>
[[nodiscard]] auto lists_of(const Lists& schedule) {
  return [&schedule](const Action& action) {
    return schedule.list(static_cast<GatherList>(action.element_or_list));
  };
}

void raise(QueueFigures& largest, const QueueFigures& other) noexcept {
  largest.blocks = std::max(largest.blocks, other.blocks);
  largest.foreign = std::max(largest.foreign, other.foreign);
}

}  // namespace

QueueFigures largest_queue(const NodeInvariantSchedule& schedule, std::uint64_t own_blocks) {
  Count count(schedule.regions(), own_blocks);
  for (std::uint64_t step = 0; step <= schedule.step_count(); ++step)
    count.step(schedule.actions(step), lists_of(schedule));
  return count.result();
}

QueueFigures largest_queue(const NodeInvariantSchedule& book, const ClassParts& parts,
                           std::uint64_t own_blocks) {
  QueueFigures largest;
  for (std::uint64_t of_class = 0; of_class < parts.classes(); ++of_class) {
    Count count(book.regions(), own_blocks);
    for (std::uint64_t step = 0; step <= parts.step_count(); ++step) {
      const auto [first, last] = parts(of_class, step);
      count.step(book.actions(first, last), lists_of(book));
    }
    raise(largest, count.result());
  }
  return largest;
}

QueueFigures largest_queue(const Schedule& schedule, std::uint64_t own_blocks) {
  QueueFigures largest;
  for (std::uint64_t u = 0; u < schedule.nodes(); ++u) {
    Count count(schedule.regions(), own_blocks);
    for (const Schedule::Turn turn : schedule.turns_of(NodeId{u}))
      count.step(schedule.actions(turn), lists_of(schedule));
    raise(largest, count.result());
  }
  return largest;
}

}  // namespace lockstep
