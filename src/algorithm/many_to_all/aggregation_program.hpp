// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The rule of one node in the many-to-all broadcast by aggregation (aggregation.hpp): what it does
/// with what it holds, step by step; how far it sends, and when, says the schedule.
///
/// A label holds the block's number, and above it what the phase goes by: in A3 how far the block
/// still has to go, in D1b the place on the diagonal that it is from.
/// Program: not a schedule, since what a node sends depends on what arrives (aggregation.hpp).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/aggregation_receptions.hpp"
#include "algorithm/many_to_all/aggregation_schedule.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep {

class AggregationProgram : public AggregationReceptions {
 public:
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::labels | Traits::control_regions |
                                   Traits::blocks_of | Traits::routes | Traits::phases;

  explicit AggregationProgram(std::shared_ptr<const AggregationPlan> plan)
      : AggregationReceptions(std::move(plan)) {}

  [[nodiscard]] std::vector<std::uint32_t> regions() const;
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region region) const;
  [[nodiscard]] std::vector<Region> control_regions() const { return {words}; }
  [[nodiscard]] const Routes& routes() const { return plan().routes; }
  [[nodiscard]] std::uint64_t step_count() const { return schedule().steps().size(); }
  [[nodiscard]] std::vector<Phase> phases() const { return schedule().phases(); }

  void operator()(auto& here) const {
    if (here.step() == 0)
      load_own(here);
    else
      take_all(here);
    begin_phases(here);
    if (!here.last_call() && !step_of(here).turns) send(here);
  }

 private:
  [[nodiscard]] bool begins(const auto& here, AggregationPhase phase) const {
    return here.step() == schedule().begin_of(phase);
  }
  /// The k-th of so many pieces.
  [[nodiscard]] static Blocks piece(Blocks blocks, std::uint32_t k, std::uint32_t pieces) {
    const std::uint32_t first = blocks.count * k / pieces;
    return {blocks.region, blocks.first + first, blocks.count * (k + 1) / pieces - first};
  }

  void send_over(auto& here, Travel way, std::uint32_t links, Blocks blocks) const {
    if (links != 0 && blocks.count != 0) here.send(route(step_of(here), way, links), blocks);
  }

  void begin_phases(auto& here) const {
    if (begins(here, AggregationPhase::collect_counts))
      here.memory().sum = here.memory().held.count;
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
  [[nodiscard]] auto by_number(auto& here) const {
    const Blocks held = here.memory().held;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> slots;
    for (std::uint32_t slot = held.first; slot < held.first + held.count; ++slot)
      slots.emplace_back(number_in(here.word(held.region, slot)), slot);
    std::ranges::sort(slots);
    return slots;
  }

  /// Blocks get their ranks, from `prefix` on, by rising number; a label says how far down the
  /// diagonal its DDN is.
  void number(auto& here) const {
    const Blocks held = here.memory().held;
    const auto slots = by_number(here);
    std::uint64_t rank = here.memory().prefix;
    for (const auto& [block, slot] : slots) {
      const auto offset = static_cast<std::uint32_t>(schedule().tuning_offset(
          rank++, here.memory().total, place_of(here.node()).i % shape().h));
      here.set_word(held.region, slot, block | (std::uint64_t{offset} << above));
    }
  }

  /// A3 is over: what a DDN node holds is its part of the DDN's pack. On M there is room on both
  /// sides.
  void pack_up(auto& here) const {
    Blocks& held = here.memory().held;
    if (!in_a_ddn(here.node())) held.count = 0;
    const std::uint32_t first = class_of(here.node()) == 0 ? plan().load.pack : 0;
    const Blocks into{pack, first, held.count};
    if (held.count != 0) here.copy(held, into);
    held = into;
  }

  /// The same at all nodes that share in D1r.
  void name_positions(auto& here) const {
    const Blocks held = here.memory().held;
    const std::uint64_t position = place_of(here.node()).i / shape().h % shape().on_diagonal();
    for (std::uint32_t slot = held.first; slot < held.first + held.count; ++slot)
      here.set_word(held.region, slot, number_in(here.word(held.region, slot)) | position << above);
  }

  /// All of M have the same pack: in pieces it goes in the same order, too.
  void begin_broadcast(auto& here) const {
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

  /// Deals the pack by rising number, in turn to the row's half and the column's half.
  void deal_halves(auto& here) const {
    std::size_t turn = 0;
    for (const auto& [block, slot] : by_number(here)) {
      Blocks& half = here.memory().half[turn++ % 2];
      here.copy({here.memory().held.region, slot, 1}, {half.region, half.first + half.count++, 1});
    }
  }

  void send(auto& here) const {
    const Place at = place_of(here.node());
    const TravelMoves& moves = schedule().moves(here.step(), at.i, at.j);
    if (moves == TravelMoves{}) return;
    switch (step_of(here).phase) {
      case AggregationPhase::collect_counts:
      case AggregationPhase::scan_forward:
      case AggregationPhase::collect_roots:
        return send_sum(here, moves);
      case AggregationPhase::return_roots:
      case AggregationPhase::scan_backward:
      case AggregationPhase::return_counts:
        return send_prefixes(here, moves);
      case AggregationPhase::tune:
        return send_regrouped(here);
      case AggregationPhase::all_to_all:
        return send_windows(here, moves);
      case AggregationPhase::scatter:
        return send_shares(here, moves);
      case AggregationPhase::ddn_broadcast:
        return send_pieces(here, moves);
      case AggregationPhase::around_roots:
      case AggregationPhase::half_broadcast:
      case AggregationPhase::half_rings:
        return send_by_way(here, moves);
      default:
        return send_held(here, moves);
    }
  }

  /// The same every way: moved in A1 and D1a, else copied.
  void send_held(auto& here, const TravelMoves& moves) const {
    Blocks& held = here.memory().held;
    for (const Travel way : {Travel::down, Travel::up, Travel::right, Travel::left})
      send_over(here, way, moves[index(way)], held);
    const AggregationPhase phase = step_of(here).phase;
    if (phase != AggregationPhase::aggregate && phase != AggregationPhase::to_main_diagonal) return;
    held.first += held.count;
    held.count = 0;
  }

  /// Rings: sends what came, in the first step its own blocks. Broadcast of halves: sends the row's
  /// half along the row.
  void send_by_way(auto& here, const TravelMoves& moves) const {
    const auto& memory = here.memory();
    const AggregationPhase phase = step_of(here).phase;
    const bool first = step_of(here).level == 1;
    const bool broadcast = phase == AggregationPhase::half_broadcast;
    if (broadcast && shape().pieces) return send_pieces(here, moves);
    for (const Travel way : {Travel::down, Travel::up, Travel::right, Travel::left}) {
      Blocks blocks = memory.came[index(way)];
      if (broadcast) blocks = memory.half[half_of(way) ^ 1U];
      if (phase == AggregationPhase::half_rings && first) blocks = memory.half[half_of(way)];
      if (phase == AggregationPhase::around_roots && first) blocks = memory.held;
      send_over(here, way, moves[index(way)], blocks);
    }
  }

  void send_sum(auto& here, const TravelMoves& moves) const {
    for (const Travel way : {Travel::down, Travel::up, Travel::right, Travel::left}) {
      if (moves[index(way)] == 0) continue;
      const Blocks word = words_of(here, way, 1);
      here.set_word(words, word.first, here.memory().sum);
      here.send(route(step_of(here), way, moves[index(way)]), word);
    }
  }

  /// Sends back, along the way of each count, the sum of the counts before it.
  void send_prefixes(auto& here, const TravelMoves& moves) const {
    auto& memory = here.memory();
    if (memory.counts.empty()) return;  // where messages were lost
    const std::array<std::uint64_t, 5> counts = memory.counts.back();
    memory.counts.pop_back();
    const AggregationPhase phase = step_of(here).phase;
    const auto order =
        order_of_counts(phase == AggregationPhase::return_counts ? AggregationPhase::collect_counts
                                                                 : AggregationPhase::scan_forward);
    for (const Travel way : {Travel::down, Travel::up, Travel::right, Travel::left}) {
      if (moves[index(way)] == 0) continue;
      const Travel came = opposite(step_of(here).diagonal ? turned(way) : way);
      const auto found = std::ranges::find(order, came) - order.begin();
      const auto before = counts.begin() + (found < 2 ? found : found + 1);
      const Blocks word = words_of(here, way, words_of_a_message());
      here.set_word(words, word.first, std::accumulate(counts.begin(), before, memory.prefix));
      if (shape().near) here.set_word(words, word.first + 1, memory.total);
      here.send(route(step_of(here), way, moves[index(way)]), word);
    }
    memory.prefix += counts[0] + counts[1];
  }

  /// A stage of A3: what goes on lies together by its way; what stays, and arrives, behind it.
  void send_regrouped(auto& here) const {
    auto& memory = here.memory();
    const Blocks held = memory.held;
    const std::uint32_t stage = step_of(here).level;
    const Region other = held.region == gathered ? regrouped : gathered;
    const auto move_of = [&](std::uint32_t slot) {
      const auto offset = static_cast<std::int32_t>(rest_of(here.word(held.region, slot)));
      return schedule().tuning_move(offset, stage);
    };
    std::uint32_t next = 0;
    const auto group = [&](auto belongs) {
      const std::uint32_t first = next;
      for (std::uint32_t slot = held.first; slot < held.first + held.count; ++slot)
        if (belongs(move_of(slot))) here.copy({held.region, slot, 1}, Blocks{other, next++, 1});
      return Blocks{other, first, next - first};
    };
    const TravelMoves& moves =
        schedule().moves(here.step(), place_of(here.node()).i, place_of(here.node()).j);
    for (const Travel way : {Travel::down, Travel::up, Travel::right, Travel::left})
      send_over(here, way, moves[index(way)], group([&](std::int32_t move) {
                  return move != 0 && schedule().tuning_way(move, stage) == way;
                }));
    memory.held = group([](std::int32_t move) { return move == 0; });
  }

  /// Sends the last places of the window up and left, the first ones down and right.
  void send_windows(auto& here, const TravelMoves& moves) const {
    const Blocks held = here.memory().held;
    const WindowGrowth& window = schedule().growth(step_of(here).level);
    const std::uint32_t all = shape().on_diagonal();
    const std::uint32_t lowest =
        (place_of(here.node()).i / shape().h % all + all - window.below) % all;
    const auto begin_of =
        [&](std::uint32_t place) {  // the first block of that place or a later one
          std::uint32_t slot = held.first;
          while (slot < held.first + held.count &&
                 (rest_of(here.word(held.region, slot)) + all - lowest) % all < place)
            ++slot;
          return slot;
        };
    const auto last = [&](std::uint32_t places) {
      const std::uint32_t first = begin_of(window.below + 1 + window.above - places);
      return Blocks{held.region, first, held.first + held.count - first};
    };
    const auto first = [&](std::uint32_t places) {
      return Blocks{held.region, held.first, begin_of(places) - held.first};
    };
    send_over(here, Travel::up, moves[index(Travel::up)], last(window.near_above));
    send_over(here, Travel::down, moves[index(Travel::down)], first(window.near_below));
    send_over(here, Travel::left, moves[index(Travel::left)], last(window.far_above));
    send_over(here, Travel::right, moves[index(Travel::right)], first(window.far_below));
  }

  /// Pieces that arrived lie in this order: to the right, to the left, down, up.
  void send_pieces(auto& here, const TravelMoves& moves) const {
    const auto& memory = here.memory();
    const bool halved = step_of(here).phase == AggregationPhase::half_broadcast;
    for (const Travel way : {Travel::right, Travel::left, Travel::down, Travel::up}) {
      const auto place = static_cast<std::uint32_t>(index(way) ^ 2U);
      Blocks part = memory.held;
      if (halved)
        part = piece(memory.half[half_of(way) ^ 1U], place % 2, 2);
      else if (shape().pieces)
        part = piece(part, place, 4);
      send_over(here, way, moves[index(way)], part);
    }
  }

  /// Moved, not copied.
  void send_shares(auto& here, const TravelMoves& moves) const {
    Blocks& held = here.memory().held;
    const std::uint32_t blocks = held.count;
    for (const Travel way : {Travel::down, Travel::up, Travel::right, Travel::left}) {
      const std::uint32_t share = AggregationSchedule::scattered(blocks, way);
      send_over(here, way, moves[index(way)], {held.region, held.first, share});
      held.first += share;
      held.count -= share;
    }
  }
};

}  // namespace lockstep
