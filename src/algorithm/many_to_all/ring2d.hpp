// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Many-to-all broadcast in a two-dimensional torus round its rings: what aggregation has to beat.
/// Model:   all-port, full-duplex; packet switching.
/// Idea:    half of what a node makes goes both ways round its row, and then, with all that came
///          from the row, round its column; the other half round the column first.
/// Source:  not in the paper it is compared with (Y.-S. Chen, C.-Y. Chen).
/// Differs: none. Of an odd number of blocks the row's half is the larger one on nodes P(i,j) with
///          even i + j, the column's on the others.
/// Program: its own: a schedule would need no labels, but a third of the run's time to write it,
///          and half as much memory again (torus:50x50: 0.13 s beside 0.36 s; 82 MiB, not 55).

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/aggregation_schedule.hpp"
#include "algorithm/many_to_all/placement.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep {

/// Half 0 goes round its row first, half 1 round its column.
struct Ring2dPlan {
  PlacementGrid grid;
  Makers makers;
  std::array<std::vector<std::uint32_t>, 2> lines;  ///< blocks of a half by row, by column
  std::array<std::uint32_t, 2> largest_line{};
  std::array<std::uint32_t, 2> largest_own{};

  Ring2dPlan(const PlacementGrid& sides, Pattern homes);

  [[nodiscard]] std::uint64_t steps_of_a_stage() const noexcept {
    return std::max(grid.rows, grid.columns) / 2;
  }
  /// The number of nodes in the ring of that half in that stage.
  [[nodiscard]] std::uint64_t ring(std::size_t half, std::uint64_t stage) const noexcept {
    return (half == 0) == (stage == 0) ? grid.columns : grid.rows;
  }
  /// How many of its blocks a node gives that half.
  [[nodiscard]] std::uint32_t share(NodeId node, std::size_t half) const noexcept;
};

class Ring2d final : public TorusManyToAll {
 public:
  static constexpr AlgorithmInfo info{
      .name = "ring2d",
      .operation = Operation::many_to_all,
      .model = port_models::all_port,
      .source = "Lockstep; not in Y.-S. Chen, C.-Y. Chen",
      .costs =
          "2 floor(n/2) start-ups, n the longer side; message times: floor(n/2) times the largest "
          "number of messages of a node plus that of a line, in one half",
      .summary = "one half goes round rows, then columns; the other half columns, then rows",
      .parameters = placement_parameters,
      .charges_idle_steps = true,
      .plans_every_node = true};

  class Program {
   public:
    struct Memory {
      std::array<Blocks, 2> held{};  // of a half, from the node's own ring of stage 0
      std::array<Blocks, 4> came{};  // by the way that it goes on
    };
    static constexpr Activity activity = Activity::dense;
    static constexpr Traits traits =
        Traits::step_count | Traits::labels | Traits::blocks_of | Traits::phases;

    explicit Program(std::shared_ptr<const Ring2dPlan> plan) : plan_(std::move(plan)) {}

    [[nodiscard]] std::vector<std::uint32_t> regions() const;
    [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region region) const;
    [[nodiscard]] std::uint64_t step_count() const { return 2 * plan_->steps_of_a_stage(); }
    [[nodiscard]] std::vector<Phase> phases() const {
      return {{"first rings", 0}, {"second rings", plan_->steps_of_a_stage()}};
    }

    void operator()(auto& here) const {
      if (here.step() == 0)
        load_own(here);
      else
        take_all(here);
      if (!here.last_call()) send_all(here);
    }

   private:
    static constexpr std::array ways{Travel::down, Travel::up, Travel::right, Travel::left};

    /// That travels this way in the step.
    [[nodiscard]] std::size_t half_of(Travel way, std::uint64_t step) const {
      const bool row = way == Travel::right || way == Travel::left;
      return row == (step < plan_->steps_of_a_stage()) ? 0 : 1;
    }
    /// The last step round an even ring goes one way only.
    [[nodiscard]] bool goes(Travel way, std::uint64_t step) const {
      const std::uint64_t stage = step / plan_->steps_of_a_stage();
      const std::uint64_t nodes = plan_->ring(half_of(way, step), stage);
      const std::uint64_t before = step % plan_->steps_of_a_stage();
      const bool up = way == Travel::down || way == Travel::right;
      return before < (up ? nodes / 2 : (nodes - 1) / 2);
    }
    [[nodiscard]] static Region held_in(std::size_t half) { return static_cast<Region>(half); }
    [[nodiscard]] static Region passing(Travel way) { return static_cast<Region>(2 + index(way)); }

    void load_own(auto& here) const {
      std::uint32_t next = 0;
      const auto own = plan_->makers.made_by(here.node());
      for (const std::size_t half : {0U, 1U}) {
        Blocks& held = here.memory().held[half];
        held = {held_in(half), 0, plan_->share(here.node(), half)};
        for (std::uint32_t slot = 0; slot < held.count; ++slot, ++next) {
          here.load(held.region, slot, Origin{own[next]}, here.node());
          here.set_word(held.region, slot, own[next]);
        }
      }
    }

    /// In the second stage a block is kept as long as it goes on.
    void take_all(auto& here) const {
      auto& memory = here.memory();
      const std::uint64_t sent = here.step() - 1;
      const bool first_stage = sent < plan_->steps_of_a_stage();
      for (const Travel way : ways) {
        Blocks& came = memory.came[index(way)];
        came = {};
        came.count = 0;
        const auto arrival = here.take(port(index(opposite(way))));
        if (!arrival) continue;
        plan_->makers.deliver(here, arrival);
        Blocks& held = memory.held[half_of(way, sent)];
        came = {held.region, held.first + held.count, arrival.blocks()};
        if (first_stage) {
          held.count += arrival.blocks();
        } else {
          const std::uint32_t room = plan_->largest_line[half_of(way, sent)];
          came.region = passing(way);
          came.first = static_cast<std::uint32_t>(sent % 2) * room;
          if (here.last_call()) continue;
        }
        here.store(arrival, came);
      }
    }

    void send_all(auto& here) const {
      const bool begins = here.step() % plan_->steps_of_a_stage() == 0;
      for (const Travel way : ways) {
        if (!goes(way, here.step())) continue;
        const Blocks blocks =
            begins ? here.memory().held[half_of(way, here.step())] : here.memory().came[index(way)];
        if (blocks.count != 0) here.send(port(index(way)), blocks);
      }
    }

    std::shared_ptr<const Ring2dPlan> plan_;
  };

  /// Throws InvalidParameter unless the torus has two sides of 3 or more, and the blocks have their
  /// places.
  Ring2d(const Torus& torus, const Settings& settings, const Pattern& fixed);

  [[nodiscard]] std::optional<Cost> promise() const override;
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Pattern pattern() const override { return plan_->makers.pattern(); }
  [[nodiscard]] Settings chosen() const override { return messages_of(pattern()); }
  [[nodiscard]] Program program() const { return Program(plan_); }

 private:
  std::shared_ptr<const Ring2dPlan> plan_;
};

}  // namespace lockstep
