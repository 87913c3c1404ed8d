// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/aggregation_schedule.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "algorithm/many_to_all/aggregation_load.hpp"
#include "core/invalid.hpp"

namespace lockstep {
namespace {

using enum AggregationPhase;

/// The least point that is served, over whatever others, by the upper end.
[[nodiscard]] std::uint32_t first_from_above(const std::vector<std::vector<GapService>>& levels,
                                             std::uint32_t gap) {
  std::vector<bool> from_above(std::size_t{gap} + 1);
  from_above.back() = true;
  for (const std::vector<GapService>& level : levels)
    for (const auto& [x, y, far] : level) from_above[y] = from_above[x];
  return static_cast<std::uint32_t>(std::ranges::find(from_above, true) - from_above.begin());
}

void check(const AggregationShape& shape) {
  constexpr std::uint32_t least_side = 3;
  if (shape.rows < least_side || shape.columns < least_side)
    throw invalid("aggregation: a torus of {} x {} nodes; allowed: sides of at least {}",
                  shape.rows, shape.columns, least_side);
  if (shape.h == 0 || shape.rows % shape.h != 0 || shape.columns % shape.h != 0)
    throw invalid("h: {} is not valid; expected a divisor of both sides, {} and {}", shape.h,
                  shape.rows, shape.columns);
  if (shape.near && (shape.rows != shape.columns || shape.h != shape.rows))
    throw invalid(
        "tuning: near is not possible for {} x {} nodes and h = {}; all three must be equal",
        shape.rows, shape.columns, shape.h);
}

}  // namespace

std::string_view name_of(AggregationPhase phase) noexcept {
  constexpr std::array<std::string_view, 17> names{"A1 aggregate",
                                                   "A2a collect counts",
                                                   "A2b scan forward",
                                                   "A2r collect roots",
                                                   "A2r return roots",
                                                   "A2b scan backward",
                                                   "A2c return counts",
                                                   "A3 tune",
                                                   "D1a to main diagonal",
                                                   "D1r around roots",
                                                   "D1b all-to-all",
                                                   "D2 DDN broadcast",
                                                   "D3a row broadcast",
                                                   "D3b column ring",
                                                   "D3a broadcast, halves",
                                                   "D3b rings, halves",
                                                   "A0 scatter"};
  return names[index(phase)];
}

std::uint32_t AggregationShape::common() const noexcept { return std::gcd(rows, columns); }

AggregationSchedule::AggregationSchedule(const AggregationShape& shape)
    : shape_(shape), common_(shape.common()) {
  check(shape);
  begin_.fill(std::numeric_limits<std::size_t>::max());
  for (std::uint64_t reached = 1; reached < shape_.h; reached *= ways()) ++stages_;
  if (shape_.scatter) {
    begin(scatter);
    add_scatter();
  }
  begin(aggregate);
  add_diagonal(aggregate, shape_.h, 1, true);
  begin(collect_counts);
  add_diagonal(collect_counts, shape_.on_diagonal(), shape_.h, true);
  add_scan();
  begin(tune);
  add_tuning();
  add_distribution();
  std::erase_if(phases_, [&](const Phase& p) { return p.first_step == steps_.size(); });
}

void AggregationSchedule::add_distribution() {
  begin(to_main_diagonal);
  add_diagonal(to_main_diagonal, shape_.on_diagonal(), shape_.h, true);
  begin(around_roots);
  if (shape_.rows != shape_.columns) add_root_rings();
  begin(all_to_all);
  add_all_to_all();
  begin(ddn_broadcast);
  if (shape_.pieces)
    add_bisection();
  else
    add_diagonal(ddn_broadcast, shape_.on_diagonal(), shape_.h, false);
  begin(halves() ? half_broadcast : row_broadcast);
  if (halves())
    add_half_broadcast();
  else if (shape_.confined)
    add_confined_broadcast();
  else
    add_row_broadcast();
  begin(halves() ? half_rings : column_ring);
  if (halves())
    add_half_rings();
  else
    add_column_ring();
}

void AggregationSchedule::begin(AggregationPhase phase) {
  begin_[index(phase)] = steps_.size();
  if (!phases_.empty() && phases_.back().first_step == steps_.size()) phases_.pop_back();
  phases_.push_back({std::string(name_of(phase)), steps_.size()});
}

void AggregationSchedule::add(AggregationPhase phase, std::uint32_t level, Table table) {
  tables_.push_back(std::move(table));
  steps_.push_back({phase, false, false, level, tables_.size() - 1});
}

/// Adds turning moves: one step if the schedule has `halves`, else two.
void AggregationSchedule::add_turning(AggregationPhase phase, std::uint32_t level, Table table) {
  add(phase, level, std::move(table));
  steps_.back().diagonal = halves();
  if (!halves()) steps_.push_back({phase, true, false, level, tables_.size() - 1});
}

/// Going right raises a node's class, going down lowers it. A whole class sends to another one.
void AggregationSchedule::add_diagonal(AggregationPhase phase, std::uint32_t classes,
                                       std::uint32_t unit, bool gather) {
  auto levels = gap_levels(classes, 5);
  if (gather) std::ranges::reverse(levels);
  for (std::uint32_t l = 0; l < levels.size(); ++l) {
    Table table(classes);
    for (const auto& [x, y, far] : levels[l]) {
      const std::int64_t raise = (gather ? apart(x, y) : apart(y, x)) * unit;
      set(table[(gather ? y : x) % classes], far ? 0 : -raise, far ? raise : 0);
    }
    add(phase, l, std::move(table));
  }
}

/// A2b, A2r and A2c: M as circles around its roots, forward and, with reversed moves, back.
void AggregationSchedule::add_scan() {
  const auto levels = gap_levels(common_, ways());
  const auto table_of = [&](const std::vector<GapService>& level, bool forward) {
    Table table(common_);
    for (const auto& [x, y, far] : level) {
      const std::int64_t a = forward ? apart(x, y) : apart(y, x);
      // Forward the near ones set out along the row and arrive down the column; back they set out
      // the way they came. Those that turn on their way set out along the column.
      const bool row = !halves() && forward != far;
      set(table[(forward ? y : x) % common_], row ? 0 : a, row ? a : 0);
    }
    return table;
  };
  first_ranked_ = first_from_above(levels, common_);
  begin(scan_forward);
  for (std::uint32_t l = 0; l < levels.size(); ++l)
    add_turning(scan_forward, l, table_of(levels[levels.size() - 1 - l], true));
  if (shape_.rows != shape_.columns) add_roots();
  begin(scan_backward);
  for (std::uint32_t l = 0; l < levels.size(); ++l)
    add_turning(scan_backward, l, table_of(levels[l], false));
  begin(return_counts);
  add_diagonal(return_counts, shape_.on_diagonal(), shape_.h, false);
}

/// Rows of roots first, level 0, then the first column of them, level 1.
void AggregationSchedule::add_roots() {
  const std::uint32_t all = common_;
  const auto along = [&](AggregationPhase phase, bool row, bool forward) {
    const std::uint32_t count = (row ? shape_.columns : shape_.rows) / all;
    auto levels = gap_levels(count, 3);
    if (forward) std::ranges::reverse(levels);
    for (const auto& level : levels) {
      Table table(count);
      for (const auto& [x, y, far] : level) {
        const std::int64_t a = (forward ? apart(x, y) : apart(y, x)) * all;
        set(table[(forward ? y : x) % count], row ? 0 : a, row ? a : 0);
      }
      add(phase, row ? 0 : 1, std::move(table));
    }
  };
  begin(collect_roots);
  along(collect_roots, true, true);
  along(collect_roots, false, true);
  begin(return_roots);
  along(return_roots, false, false);
  along(return_roots, true, false);
}

void AggregationSchedule::add_root_rings() {
  const std::uint32_t all = common_;
  for (const bool row : {true, false}) {
    const std::uint32_t count = (row ? shape_.columns : shape_.rows) / all;
    for (std::uint32_t step = 1; step <= count / 2; ++step) {
      Table table(1);
      const bool both = 2 * step < count;
      set(table[0], row ? 0 : all, row ? all : 0);
      if (both) set(table[0], row ? 0 : -std::int64_t{all}, row ? -std::int64_t{all} : 0);
      add(around_roots, step, std::move(table));
    }
  }
}

void AggregationSchedule::add_all_to_all() {
  const std::uint32_t positions = shape_.on_diagonal();
  WindowGrowth window;
  for (std::uint32_t known = 1, level = 0; known < positions; ++level) {
    const std::uint32_t others = ways() - 1;
    const std::uint32_t more = std::min(positions - known, others * known);
    window.near_above = (more + others - 1) / others;
    window.near_below = (more + others - 2) / others;
    window.far_above = halves() ? 0 : (more + 1) / 4;
    window.far_below = halves() ? 0 : more / 4;
    growths_.push_back(window);
    Table table(1);
    const std::uint32_t h = shape_.h;
    TravelMoves& moves = table[0];
    moves[index(Travel::up)] = window.near_above * h;
    moves[index(Travel::down)] = window.near_below * h;
    if (window.far_above != 0)
      moves[index(Travel::left)] = (window.near_above + window.far_above) * h;
    if (window.far_below != 0)
      moves[index(Travel::right)] = (window.near_below + window.far_below) * h;
    add_turning(all_to_all, level, std::move(table));
    window.above += window.near_above + window.far_above;
    window.below += window.near_below + window.far_below;
    known += more;
  }
}

const TravelMoves& AggregationSchedule::moves(std::size_t step, std::uint32_t i,
                                              std::uint32_t j) const {
  static constexpr TravelMoves none{};
  const TravelMoves* const own = steps_[step].turns ? nullptr : place_of(steps_[step], i, j);
  return own == nullptr ? none : *own;
}

/// Null where the node has no part in the step.
const TravelMoves* AggregationSchedule::place_of(const AggregationStep& step, std::uint32_t i,
                                                 std::uint32_t j) const {
  const Table& table = tables_[step.table];
  const std::uint32_t h = shape_.h;
  const std::uint32_t all = common_;
  switch (step.phase) {
    case aggregate:
      return &table[class_of(i, j) % h];
    case collect_counts:
    case return_counts:
    case to_main_diagonal:
    case ddn_broadcast: {
      const std::uint32_t own = class_of(i, j);
      return own % h == 0 ? &table[own / h] : nullptr;
    }
    case scan_forward:
    case scan_backward:
      return class_of(i, j) == 0 ? &table[i % all] : nullptr;
    case collect_roots:
    case return_roots:
      if (i % all != 0 || j % all != 0) return nullptr;
      if (step.level == 0) return &table[j / all];
      return j == 0 ? &table[i / all] : nullptr;
    case tune:
      return class_of(i, j) % h == 0 ? table.data() : nullptr;
    case around_roots:
    case all_to_all:
      return class_of(i, j) == 0 ? table.data() : nullptr;
    case row_broadcast:
      return shape_.confined ? &table[std::size_t{i % h} * h + j % h] : &table[class_of(i, j) % h];
    case column_ring:
      return &table[i % h];
    case half_broadcast:
      return &table[class_of(i, j) % h];
    case half_rings:
      return table.data();
    case scatter:
      return &table[class_of(i, j)];
  }
  return nullptr;
}

}  // namespace lockstep
