// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The program that executes a Schedule (program/schedule.hpp). Every node executes its turns; a
/// node without a turn in a step costs nothing. It is instantiated three times, because a machine
/// is compiled for the abilities of a program: messages to neighbours; routes (wormhole switching)
/// and control words; or nodes that receive once, for the smallest and fastest machine. Its grouped
/// form is in program/grouped_schedule_program.hpp.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/topology.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

namespace schedule_detail {

/// The actions of the node in this step, after `turns` earlier turns; empty if it has no turn. In
/// that case an arrival is not taken, which is a violation.
template <class StepView>
[[nodiscard]] std::span<const Action> next_turn(const Schedule& schedule, const StepView& here,
                                                std::uint32_t& turns) {
  const std::span<const Schedule::Turn> own = schedule.turns_of(here.node());
  if (turns == own.size() || own[turns].step != here.step()) return {};
  return schedule.actions(own[turns++]);
}

}  // namespace schedule_detail

template <bool over_routes>
class BasicScheduleProgram {
 public:
  struct Memory {
    std::uint32_t turns = 0;  ///< carried out so far
  };
  static constexpr Activity activity = Activity::sparse;
  static constexpr Traits traits = Traits::step_count | Traits::starts_in | Traits::gather_list |
                                   Traits::blocks_of | Traits::phases |
                                   (over_routes ? Traits::routes : Traits::none);

  explicit BasicScheduleProgram(std::shared_ptr<const Schedule> schedule)
      : schedule_(std::move(schedule)) {}
  /// For schedules whose nodes share turns: relative addresses are those of this group.
  template <CayleyTopology Group>
  BasicScheduleProgram(const Group& group, std::shared_ptr<const Schedule> schedule)
      : schedule_(std::move(schedule)),
        translations_(any_translations(group, schedule_->elements())) {}

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
    const std::span<const Action> actions =
        schedule_detail::next_turn(*schedule_, here, here.memory().turns);
    for (auto action = actions.begin(); action != actions.end();) {
      if (!is_reception(action->kind)) {
        act(here, *action++);
        continue;
      }
      const Port port = action->port;
      const auto arrival = here.take(port);
      do receive(here, arrival, *action++);
      while (action != actions.end() && is_reception(action->kind) && action->port == port);
    }
  }

 private:
  template <class StepView, class Arrival>
  [[gnu::always_inline]] void receive(StepView& here, const Arrival& arrival,
                                      const Action& action) const {
    const Blocks& blocks = action.blocks;
    const auto order = static_cast<Operands>(action.elements.first);
    switch (action.kind) {
      case Action::Kind::take_store:
        return here.store(arrival, blocks);
      case Action::Kind::take_scatter:
        return here.store(arrival, blocks.region, schedule_->list(action));
      case Action::Kind::take_deliver:
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.deliver(arrival, blocks.first + i, Origin{element(here.node(), action, i)});
        return;
      case Action::Kind::take_combine_into:
        return here.combine(arrival, {blocks.region, action.element_or_list, blocks.count}, blocks,
                            order);
      case Action::Kind::take_combine_list:
        return here.combine(arrival, blocks.region, schedule_->list(action), order);
      default:
        return;  // Action::Kind::take
    }
  }

  template <class StepView>
  [[gnu::always_inline]] void act(StepView& here, const Action& action) const {
    const Blocks& blocks = action.blocks;
    const std::uint32_t number = action.element_or_list;
    switch (action.kind) {
      case Action::Kind::combine:
        return here.combine(Blocks{blocks.region, action.elements.first, blocks.count},
                            Blocks{blocks.region, number, blocks.count}, blocks);
      case Action::Kind::copy:
        return here.copy({static_cast<Region>(action.elements.first), number, blocks.count},
                         blocks);
      case Action::Kind::load: {
        const NodeId me = translations_ ? relative(here.node(), number) : here.node();
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.load(blocks.region, blocks.first + i, element(me, action, i));
        return;
      }
      case Action::Kind::load_pairs:
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.load(blocks.region, blocks.first + i, Origin{element(here.node(), action, 2 * i)},
                    element(here.node(), action, 2 * i + 1));
        return;
      case Action::Kind::deliver:
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.deliver(blocks.region, blocks.first + i, Origin{element(here.node(), action, i)});
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

  /// Element i of an action, seen from `node`; without elements, the node itself.
  [[nodiscard]] NodeId element(NodeId node, const Action& action, std::uint32_t i) const {
    if (!translations_ || action.elements.count == 0) return schedule_->element(action, i, node);
    return relative(node, action.elements.first + i);
  }
  [[nodiscard]] NodeId relative(NodeId node, std::uint32_t element) const {
    std::uint32_t there = 0;
    translations_->apply(node, element, std::span(&there, 1));
    return NodeId{there};
  }

  std::shared_ptr<const Schedule> schedule_;
  std::shared_ptr<const TranslationsInterface> translations_;  // null: addresses are nodes
};

using ScheduleProgram = BasicScheduleProgram<false>;

/// The same over routes, and with control words.
class RoutedScheduleProgram : public BasicScheduleProgram<true> {
 public:
  using BasicScheduleProgram::BasicScheduleProgram;
  static constexpr Traits traits = BasicScheduleProgram::traits | Traits::control_regions;

  [[nodiscard]] const Routes& routes() const noexcept { return plan().routes(); }
  [[nodiscard]] std::vector<Region> control_regions() const { return plan().control_regions(); }
};

/// Runs schedules in which a node receives at most once and stores that block first: broadcasts.
class ReceiveOnceScheduleProgram {
 public:
  struct Memory {
    std::uint32_t turns = 0;  ///< carried out so far
  };
  static constexpr Activity activity = Activity::sparse;
  static constexpr Traits traits = Traits::step_count | Traits::receives_once;
  /// For comparisons; a mailbox per node is the box of the receive-once machine.
  static constexpr CompiledChannels compiled_channels = CompiledChannels::spsc;

  explicit ReceiveOnceScheduleProgram(std::shared_ptr<const Schedule> schedule)
      : schedule_(std::move(schedule)) {}

  [[nodiscard]] std::vector<NodeId> starts() const {
    std::vector<NodeId> nodes;
    for (const std::uint32_t node : schedule_->nodes_in(0)) nodes.push_back(NodeId{node});
    return nodes;
  }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return schedule_->step_count(); }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return schedule_->regions(); }
  [[nodiscard]] const Schedule& plan() const noexcept { return *schedule_; }

  template <class StepView>
  void operator()(StepView& here) const {
    std::uint32_t& turns = here.memory().turns;
    for (const Action& action : schedule_detail::next_turn(*schedule_, here, turns))
      switch (action.kind) {
        case Action::Kind::take_store:
          here.store(here.take_first(), action.blocks);
          break;
        case Action::Kind::load:
          here.load(action.blocks.region, action.blocks.first, element(here, action));
          break;
        case Action::Kind::deliver:
          here.deliver(action.blocks.region, action.blocks.first, Origin{element(here, action)});
          break;
        case Action::Kind::send:
          here.send(action.port, action.blocks);
          break;
        default:
          expects(false, "a node that receives once stores, delivers and sends one block");
      }
    if (turns != schedule_->turns_of(here.node()).size()) here.stay_active();
  }

 private:
  [[nodiscard]] NodeId element(const auto& here, const Action& action) const noexcept {
    return schedule_->element(action, 0, here.node());
  }

  std::shared_ptr<const Schedule> schedule_;
};

}  // namespace lockstep
