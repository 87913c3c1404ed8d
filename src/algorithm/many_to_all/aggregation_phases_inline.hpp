// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of aggregation_program.hpp: what a phase begins with.

#include "algorithm/many_to_all/aggregation_program.hpp"

namespace lockstep {

void AggregationProgram::begin_phases(auto& here) const {
  if (begins(here, AggregationPhase::collect_counts)) here.memory().sum = here.memory().held.count;
  if (begins(here, AggregationPhase::scan_backward)) here.memory().total = here.memory().sum;
  if (begins(here, AggregationPhase::tune) && in_a_ddn(here.node())) number(here);
  if (begins(here, AggregationPhase::to_main_diagonal)) pack_up(here);
  if (begins(here, AggregationPhase::around_roots) && class_of(here.node()) == 0)
    name_positions(here);
  if (begins(here, AggregationPhase::ddn_broadcast)) begin_broadcast(here);
  if (begins(here, AggregationPhase::column_ring)) deliver(here, here.memory().held);
  if (begins(here, AggregationPhase::half_broadcast) && in_a_ddn(here.node())) deal_halves(here);
  if (begins(here, AggregationPhase::half_rings))
    for (const Blocks half : here.memory().half) deliver(here, half);
}

/// Number and slot of what is held.
auto AggregationProgram::by_number(auto& here) const {
  const Blocks held = here.memory().held;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> slots;
  for (std::uint32_t slot = held.first; slot < held.first + held.count; ++slot)
    slots.emplace_back(number_in(here.word(held.region, slot)), slot);
  std::sort(slots.begin(), slots.end());
  return slots;
}

/// Blocks get their ranks, from `prefix` on, by rising number; a label says how far down the
/// diagonal its DDN is.
void AggregationProgram::number(auto& here) const {
  const Blocks held = here.memory().held;
  const auto slots = by_number(here);
  std::uint64_t rank = here.memory().prefix;
  for (const auto& [block, slot] : slots) {
    const auto offset = static_cast<std::uint32_t>(
        schedule().tuning_offset(rank++, here.memory().total, place_of(here.node()).i % shape().h));
    here.set_word(held.region, slot, block | (std::uint64_t{offset} << above));
  }
}

/// A3 is over: what a DDN node holds is its part of the DDN's pack. On M there is room on both
/// sides.
void AggregationProgram::pack_up(auto& here) const {
  Blocks& held = here.memory().held;
  if (!in_a_ddn(here.node())) held.count = 0;
  const std::uint32_t first = class_of(here.node()) == 0 ? plan_->load.pack : 0;
  const Blocks into{pack, first, held.count};
  if (held.count != 0) here.copy(held, into);
  held = into;
}

/// The same at all nodes that share in D1r.
void AggregationProgram::name_positions(auto& here) const {
  const Blocks held = here.memory().held;
  const std::uint64_t position = place_of(here.node()).i / shape().h % shape().on_diagonal();
  for (std::uint32_t slot = held.first; slot < held.first + held.count; ++slot)
    here.set_word(held.region, slot, number_in(here.word(held.region, slot)) | position << above);
}

/// All of M have the same pack: in pieces it goes in the same order, too.
void AggregationProgram::begin_broadcast(auto& here) const {
  Blocks& held = here.memory().held;
  if (class_of(here.node()) != 0) {
    held = {pack, 0, 0};
  } else if (shape().pieces && held.count != 0) {
    Blocks sorted{ring, room_for(0, 1), 0};
    for (const auto& [block, slot] : by_number(here))
      here.copy({held.region, slot, 1}, {ring, sorted.first + sorted.count++, 1});
    held = sorted;
  }
}

/// Of the pack every other block, by rising number, to the row's half, the others to the column's.
void AggregationProgram::deal_halves(auto& here) const {
  std::size_t turn = 0;
  for (const auto& [block, slot] : by_number(here)) {
    Blocks& half = here.memory().half[turn++ % 2];
    here.copy({here.memory().held.region, slot, 1}, {half.region, half.first + half.count++, 1});
  }
}

}  // namespace lockstep
