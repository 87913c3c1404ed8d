// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The rule of one node in the many-to-all broadcast by aggregation (aggregation.hpp): what it does
/// with what it holds, step by step; how far it sends, and when, says the schedule.
///
/// A label holds the block's number, and above it what the phase goes by: in A3 how far the block
/// still has to go, in D1b the place on the diagonal that it is from.

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
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep {

/// What all nodes share: the schedule; of the memory of a node its size, of the blocks whose they
/// are.
struct AggregationPlan {
  AggregationSchedule schedule;
  AggregationLoad load;
  Makers makers;
  std::vector<std::uint32_t> places;  ///< of a move's links among the numbers that there are
  Routes routes;  ///< 4 place + way, and behind those from `diagonals` on 2 place + way
  std::uint32_t diagonals = 0;

  AggregationPlan(AggregationSchedule moves, Pattern homes);
};

class AggregationProgram {
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
  static constexpr Activity activity = Activity::dense;
  static constexpr bool labelled = true;

  explicit AggregationProgram(std::shared_ptr<const AggregationPlan> plan)
      : plan_(std::move(plan)) {}

  [[nodiscard]] std::vector<std::uint32_t> regions() const;
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region region) const;
  [[nodiscard]] std::vector<Region> control_regions() const { return {words}; }
  [[nodiscard]] const Routes& routes() const { return plan_->routes; }
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
  [[nodiscard]] bool begins(const auto& here, AggregationPhase phase) const {
    return here.step() == schedule().begin_of(phase);
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
  /// That travels this way in the rings; in the broadcast before, it is the other one.
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
  /// The k-th of so many pieces.
  [[nodiscard]] static Blocks piece(Blocks blocks, std::uint32_t k, std::uint32_t pieces) {
    const std::uint32_t first = blocks.count * k / pieces;
    return {blocks.region, blocks.first + first, blocks.count * (k + 1) / pieces - first};
  }

  void send_over(auto& here, Travel way, std::uint32_t links, Blocks blocks) const {
    if (links != 0 && blocks.count != 0) here.send(route(step_of(here), way, links), blocks);
  }

  // What arrived: aggregation_arrivals_inline.hpp.
  void load_own(auto& here) const;
  void take_all(auto& here) const;
  void take(auto& here, const auto& arrival, Travel way) const;
  void pass_on(auto& here, const auto& arrival, Travel way, std::uint32_t& passed) const;
  void append(auto& here, const auto& arrival) const;
  void widen(auto& here, const auto& arrival, Travel way) const;
  void take_on(auto& here, const auto& arrival, Travel way) const;
  void deliver(auto& here, const auto& arrival) const;
  void deliver(auto& here, Blocks blocks) const;

  // What a phase begins with: aggregation_phases_inline.hpp.
  void begin_phases(auto& here) const;
  [[nodiscard]] auto by_number(auto& here) const;
  void number(auto& here) const;
  void pack_up(auto& here) const;
  void name_positions(auto& here) const;
  void begin_broadcast(auto& here) const;
  void deal_halves(auto& here) const;

  // What is sent: aggregation_sends_inline.hpp.
  void send(auto& here) const;
  void send_held(auto& here, const TravelMoves& moves) const;
  void send_by_way(auto& here, const TravelMoves& moves) const;
  void send_sum(auto& here, const TravelMoves& moves) const;
  void send_prefixes(auto& here, const TravelMoves& moves) const;
  void send_regrouped(auto& here) const;
  void send_windows(auto& here, const TravelMoves& moves) const;
  void send_pieces(auto& here, const TravelMoves& moves) const;
  void send_shares(auto& here, const TravelMoves& moves) const;

  std::shared_ptr<const AggregationPlan> plan_;
};

}  // namespace lockstep

#include "algorithm/many_to_all/aggregation_arrivals_inline.hpp"
#include "algorithm/many_to_all/aggregation_phases_inline.hpp"
#include "algorithm/many_to_all/aggregation_sends_inline.hpp"
