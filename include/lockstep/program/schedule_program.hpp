// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The program that executes a Schedule (program/schedule.hpp). Every node carries out its turns; a
/// node without a turn in a step costs nothing. Two types, because a machine is compiled for the
/// channels of its program: messages go to neighbours, or over routes, where switching is wormhole.
/// Programs with routes may send control words.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/program/schedule.hpp"

namespace lockstep {

template <bool over_routes>
class BasicScheduleProgram {
 public:
  struct Memory {
    std::uint32_t turns = 0;  ///< carried out so far
  };
  static constexpr Activity activity = Activity::sparse;

  explicit BasicScheduleProgram(std::shared_ptr<const Schedule> schedule)
      : schedule_(std::move(schedule)) {}

  [[nodiscard]] std::vector<NodeId> starts() const { return {}; }
  [[nodiscard]] std::span<const std::uint32_t> starts_in(std::uint64_t step) const noexcept {
    return schedule_->nodes_in(step);
  }
  [[nodiscard]] std::uint64_t last_start() const noexcept { return schedule_->last_turn_step(); }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return schedule_->step_count(); }
  [[nodiscard]] const std::vector<Phase>& phases() const noexcept { return schedule_->phases(); }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return schedule_->regions(); }
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region region) const noexcept {
    return schedule_->blocks_of(node, region);
  }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList list) const noexcept {
    return schedule_->list(list);
  }
  [[nodiscard]] const Schedule& plan() const noexcept { return *schedule_; }

  template <class StepView>
  void operator()(StepView& here) const {
    std::uint32_t& turns = here.memory().turns;
    if (turns == schedule_->turn_count(here.node())) return;
    const Schedule::Turn turn = schedule_->turn(here.node(), turns);
    if (turn.step != here.step()) return;  // an arrival that nobody takes is a violation
    ++turns;
    for (auto action = turn.actions.begin(); action != turn.actions.end();) {
      if (!is_reception(action->kind)) {
        act(here, *action++);
        continue;
      }
      const Port port = action->port;
      const auto arrival = here.take(port);
      do receive(here, arrival, *action++);
      while (action != turn.actions.end() && is_reception(action->kind) && action->port == port);
    }
  }

 private:
  template <class StepView, class Arrival>
  void receive(StepView& here, const Arrival& arrival, const Action& action) const {
    const Blocks& blocks = action.blocks;
    const auto order = static_cast<Operands>(action.elements.first);
    switch (action.kind) {
      case Action::Kind::take_store:
        return here.store(arrival, blocks);
      case Action::Kind::take_scatter:
        return here.store(arrival, blocks.region, list_of(action));
      case Action::Kind::take_deliver:
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.deliver(arrival, blocks.first + i, Origin{element(action, i)});
        return;
      case Action::Kind::take_combine_into:
        return here.combine(arrival, {blocks.region, action.element_or_list, blocks.count}, blocks,
                            order);
      case Action::Kind::take_combine_list:
        return here.combine(arrival, blocks.region, list_of(action), order);
      default:
        return;  // Action::Kind::take
    }
  }

  template <class StepView>
  void act(StepView& here, const Action& action) const {
    const Blocks& blocks = action.blocks;
    const std::uint32_t number = action.element_or_list;
    switch (action.kind) {
      case Action::Kind::combine:
        return here.combine(Blocks{blocks.region, action.elements.first, blocks.count},
                            Blocks{blocks.region, number, blocks.count}, blocks);
      case Action::Kind::copy:
        return here.copy({static_cast<Region>(action.elements.first), number, blocks.count},
                         blocks);
      case Action::Kind::load_pairs:
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.load(blocks.region, blocks.first + i, Origin{element(action, 2 * i)},
                    NodeId{element(action, 2 * i + 1)});
        return;
      case Action::Kind::deliver:
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.deliver(blocks.region, blocks.first + i, Origin{element(action, i)});
        return;
      case Action::Kind::send:
        return here.send(action.port, blocks);
      case Action::Kind::send_list:
        return here.send(action.port, blocks.region, static_cast<GatherList>(number));
      default:
        return act_over_route(here, action);
    }
  }

  template <class StepView>
  void act_over_route([[maybe_unused]] StepView& here,
                      [[maybe_unused]] const Action& action) const {
    if constexpr (over_routes) {
      const auto route = static_cast<Route>(action.elements.first);
      if (action.kind == Action::Kind::send_route)
        here.send(route, action.blocks);
      else
        here.send(route, action.blocks.region, static_cast<GatherList>(action.element_or_list));
    } else {
      expects(false, "a schedule with routes runs on a machine that has them");
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> list_of(const Action& action) const noexcept {
    return schedule_->list(static_cast<GatherList>(action.element_or_list));
  }
  [[nodiscard]] std::uint64_t element(const Action& action, std::uint32_t i) const noexcept {
    return index(schedule_->element(std::uint64_t{action.elements.first} + i));
  }

  std::shared_ptr<const Schedule> schedule_;
};

using ScheduleProgram = BasicScheduleProgram<false>;

/// The same over routes, and with control words.
class RoutedScheduleProgram : public BasicScheduleProgram<true> {
 public:
  using BasicScheduleProgram::BasicScheduleProgram;

  [[nodiscard]] const Routes& routes() const noexcept { return plan().routes(); }
  [[nodiscard]] std::vector<Region> control_regions() const { return plan().control_regions(); }
};

}  // namespace lockstep
