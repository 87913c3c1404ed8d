// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which of the waiting blocks a processor sends next. What each means is for the algorithm to say
/// that takes one.

#include <array>
#include <cstdint>
#include <string_view>

namespace lockstep {

enum class QueueDiscipline : std::uint8_t { fifo, furthest_first, closest_first, message_shift };

inline constexpr std::array all_queue_disciplines{
    QueueDiscipline::fifo, QueueDiscipline::furthest_first, QueueDiscipline::closest_first,
    QueueDiscipline::message_shift};

[[nodiscard]] constexpr std::string_view name_of(QueueDiscipline discipline) noexcept {
  switch (discipline) {
    case QueueDiscipline::fifo:
      return "fifo";
    case QueueDiscipline::furthest_first:
      return "furthest-first";
    case QueueDiscipline::closest_first:
      return "closest-first";
    case QueueDiscipline::message_shift:
      return "message-shift";
  }
  return "";
}

}  // namespace lockstep
