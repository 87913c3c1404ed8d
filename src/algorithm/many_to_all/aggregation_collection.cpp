// SPDX-License-Identifier: Apache-2.0

/// Phases D3 of the schedule: how rows and columns of h nodes come to share their packs.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/aggregation_load.hpp"
#include "algorithm/many_to_all/aggregation_schedule.hpp"

namespace lockstep {
namespace {

using enum AggregationPhase;

}  // namespace

void AggregationSchedule::add_row_broadcast() {
  const auto levels = gap_levels(shape_.h, 3);
  for (std::uint32_t l = 0; l < levels.size(); ++l) {
    Table table(shape_.h);
    for (const auto& [x, y, far] : levels[l]) set(table[x % shape_.h], 0, apart(y, x));
    add(row_broadcast, l, std::move(table));
  }
}

/// D2 where every node is told by both ends of its gap, by each of them along a row and a column.
void AggregationSchedule::add_bisection() {
  const auto levels = bisection_levels(shape_.on_diagonal());
  for (std::uint32_t l = 0; l < levels.size(); ++l) {
    Table table(shape_.on_diagonal());
    for (const auto& [x, y, far] : levels[l]) {
      const std::int64_t raise = apart(y, x) * shape_.h;
      set(table[x % shape_.on_diagonal()], -raise, raise);
    }
    add(ddn_broadcast, l, std::move(table));
  }
}

/// The rows' halves from their holders along the rows, those of columns along the columns.
void AggregationSchedule::add_half_broadcast() {
  const std::uint32_t h = shape_.h;
  const auto levels = shape_.pieces ? bisection_levels(h) : gap_levels(h, 3);
  for (std::uint32_t l = 0; l < levels.size(); ++l) {
    Table table(h);
    for (const auto& [x, y, far] : levels[l]) {
      set(table[x % h], 0, apart(y, x));
      set(table[(h - x) % h], apart(y, x), 0);
    }
    add(half_broadcast, l, std::move(table));
  }
}

/// Rows and columns h apart hold the same. The last step round an even ring goes one way only.
void AggregationSchedule::add_half_rings() {
  for (std::uint32_t step = 1; step <= shape_.h / 2; ++step) {
    const std::uint32_t back = 2 * step < shape_.h ? 1 : 0;
    add(half_rings, step, Table{{1, back, 1, back}});
  }
}

/// Even rows down, odd rows up: 0, 2, 4, .., 5, 3, 1.
void AggregationSchedule::add_column_ring() {
  const std::uint32_t h = shape_.h;
  Table table(h);
  for (std::uint32_t x = 0; x < h; ++x) {
    std::uint32_t next = x % 2 == 0 ? x + 2 : x - 2;
    if (x == 1) next = 0;
    if (x % 2 == 0 && next >= h) next = x + 1 < h ? x + 1 : x - 1;
    if (h > 1) set(table[x], apart(next, x), 0);
  }
  for (std::uint32_t t = 0; t + 1 < h; ++t) add(column_ring, t, table);
}

/// Kept inside the blocks: a line of h nodes, open at both ends. One line of a block for every
/// place of the holder in it; place and column name the moves.
void AggregationSchedule::add_confined_broadcast() {
  const std::uint32_t h = shape_.h;
  std::uint64_t reach = 0;  // 3^(steps left - 1)
  for (std::uint64_t reached = 1; reached < 2 * std::uint64_t{h} - 1; reached *= 3) reach = reached;
  std::vector<std::vector<bool>> informed(h, std::vector<bool>(h));
  for (std::uint32_t x = 0; x < h; ++x) informed[x][x] = true;
  for (std::uint32_t step = 0; reach != 0; ++step, reach /= 3) {
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
    add(row_broadcast, step, std::move(table));
  }
}

}  // namespace lockstep
