// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Node-invariant programs: run a NodeInvariantSchedule on every processor of a Cayley graph.
///
///     NodeInvariantProgram program(star, std::move(schedule));  // runs on the machine

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/node_invariant_schedule.hpp"
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
    for (const Action& action : schedule_.actions(here.step())) perform(action, here);
  }

  /// The same rule for many processors at once: who is at a relative address is computed for all of
  /// them in one loop.
  template <class GroupView>
  [[gnu::always_inline]] void together(GroupView& here) const {
    std::array<std::uint32_t, GroupView::max_size> products;
    for (const Action& action : schedule_.actions(here.step()))
      perform_together(action, here, products.data());
  }

  /// One action of the list: for programs that keep to the list, but not to its steps.
  template <class StepView>
  [[gnu::always_inline]] void perform(const Action& action, StepView& here) const {
    const Blocks& blocks = action.blocks;
    const NodeId me = here.node();
    const auto source = [&](std::uint32_t i) {
      return translations_.apply(me, action.elements.first + i);
    };
    switch (action.kind) {
      case Action::Kind::take_store:
        return here.store(here.take(action.port), blocks);
      case Action::Kind::take_scatter:
        return here.store(here.take(action.port), blocks.region, list_of(action));
      case Action::Kind::take_deliver: {
        const auto arrival = here.take(action.port);
        for (std::uint32_t i = 0; i < blocks.count; ++i) here.deliver(arrival, i, source(i));
        return;
      }
      case Action::Kind::load: {
        const NodeId via = translations_.apply(me, action.element_or_list);
        if (action.elements.count == 0) return here.load(blocks.region, blocks.first, via);
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.load(blocks.region, blocks.first + i,
                    translations_.apply(via, action.elements.first + i));
        return;
      }
      case Action::Kind::deliver:
        for (std::uint32_t i = 0; i < blocks.count; ++i)
          here.deliver(blocks.region, blocks.first + i, source(i));
        return;
      case Action::Kind::send:
        return here.send(action.port, blocks);
      case Action::Kind::send_list:
        return here.send(action.port, blocks.region, list_number(action));
    }
  }

 private:
  template <class GroupView>
  [[gnu::always_inline]] void perform_together(const Action& action, GroupView& here,
                                               std::uint32_t* products) const {
    const Blocks& blocks = action.blocks;
    const auto all_times = [&](std::uint32_t element) {
      translations_.apply(here.first(), element, std::span(products, here.size()));
      return products;
    };
    const auto sources = [&](std::uint32_t i) { return all_times(action.elements.first + i); };
    switch (action.kind) {
      case Action::Kind::take_store:
        return here.take_and_store(action.port, blocks);
      case Action::Kind::take_scatter:
        return here.take_and_store(action.port, blocks.region, list_of(action));
      case Action::Kind::take_deliver:
        return here.take_and_deliver(action.port, blocks.count, sources);
      case Action::Kind::load:
        all_times(action.element_or_list);
        if (action.elements.count == 0)
          return here.load(blocks,
                           [&](std::size_t k, std::uint32_t) { return NodeId{products[k]}; });
        return here.load(blocks, [&](std::size_t k, std::uint32_t i) {
          return translations_.apply(NodeId{products[k]}, action.elements.first + i);
        });
      case Action::Kind::deliver:
        return here.deliver(blocks, sources);
      case Action::Kind::send:
        return here.send(action.port, blocks);
      case Action::Kind::send_list:
        return here.send(action.port, blocks.region, list_number(action));
    }
  }

  [[nodiscard]] static GatherList list_number(const Action& action) noexcept {
    return static_cast<GatherList>(action.element_or_list);
  }
  [[nodiscard]] std::span<const std::uint32_t> list_of(const Action& action) const noexcept {
    return schedule_.list(list_number(action));
  }

  NodeInvariantSchedule schedule_;
  Translations<Group> translations_;
};

}  // namespace lockstep
