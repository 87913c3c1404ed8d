// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How the files of the schedule write moves.

#include <cstdint>
#include <cstdlib>

#include "algorithm/many_to_all/aggregation_schedule.hpp"

namespace lockstep {

/// Links of a move by so many places, the way that its sign says.
inline void set(TravelMoves& moves, std::int64_t down, std::int64_t right) {
  if (down != 0)
    moves[index(down > 0 ? Travel::down : Travel::up)] = static_cast<std::uint32_t>(std::abs(down));
  if (right != 0)
    moves[index(right > 0 ? Travel::right : Travel::left)] =
        static_cast<std::uint32_t>(std::abs(right));
}

[[nodiscard]] inline std::int64_t apart(std::uint32_t to, std::uint32_t from) {
  return std::int64_t{to} - from;
}

}  // namespace lockstep
