// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of aggregation_program.hpp: what a node does with what arrived.

#include "algorithm/many_to_all/aggregation_program.hpp"

namespace lockstep {

void AggregationProgram::load_own(auto& here) const {
  Blocks& held = here.memory().held;
  held = {gathered, 0, 0};
  here.memory().half = {Blocks{ring, room_for(0, 0), 0}, Blocks{ring, room_for(1, 0), 0}};
  for (const std::uint32_t block : plan_->makers.made_by(here.node())) {
    here.load(gathered, held.count, Origin{block}, here.node());
    here.set_word(gathered, held.count++, block);
  }
}

/// What came along a row before what came down a column: in D1b the near ones.
void AggregationProgram::take_all(auto& here) const {
  auto& memory = here.memory();
  const AggregationPhase phase = schedule().steps()[here.step() - 1].phase;
  const bool half_way = !here.last_call() && step_of(here).turns;
  if (!half_way) {
    memory.came.fill({pack, 0, 0});
    if (phase == AggregationPhase::column_ring) memory.held.count = 0;
  }
  std::array<std::uint64_t, 5> counts{0, 0, memory.sum, 0, 0};
  std::uint32_t passed = 0;
  bool met = false;
  for (const Travel way : {Travel::right, Travel::left, Travel::down, Travel::up}) {
    const auto arrival = here.take(port(index(opposite(way))));
    if (!arrival) continue;
    if (half_way) {
      pass_on(here, arrival, way, passed);
    } else if (phase == AggregationPhase::collect_counts ||
               phase == AggregationPhase::scan_forward ||
               phase == AggregationPhase::collect_roots) {
      const auto order = order_of_counts(phase);
      const auto place = std::find(order.begin(), order.end(), way) - order.begin();
      counts[static_cast<std::size_t>(place < 2 ? place : place + 1)] = arrival.word(0);
      met = true;
    } else {
      take(here, arrival, way);
    }
  }
  if (!met) return;
  memory.counts.push_back(counts);
  memory.sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

void AggregationProgram::take(auto& here, const auto& arrival, Travel way) const {
  auto& memory = here.memory();
  switch (schedule().steps()[here.step() - 1].phase) {
    case AggregationPhase::return_roots:
    case AggregationPhase::scan_backward:
    case AggregationPhase::return_counts:
      memory.prefix = arrival.word(0);
      if (shape().near) memory.total = arrival.word(1);
      return;
    case AggregationPhase::all_to_all:
      return widen(here, arrival, way);
    case AggregationPhase::around_roots:
      memory.came[index(way)] = {pack, memory.held.first + memory.held.count, arrival.blocks()};
      return append(here, arrival);
    case AggregationPhase::row_broadcast:
      memory.held = {pack, 0, arrival.blocks()};
      return here.store(arrival, memory.held);
    case AggregationPhase::half_broadcast: {
      Blocks& half = memory.half[half_of(way) ^ 1U];
      here.store(arrival, {half.region, half.first + half.count, arrival.blocks()});
      half.count += arrival.blocks();
      return;
    }
    case AggregationPhase::column_ring:
    case AggregationPhase::half_rings:
      return take_on(here, arrival, way);
    default:
      return append(here, arrival);
  }
}

/// At a turn, over as many links.
void AggregationProgram::pass_on(auto& here, const auto& arrival, Travel way,
                                 std::uint32_t& passed) const {
  const AggregationPhase phase = step_of(here).phase;
  const bool word =
      phase == AggregationPhase::scan_forward || phase == AggregationPhase::scan_backward;
  const Blocks into = word ? words_of(here, way, 1) : Blocks{regrouped, passed, arrival.blocks()};
  if (!word) passed += arrival.blocks();
  const auto came_by = arrival.route();
  if (!came_by) return;
  here.store(arrival, into);
  const auto links = static_cast<std::uint32_t>(plan_->routes.ports(*came_by).size());
  here.send(route(step_of(here), turned(way), links), into);
}

void AggregationProgram::append(auto& here, const auto& arrival) const {
  Blocks& held = here.memory().held;
  here.store(arrival, {held.region, held.first + held.count, arrival.blocks()});
  held.count += arrival.blocks();
}

/// Places above the window's came left or up.
void AggregationProgram::widen(auto& here, const auto& arrival, Travel way) const {
  if (way == Travel::left || way == Travel::up) return append(here, arrival);
  Blocks& held = here.memory().held;
  held.first -= arrival.blocks();
  held.count += arrival.blocks();
  here.store(arrival, {held.region, held.first, arrival.blocks()});
}

/// Where it arrived; it is kept as long as it goes on.
void AggregationProgram::take_on(auto& here, const auto& arrival, Travel way) const {
  deliver(here, arrival);
  if (here.last_call()) return;
  auto& memory = here.memory();
  if (schedule().steps()[here.step() - 1].phase == AggregationPhase::column_ring) {
    memory.held = {memory.held.region == pack ? ring : pack, 0, arrival.blocks()};
    return here.store(arrival, memory.held);
  }
  const auto place = static_cast<std::uint32_t>(1 + 2 * (index(way) % 2U) + here.step() % 2);
  memory.came[index(way)] = {ring, room_for(half_of(way), place), arrival.blocks()};
  here.store(arrival, memory.came[index(way)]);
}

void AggregationProgram::deliver(auto& here, const auto& arrival) const {
  for (std::uint32_t i = 0; i < arrival.blocks(); ++i) {
    const std::uint32_t number = number_in(arrival.word(i));
    if (!plan_->makers.makes(here.node(), number)) here.deliver(arrival, i, Origin{number});
  }
}

void AggregationProgram::deliver(auto& here, Blocks blocks) const {
  for (std::uint32_t slot = blocks.first; slot < blocks.first + blocks.count; ++slot) {
    const std::uint32_t number = number_in(here.word(blocks.region, slot));
    if (!plan_->makers.makes(here.node(), number))
      here.deliver(blocks.region, slot, Origin{number});
  }
}

}  // namespace lockstep
