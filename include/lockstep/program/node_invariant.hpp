// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Node-invariant programs: run a NodeInvariantSchedule on every processor of a Cayley graph.
///
///     NodeInvariantProgram program(star, std::move(schedule));  // runs on the machine

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/node_invariant_schedule.hpp"
#include "lockstep/program/prepared_actions.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/topology.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

template <CayleyTopology Group>
class NodeInvariantProgram {
 public:
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;

  NodeInvariantProgram(const Group& group, NodeInvariantSchedule schedule)
      : schedule_(std::move(schedule)), translations_(group, schedule_.elements()) {}

  [[nodiscard]] const NodeInvariantSchedule& schedule() const noexcept { return schedule_; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return schedule_.regions(); }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return schedule_.step_count(); }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList list) const noexcept {
    return schedule_.list(list);
  }

  template <class StepView>
  void operator()(StepView& here) const {
    for (const Action& action : schedule_.actions(here.step()))
      perform(action.kind, PreparedAction{action}, here);
  }

  /// The same rule, prepared: products are computed for many processors at once, and the usual
  /// steps - one reception, one send, at most one block delivered or loaded between - get loops of
  /// their own.
  template <class Run>
  void with_rule(std::uint64_t step, std::uint64_t first, std::uint64_t last, Run&& run) const {
    const auto actions = schedule_.actions(step);
    Prepared prepared(translations_, actions);
    const std::uint64_t part = prepared.needs_products() ? Prepared::part : last - first;
    for (std::uint64_t begin = first; begin < last; begin += part) {
      const std::uint64_t end = std::min(begin + part, last);
      prepared.compute(begin, end);
      run_prepared(prepared, begin, end, run);
    }
  }

 private:
  using Prepared = PreparedActions<Translations<Group>>;

  // Rules as types, not lambdas, so that they can ask to be inlined: a call per processor costs
  // more than the step.

  struct Listed {
    const NodeInvariantProgram* program;
    std::span<const PreparedAction> actions;

    template <class StepView>
    [[gnu::always_inline]] void operator()(StepView& here) const {
      for (const PreparedAction& entry : actions) program->perform(entry.action.kind, entry, here);
    }
  };

  template <Action::Kind kind>
  struct One {
    const NodeInvariantProgram* program;
    PreparedAction entry;

    template <class StepView>
    [[gnu::always_inline]] void operator()(StepView& here) const {
      program->perform(kind, entry, here);
    }
  };

  struct Nothing {
    template <class StepView>
    [[gnu::always_inline]] void operator()(StepView&) const {}
  };

  template <class First, class Between>
  struct Framed {
    First first;
    Between between;
    Port port;
    PackedBlocks blocks;

    template <class StepView>
    [[gnu::always_inline]] void operator()(StepView& here) const {
      first(here);
      between(here);
      here.send(port, blocks);
    }
  };

  template <class Run>
  void run_prepared(const Prepared& prepared, std::uint64_t begin, std::uint64_t end,
                    Run&& run) const {
    using Kind = Action::Kind;
    const auto list = prepared.list();
    if (list.empty())
      return run([this](auto& here) { (*this)(here); }, begin, end);  // a long step, or an idle one
    const bool framed = list.size() >= 2 && list.back().action.kind == Kind::send;
    const PreparedAction& first = list.front();
    if (framed && first.action.kind == Kind::take_store)
      return run_framed(One<Kind::take_store>{this, first}, list, begin, end, run);
    if (framed && first.action.kind == Kind::take_deliver && first.products != nullptr)
      return run_framed(One<Kind::take_deliver>{this, first}, list, begin, end, run);
    run(Listed{this, list}, begin, end);
  }

  template <class First, class Run>
  void run_framed(const First& first, std::span<const PreparedAction> list, std::uint64_t begin,
                  std::uint64_t end, Run&& run) const {
    using Kind = Action::Kind;
    const Port port = list.back().action.port;
    const PackedBlocks blocks(list.back().action.blocks);
    if (list.size() == 2) return run(Framed<First, Nothing>{first, {}, port, blocks}, begin, end);
    if (list.size() == 3 && list[1].action.kind == Kind::deliver && list[1].products != nullptr) {
      using Between = One<Kind::deliver>;
      return run(Framed<First, Between>{first, {this, list[1]}, port, blocks}, begin, end);
    }
    const Listed between{this, list.subspan(1, list.size() - 2)};
    run(Framed<First, Listed>{first, between, port, blocks}, begin, end);
  }

  template <class StepView>
  [[gnu::always_inline]] void perform(Action::Kind kind, const PreparedAction& entry,
                                      StepView& here) const {
    const Action& action = entry.action;
    const Blocks& blocks = action.blocks;
    const NodeId me = here.node();
    const bool known = entry.products != nullptr;
    switch (kind) {
      case Action::Kind::take_store:
        return here.store(here.take(action.port), blocks);
      case Action::Kind::take_scatter:
        return here.store(here.take(action.port), blocks.region, list_of(action));
      case Action::Kind::take_deliver: {
        const auto arrival = here.take(action.port);
        if (known) return here.deliver(arrival, 0, entry.product(me));
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.deliver(arrival, i, translations_.apply(me, action.elements.first + i));
        return;
      }
      case Action::Kind::load: {
        const NodeId via =
            known ? entry.product(me) : translations_.apply(me, action.element_or_list);
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.load(blocks.region, blocks.first + i,
                    translations_.apply(via, action.elements.first + i));
        return;
      }
      case Action::Kind::deliver:
        if (known) return here.deliver(blocks.region, blocks.first, entry.product(me));
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.deliver(blocks.region, blocks.first + i,
                       translations_.apply(me, action.elements.first + i));
        return;
      case Action::Kind::send:
        return here.send(action.port, blocks);
      case Action::Kind::send_list:
        return here.send(action.port, blocks.region,
                         static_cast<GatherList>(action.element_or_list));
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> list_of(const Action& action) const noexcept {
    return schedule_.list(static_cast<GatherList>(action.element_or_list));
  }

  NodeInvariantSchedule schedule_;
  Translations<Group> translations_;
};

}  // namespace lockstep
