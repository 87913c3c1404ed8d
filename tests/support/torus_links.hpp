// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Whether the moves of a schedule on a torus meet on a link, whatever there is to send: all of
/// them are made, link by link, by arithmetic of its own.
///
///     EXPECT_EQ(moves_and_conflicts(schedule).conflicts, std::vector<std::string>{});

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithm/many_to_all/aggregation_schedule.hpp"

namespace lockstep::test {

struct TorusMoves {
  std::uint64_t messages = 0;
  std::uint64_t links = 0;
  std::vector<std::string> conflicts;  ///< of each step that has any the first
};

inline std::string described(const AggregationShape& shape) {
  return fmt::format("{} x {}, h {}{}{}{}{}{}", shape.rows, shape.columns, shape.h,
                     shape.confined ? ", confined" : "",
                     shape.variant == AggregationVariant::halves ? ", halves" : "",
                     shape.scatter ? ", scatter" : "", shape.near ? ", near" : "",
                     shape.pieces ? ", pieces" : "");
}

inline TorusMoves moves_and_conflicts(const AggregationSchedule& schedule) {
  struct Move {
    std::uint32_t i, j, way, links;
  };
  const AggregationShape& shape = schedule.shape();
  const std::uint32_t rows = shape.rows;
  const std::uint32_t columns = shape.columns;
  TorusMoves result;
  std::vector<Move> arrived;
  std::vector<std::size_t> held(std::size_t{4} * rows * columns, 0);  // by step, from 1
  for (std::size_t step = 0; step < schedule.steps().size(); ++step) {
    std::vector<Move> moves;
    if (schedule.steps()[step].turns)
      for (const Move& m : arrived) moves.push_back({m.i, m.j, m.way ^ 2U, m.links});
    for (std::uint32_t i = 0; !schedule.steps()[step].turns && i < rows; ++i)
      for (std::uint32_t j = 0; j < columns; ++j)
        for (std::uint32_t way = 0; way < 4; ++way)
          if (const std::uint32_t links = schedule.moves(step, i, j)[way]; links != 0)
            moves.push_back({i, j, way, links});
    const std::size_t before = result.conflicts.size();
    const bool diagonal = schedule.steps()[step].diagonal;
    for (Move& m : moves) {
      ++result.messages;
      for (std::uint32_t k = 0; k < (diagonal ? 2 : 1) * m.links; ++k, ++result.links) {
        if (k == m.links) m.way ^= 2U;
        std::size_t& link = held[(std::size_t{m.i} * columns + m.j) * 4 + m.way];
        if (link == step + 1 && result.conflicts.size() == before)
          result.conflicts.push_back(
              fmt::format("{}: step {}, {}, from P({},{}) way {}", described(shape), step,
                          name_of(schedule.steps()[step].phase), m.i, m.j, m.way));
        link = step + 1;
        const std::uint32_t up = m.way == 0 ? 1 : m.way == 1 ? rows - 1 : 0;
        const std::uint32_t along = m.way == 2 ? 1 : m.way == 3 ? columns - 1 : 0;
        m.i = (m.i + up) % rows;
        m.j = (m.j + along) % columns;
      }
    }
    arrived = std::move(moves);
  }
  return result;
}

}  // namespace lockstep::test
