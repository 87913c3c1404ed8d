// SPDX-License-Identifier: Apache-2.0
#include "program/largest_queue.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace lockstep {
namespace {

/// The blocks that one processor holds, while its list of actions is followed.
class Count {
 public:
  Count(const Schedule& schedule, std::uint64_t own_blocks)
      : schedule_(schedule), unloaded_(own_blocks) {
    for (const std::uint32_t blocks : schedule.regions()) {
      slots_.emplace_back(blocks, Slot::free);
      held(Slot::free) += blocks;
    }
    look();
  }

  void step(std::span<const Action> actions) {
    bool sending = false;
    for (const Action& action : actions) {
      if (!sending && is_send(action)) look();
      sending = sending || is_send(action);
      follow(action);
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
  void set(Region region, std::span<const std::uint32_t> slots, Slot content) {
    for (const std::uint32_t slot : slots) set(region, slot, content);
  }

  void follow(const Action& action) {
    switch (action.kind) {
      case Action::Kind::take_store:
        return set(action.blocks, Slot::foreign);
      case Action::Kind::take_scatter:
        return set(action.blocks.region, schedule_.list(action), Slot::foreign);
      case Action::Kind::load:
        unloaded_ -= std::min<std::uint64_t>(unloaded_, action.blocks.count);
        return set(action.blocks, Slot::own);
      case Action::Kind::deliver:
      case Action::Kind::send:
        return set(action.blocks, Slot::free);
      case Action::Kind::send_list:
        return set(action.blocks.region, schedule_.list(action), Slot::free);
      default:
        return;  // keeps what is held
    }
  }

  const Schedule& schedule_;
  std::uint64_t unloaded_;
  std::vector<std::vector<Slot>> slots_;
  std::array<std::uint64_t, 3> held_{};  // slots of each content
  QueueFigures largest_;
};

}  // namespace

QueueFigures largest_queue(const Schedule& schedule, std::uint64_t own_blocks) {
  QueueFigures largest;
  for (std::uint64_t c = 0; c < schedule.classes(); ++c) {
    Count count(schedule, own_blocks);
    for (const Schedule::Turn turn : schedule.turns_of_class(c)) count.step(schedule.actions(turn));
    largest.blocks = std::max(largest.blocks, count.result().blocks);
    largest.foreign = std::max(largest.foreign, count.result().foreign);
  }
  return largest;
}

}  // namespace lockstep
