// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which of the waiting blocks a processor sends next. What each means is for the algorithm to say
/// that takes one.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lockstep/core/errors.hpp"

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

/// Throws InvalidParameter where there is none of that name.
[[nodiscard]] inline QueueDiscipline queue_discipline(std::string_view name) {
  for (const QueueDiscipline discipline : all_queue_disciplines)
    if (name_of(discipline) == name) return discipline;
  throw InvalidParameter("discipline: '" + std::string(name) + "' given, allowed " +
                         "fifo, furthest-first, closest-first, message-shift");
}

}  // namespace lockstep
