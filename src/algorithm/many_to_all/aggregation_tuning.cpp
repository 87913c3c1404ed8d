// SPDX-License-Identifier: Apache-2.0

/// Phases of the schedule that deal blocks out: A0 over a node's links, A3 among the DDNs.

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/aggregation_schedule.hpp"

namespace lockstep {

/// Nodes of one colour are so far apart in their row and column that their messages do not meet.
void AggregationSchedule::add_scatter() {
  const std::uint32_t all = shape_.common();
  for (const std::uint32_t links : {3U, 1U}) {
    const std::uint32_t groups = all / links;  // of classes, one of each colour in every group
    if (links != 1 && groups < 2) continue;
    for (std::uint32_t colour = 0; colour * groups < all; ++colour) {
      Table table(all);
      for (std::uint32_t group = 0; group < groups; ++group) {
        const std::uint32_t own = group * all / groups + colour;
        if (own < (group + 1) * all / groups) table[own].fill(links);
      }
      add(AggregationPhase::scatter, colour, std::move(table));
    }
  }
}

void AggregationSchedule::add_tuning() {
  for (std::uint32_t stage = 0; stage < stages_; ++stage) {
    Table table(1);
    std::vector<std::int32_t> offsets(shape_.h);
    std::iota(offsets.begin(), offsets.end(), -static_cast<std::int32_t>((shape_.h - 1) / 2));
    for (const std::int32_t offset : offsets)
      if (const std::int32_t move = tuning_move(offset, stage); move != 0)
        table[0][index(tuning_way(move, stage))] = static_cast<std::uint32_t>(std::abs(move));
    add_turning(AggregationPhase::tune, stage, std::move(table));
  }
}

std::int32_t AggregationSchedule::nearest(std::uint32_t stage) const noexcept {
  std::int32_t width = 1;
  for (std::uint32_t r = 0; r < stage; ++r) width *= static_cast<std::int32_t>(ways());
  const auto half = static_cast<std::int32_t>(shape_.h / 2);
  return stage + 1 == stages_ ? std::min(half - (width - 1) / 2, width) : width;
}

std::int32_t AggregationSchedule::tuning_move(std::int32_t offset,
                                              std::uint32_t stage) const noexcept {
  const auto base = static_cast<std::int32_t>(ways());
  std::int32_t width = 1;
  for (std::uint32_t r = 1; r < stages_; ++r) width *= base;
  const std::int32_t rest_at_most = (width - 1) / 2;
  const std::int32_t far = static_cast<std::int32_t>(shape_.h / 2) - rest_at_most;
  const std::int32_t near = std::min(far, width);
  std::int32_t last = 0;
  if (std::abs(offset) > rest_at_most) last = std::abs(offset) <= near + rest_at_most ? near : far;
  if (offset < 0) last = -last;
  if (stage + 1 == stages_) return last;
  std::int32_t rest = offset - last;
  std::int32_t unit = 1;
  for (std::uint32_t r = 0;; ++r, unit *= base) {
    const std::int32_t digit = (rest % base + base + base / 2) % base - base / 2;  // balanced
    if (r == stage) return digit * unit;
    rest = (rest - digit) / base;
  }
}

Travel AggregationSchedule::tuning_way(std::int32_t move, std::uint32_t stage) const noexcept {
  const bool near = halves() || std::abs(move) == nearest(stage);
  const Travel way = near ? Travel::down : Travel::right;
  return move > 0 ? way : opposite(way);
}

std::int32_t AggregationSchedule::tuning_offset(std::uint64_t rank, std::uint64_t total,
                                                std::uint32_t k) const noexcept {
  const auto h = static_cast<std::int64_t>(shape_.h);
  const std::int64_t least = -((h - 1) / 2);
  const std::uint64_t ddn = shape_.near ? first_ranked_ + rank * shape_.h / total : rank;
  const std::int64_t away = static_cast<std::int64_t>(ddn % shape_.h) - k - least;
  return static_cast<std::int32_t>((away % h + h) % h + least);
}

}  // namespace lockstep
