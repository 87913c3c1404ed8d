// SPDX-License-Identifier: Apache-2.0

/// Phase D3a of the schedule where it is kept inside the blocks: a line of h nodes, open at both
/// ends.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/algorithm/many_to_all/aggregation_schedule.hpp"

namespace lockstep {

/// One line of a block for every place of the holder in it; place and column name the moves.
void AggregationSchedule::add_confined_broadcast() {
  const std::uint32_t h = shape_.h;
  std::uint32_t steps = 0;
  for (std::uint64_t reached = 1; reached < 2 * std::uint64_t{h} - 1; reached *= 3) ++steps;
  std::vector<std::vector<bool>> informed(h, std::vector<bool>(h));
  for (std::uint32_t x = 0; x < h; ++x) informed[x][x] = true;
  std::uint64_t reach = 1;  // 3^(steps left - 1)
  for (std::uint32_t t = 1; t < steps; ++t) reach *= 3;
  for (std::uint32_t step = 0; step < steps;
       ++step, reach = std::max<std::uint64_t>(reach / 3, 1)) {
    Table table(std::size_t{h} * h);
    for (std::uint32_t x = 0; x < h; ++x) {
      std::vector<std::uint32_t> holders;
      for (std::uint32_t y = 0; y < h; ++y)
        if (informed[x][y]) holders.push_back(y);
      const auto send = [&](std::uint32_t from, std::uint32_t to) {
        if (informed[x][to]) return;
        TravelMoves& moves = table[std::size_t{x} * h + from];
        moves[index(to > from ? Travel::right : Travel::left)] = to > from ? to - from : from - to;
        informed[x][to] = true;
      };
      const auto into_end = [&](std::uint32_t left) {
        const std::uint64_t more = (reach - 1) / 2;
        return left > more + 1 ? left - static_cast<std::uint32_t>(more) : 1;
      };
      if (holders.front() != 0) send(holders.front(), holders.front() - into_end(holders.front()));
      for (std::size_t g = 0; g + 1 < holders.size(); ++g) {
        const std::uint32_t a = holders[g];
        const std::uint32_t width = holders[g + 1] - a;
        if (width / 3 != 0) send(a, a + width / 3);
        if (2 * width / 3 != 0) send(holders[g + 1], a + 2 * width / 3);
      }
      if (const std::uint32_t left = h - 1 - holders.back(); left != 0)
        send(holders.back(), holders.back() + into_end(left));
    }
    add(AggregationPhase::row_broadcast, step, std::move(table));
  }
}

}  // namespace lockstep
