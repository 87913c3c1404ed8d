// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_gather/star_mesh.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/invalid.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/core/permutation.hpp"
#include "topology/star_hamiltonian.hpp"

namespace lockstep {

void StarRows::check(const StarGraph& star, std::string_view algorithm, std::string_view trouble) {
  if (star.symbols() < 3)
    throw invalid("{} on {}: {}; allowed: star:3..{}; use levelwise on {}", algorithm, star.name(),
                  trouble, StarGraph::max_symbols, star.name());
}

Footprint StarRows::footprint(const StarGraph& star, std::size_t rows) {
  const std::uint64_t n = star.symbols();
  const std::uint64_t round_steps = star.node_count() / rows - 1;
  Footprint footprint{.steps = round_steps,
                      .hops = round_steps * star.node_count(),
                      .blocks_per_processor = 2 * rows,
                      .plan_bytes = bytes(star, rows)};
  if (rows == 1) return footprint;
  // Over all propagations p and both directions; in each, n - p rows send.
  const std::uint64_t first_traversals = n * (n - 1) * factorial(n - 1);
  const std::uint64_t other_traversals = 2 * n * (n - 1) * (n - 2) * factorial(n - 2);
  footprint.steps += 6 * (n - 1);
  footprint.hops += first_traversals + other_traversals;
  footprint.blocks_per_processor += 2;
  return footprint;
}

StarRows::StarRows(const StarGraph& star, std::size_t rows)
    : rows_(static_cast<int>(rows)),
      columns_(star.node_count() / rows),
      last_port_(port(star.symbols() - 2)),
      places_(star.node_count()),
      moves_(column_exchange(rows_)) {
  const std::vector<std::uint8_t> word =
      columns_ == 2 ? std::vector<std::uint8_t>{0, 0}
                    : star_hamiltonian_word(star.symbols() - (rows == 1 ? 0 : 1));
  NodeId u = star.identity();  // in the row numbered first, which the word never leaves
  for (const std::uint8_t p : word) {
    ring_.push_back(static_cast<std::uint32_t>(index(u)));
    u = star.neighbor(u, port(p));
  }
  expects(u == star.identity(), "the ring closes");
  for (std::size_t column = 0; column < columns_; ++column) {
    for (int row = 0; row < rows_; ++row) {
      Place& place = places_[index(node(row, column))];
      place = place_of(star.permutation(node(row, column)));
      place.column = static_cast<std::uint32_t>(column);
      place.row = static_cast<std::uint8_t>(row);
      place.to_next = word[column];
      place.from_previous = column == 0 ? word.back() : word[column - 1];
    }
  }
}

std::vector<std::uint32_t> StarRows::regions() const {
  const auto rows = static_cast<std::uint32_t>(rows_);
  if (rows == 1) return {rows, rows};
  return {rows, rows, 1, 1};
}

std::uint64_t StarRows::bytes(const StarGraph& star, std::size_t rows) noexcept {
  return star.node_count() * sizeof(Place) + star.node_count() / rows * sizeof(std::uint32_t) +
         6 * (rows - 1) * sizeof(Move);
}

StarRows::Place StarRows::place_of(Permutation x) noexcept {
  const auto port_of = [x](std::size_t symbol) {
    return static_cast<std::uint8_t>(symbol < x.size() ? x.position_of(symbol) - 1 : 0);
  };
  return {.first = static_cast<std::uint8_t>(x[0]),
          .port_of_greater = port_of(x[0] + 1),
          .port_of_smaller = port_of(x[0] - 1)};
}

std::vector<StarRows::Move> StarRows::column_exchange(int rows) {
  std::vector<Move> moves;
  for (const int direction : {1, -1}) {
    for (int p = 1; p < rows; ++p) {
      for (const int traversal : {1, 2, 3}) {
        moves.push_back({.traversal = traversal,
                         .direction = direction,
                         .propagation = p,
                         .lowest = direction > 0 ? p - 1 : 1,
                         .highest = direction > 0 ? rows - 2 : rows - p});
      }
    }
  }
  return moves;
}

}  // namespace lockstep
