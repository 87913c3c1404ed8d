// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The load of an aggregation's schedule for given makers of the blocks: how many blocks each node
/// holds and each message brings, counted without a byte. Its cost follows, exactly, and how much
/// memory a node needs.
///
///     load_of(AggregationSchedule({5, 5, 5}), homes).cost == Cost{13, 9, 4}
///
/// Gap splitting: a broadcast from both ends of a line of points to the points between them. Read
/// backwards, the levels are a gather. Aggregations are built from it.
///
///     gap_levels(25, 5).front()     // 0 serves 5 and, far, 10; 25 serves 20 and, far, 15
/// Source: Y.-S. Chen, C.-Y. Chen, section 3, for five ways.

#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/many_to_all/aggregation_schedule.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/cost.hpp"

namespace lockstep {

/// x serves y, or y gives to x where all is gathered.
struct GapService {
  std::uint32_t server = 0;
  std::uint32_t served = 0;
  bool far = false;
};

/// Points 0 and `gap` hold the data. In every level, each end of a remaining gap serves
/// (ways - 1) / 2 points inside it, so that there are ceil(log_ways gap) levels. ways: 5 or 3.
[[nodiscard]] std::vector<std::vector<GapService>> gap_levels(std::uint32_t gap,
                                                              std::uint32_t ways);

/// The middle of every gap is served by both its ends: ceil(log2 gap) levels.
[[nodiscard]] std::vector<std::vector<GapService>> bisection_levels(std::uint32_t gap);

struct AggregationLoad {
  Cost cost{};
  std::uint32_t pack = 0;                ///< blocks of a DDN, at most: ceil(s / h)
  std::vector<std::uint32_t> gathered;   ///< by node: blocks held in A1 and A3, at most
  std::vector<std::uint32_t> regrouped;  ///< the same, held in A3, or passed on in its turns
};

/// O(nodes times steps of A1, A2 and D1, and s times stages of A3).
[[nodiscard]] AggregationLoad load_of(const AggregationSchedule& schedule,
                                      std::span<const NodeId> homes);

/// The order of the counts that meet at a node: left of its own are those that came these ways,
/// then those of the other two.
[[nodiscard]] constexpr std::array<Travel, 4> order_of_counts(AggregationPhase phase) noexcept {
  if (phase == AggregationPhase::collect_counts)
    return {Travel::right, Travel::up, Travel::down, Travel::left};
  return {Travel::right, Travel::down, Travel::up, Travel::left};
}

}  // namespace lockstep
