// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the schedule of an aggregation carries for given makers of the blocks: how many blocks each
/// node holds and each message brings, counted without a byte. Its cost follows, exactly, and how
/// much memory a node needs.
///
///     load_of(AggregationSchedule({5, 5, 5}), homes).cost == Cost{13, 9, 4}

#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/many_to_all/aggregation_schedule.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/cost.hpp"

namespace lockstep {

struct AggregationLoad {
  Cost cost{};
  std::uint32_t pack = 0;                ///< blocks of a DDN, at most: ceil(s / h)
  std::vector<std::uint32_t> gathered;   ///< by node: blocks held in A1 and A3, at most
  std::vector<std::uint32_t> regrouped;  ///< the same, held in A3, or passed on in its turns
};

/// O(nodes times steps of A1, A2 and D1, and s times stages of A3).
[[nodiscard]] AggregationLoad load_of(const AggregationSchedule& schedule,
                                      std::span<const NodeId> homes);

/// Of the counts that meet at a node the order: left of its own are those that came these ways,
/// then those of the other two.
[[nodiscard]] constexpr std::array<Travel, 4> order_of_counts(AggregationPhase phase) noexcept {
  if (phase == AggregationPhase::collect_counts)
    return {Travel::right, Travel::up, Travel::down, Travel::left};
  return {Travel::right, Travel::down, Travel::up, Travel::left};
}

}  // namespace lockstep
