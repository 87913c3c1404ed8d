// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Queue disciplines: which of the blocks that wait in a processor leaves next (thesis, Definition
/// 4.3: the same for all processors).
///
///     fifo            the one that joined first; at first the one for the node of the highest
///                     number (as numbers the group: v_{n-1} is at the head, then v_{n-2}, ...)
///     furthest-first  whose destination is furthest; of these the one that has come furthest, then
///                     as they joined
///     closest-first   whose destination is closest; ties as before
///     message-shift   fifo, but ordered furthest first at the start (section 4.3.2): the queue
///                     shifts through the network without ever being sorted again

#include <array>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <string_view>
#include <tuple>

#include "lockstep/program/settings.hpp"

namespace lockstep {

enum class QueueDiscipline : std::uint8_t { fifo, furthest_first, closest_first, message_shift };

inline constexpr std::array all_queue_disciplines{
    QueueDiscipline::fifo, QueueDiscipline::furthest_first, QueueDiscipline::closest_first,
    QueueDiscipline::message_shift};

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 4> queue_discipline_names{
    "fifo", "furthest-first", "closest-first", "message-shift"};

[[nodiscard]] constexpr std::string_view name_of(QueueDiscipline discipline) noexcept {
  return queue_discipline_names[static_cast<std::size_t>(discipline)];
}

/// The parameter of every algorithm that has queues.
[[nodiscard]] constexpr Parameter discipline_parameter(QueueDiscipline fallback) noexcept {
  return {.name = "discipline",
          .kind = Parameter::Kind::word,
          .placeholder = "NAME",
          .meaning = "Queue discipline: fifo, furthest-first, closest-first or message-shift",
          .noun = "queue discipline",
          .phrase = ", {}",
          .words = queue_discipline_names,
          .fallback = name_of(fallback),
          .usual =
              "fifo for algorithms queues and queues-in-turn, message-shift for both-ways, else "
              "closest-first"};
}
/// The one that the settings name, or the default of this parameter. Throws InvalidParameter where
/// there is none of that name.
[[nodiscard]] QueueDiscipline queue_discipline(const Settings& settings,
                                               const Parameter& discipline);

/// Blocks that wait for the same processor or link.
template <class Block>
class DisciplineQueue {
 public:
  explicit DisciplineQueue(QueueDiscipline discipline) : discipline_(discipline) {}

  [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
  [[nodiscard]] const Block& top() const { return waiting_.top().block; }
  [[nodiscard]] Block pop() {
    const Block block = top();
    waiting_.pop();
    return block;
  }
  /// `left`: the hops that it has to go, `travelled`: those that it has made.
  void push(const Block& block, std::uint32_t left, std::uint32_t travelled) {
    Waiting waiting{.block = block, .joined = joined_++};
    if (discipline_ == QueueDiscipline::closest_first) waiting.distance = left;
    if (discipline_ == QueueDiscipline::furthest_first) waiting.distance = ~left;
    if (discipline_ == QueueDiscipline::closest_first ||
        discipline_ == QueueDiscipline::furthest_first)
      waiting.tie = ~travelled;
    waiting_.push(waiting);
  }

 private:
  /// The one whose distance, tie and joined are least leaves.
  struct Waiting {
    Block block;
    std::uint64_t joined;
    std::uint32_t distance = 0;
    std::uint32_t tie = 0;

    friend bool operator<(const Waiting& a, const Waiting& b) noexcept {
      return std::tie(b.distance, b.tie, b.joined) < std::tie(a.distance, a.tie, a.joined);
    }
  };

  QueueDiscipline discipline_;
  std::uint64_t joined_ = 0;
  std::priority_queue<Waiting> waiting_;
};

}  // namespace lockstep
