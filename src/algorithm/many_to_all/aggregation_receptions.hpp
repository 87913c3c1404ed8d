// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Base of AggregationProgram: what the nodes share, and what a node does with the messages that
/// arrive. AggregationProgram adds what it sends.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/aggregation_load.hpp"
#include "algorithm/many_to_all/aggregation_schedule.hpp"
#include "algorithm/many_to_all/placement.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep {

/// Shared by all nodes: the schedule, the region sizes of every node, and which node makes which
/// block.
struct AggregationPlan {
  AggregationSchedule schedule;
  AggregationLoad load;
  Makers makers;
  /// By number of links of a move: its index among the numbers that occur.
  std::vector<std::uint32_t> places;
  Routes routes;  ///< straight: 4 place + way; diagonal: diagonals + 2 place + way
  std::uint32_t diagonals = 0;

  AggregationPlan(AggregationSchedule moves, Pattern homes);
};

/// The reception of blocks at a node.
class AggregationReceptions {
 public:
  struct Memory {
    Blocks held{};
    std::array<Blocks, 2> half{};  // of the row's pack, of the column's
    std::array<Blocks, 4> came{};  // D1r, rings: by the way it came, what goes on that way
    std::uint64_t sum = 0;         // A2: of the counts that met here
    std::uint64_t prefix = 0;      // and of those before
    std::uint64_t total = 0;       // where A3 asks for it
    std::vector<std::array<std::uint64_t, 5>> counts;  // by level, in the order of the sum
  };

 protected:
  explicit AggregationReceptions(std::shared_ptr<const AggregationPlan> plan)
      : plan_(std::move(plan)) {}

  static constexpr Region gathered{0};   // A1; and A3, every other stage
  static constexpr Region regrouped{1};  // the other stages; and what is passed on at turns
  static constexpr Region pack{2};       // of a DDN
  static constexpr Region ring{3};   // D3b: every other step; or both halves, and what passes by
  static constexpr Region words{4};  // those of two steps
  static constexpr unsigned above = 32;  // bits of a label that hold the number

  struct Place {
    std::uint32_t i;
    std::uint32_t j;
  };

  [[nodiscard]] const AggregationSchedule& schedule() const { return plan_->schedule; }
  [[nodiscard]] const AggregationShape& shape() const { return schedule().shape(); }
  [[nodiscard]] const AggregationStep& step_of(const auto& here) const {
    return schedule().steps()[here.step()];
  }
  [[nodiscard]] Place place_of(NodeId node) const {
    return {static_cast<std::uint32_t>(index(node) / shape().columns),
            static_cast<std::uint32_t>(index(node) % shape().columns)};
  }
  [[nodiscard]] std::uint32_t class_of(NodeId node) const {
    const Place at = place_of(node);
    return schedule().class_of(at.i, at.j);
  }
  [[nodiscard]] bool halves() const { return shape().variant == AggregationVariant::halves; }
  [[nodiscard]] bool in_a_ddn(NodeId node) const { return class_of(node) % shape().h == 0; }
  [[nodiscard]] Route route(const AggregationStep& step, Travel way, std::uint32_t links) const {
    const std::uint32_t place = plan_->places[links];
    return static_cast<Route>(step.diagonal ? plan_->diagonals + 2 * place + index(way)
                                            : 4 * place + index(way));
  }
  /// Half of the pack that travels this way in the rings. The broadcast before uses the other half.
  [[nodiscard]] static std::size_t half_of(Travel way) { return index(way) / 2; }
  /// A place in `ring` for that half of a pack: its own, 0, or one of those that pass by.
  [[nodiscard]] std::uint32_t room_for(std::size_t half, std::uint32_t place) const {
    const std::uint32_t pack_blocks = plan_->load.pack;
    const std::uint32_t larger = (pack_blocks + 1) / 2;
    return half == 0 ? place * larger : 5 * larger + place * (pack_blocks - larger);
  }
  [[nodiscard]] static std::uint32_t number_in(std::uint64_t label) {
    return static_cast<std::uint32_t>(label);
  }
  [[nodiscard]] static std::uint32_t rest_of(std::uint64_t label) {
    return static_cast<std::uint32_t>(label >> above);
  }
  [[nodiscard]] Blocks words_of(const auto& here, Travel way, std::uint32_t count) const {
    const auto place = static_cast<std::uint32_t>(4 * (here.step() % 2) + index(way));
    return {words, place * words_of_a_message(), count};
  }
  /// At most: A3 to near DDNs asks for the number of all blocks, too.
  [[nodiscard]] std::uint32_t words_of_a_message() const { return shape().near ? 2 : 1; }
  [[nodiscard]] const AggregationPlan& plan() const { return *plan_; }

  void load_own(auto& here) const {
    Blocks& held = here.memory().held;
    held = {gathered, 0, 0};
    here.memory().half = {Blocks{ring, room_for(0, 0), 0}, Blocks{ring, room_for(1, 0), 0}};
    for (const std::uint32_t block : plan_->makers.made_by(here.node())) {
      here.load(gathered, held.count, Origin{block}, here.node());
      here.set_word(gathered, held.count++, block);
    }
  }

  /// Takes arrivals along a row before arrivals down a column: in D1b the near ones.
  void take_all(auto& here) const {
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
        const auto place = std::ranges::find(order, way) - order.begin();
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

  void deliver(auto& here, Blocks blocks) const {
    for (std::uint32_t slot = blocks.first; slot < blocks.first + blocks.count; ++slot) {
      const std::uint32_t number = number_in(here.word(blocks.region, slot));
      if (plan_->makers.is_foreign(here.node(), number))
        here.deliver(blocks.region, slot, Origin{number});
    }
  }

 private:
  void take(auto& here, const auto& arrival, Travel way) const {
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
  void pass_on(auto& here, const auto& arrival, Travel way, std::uint32_t& passed) const {
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

  void append(auto& here, const auto& arrival) const {
    Blocks& held = here.memory().held;
    here.store(arrival, {held.region, held.first + held.count, arrival.blocks()});
    held.count += arrival.blocks();
  }

  /// Places above the window's came left or up.
  void widen(auto& here, const auto& arrival, Travel way) const {
    if (way == Travel::left || way == Travel::up) return append(here, arrival);
    Blocks& held = here.memory().held;
    held.first -= arrival.blocks();
    held.count += arrival.blocks();
    here.store(arrival, {held.region, held.first, arrival.blocks()});
  }

  /// Keeps an arrival where it arrived, as long as it goes on.
  void take_on(auto& here, const auto& arrival, Travel way) const {
    plan_->makers.deliver(here, arrival);
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

  std::shared_ptr<const AggregationPlan> plan_;
};

}  // namespace lockstep
