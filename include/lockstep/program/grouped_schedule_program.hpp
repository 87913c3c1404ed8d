// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Executes a schedule of one class of nodes (program/schedule.hpp) on a Cayley graph. All nodes
/// make the same moves, so that the machine runs them in groups: each action in one loop over many
/// nodes.
///
///     GroupedScheduleProgram program(star, std::move(schedule));  // runs on the machine

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/topology.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

class GroupedScheduleProgram {
 public:
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits =
      Traits::step_count | Traits::step_all | Traits::gather_list | Traits::phases;
  static constexpr CompiledChannels compiled_channels = CompiledChannels::every;

  template <CayleyTopology Group>
  GroupedScheduleProgram(const Group& group, std::shared_ptr<const Schedule> schedule)
      : schedule_(std::move(schedule)),
        translations_(any_translations(group, schedule_->elements())) {
    expects(schedule_->is_of_one_class(), "all nodes of a group make the same moves");
  }
  template <CayleyTopology Group>
  GroupedScheduleProgram(const Group& group, Schedule schedule)
      : GroupedScheduleProgram(group, closed(std::move(schedule))) {}

  [[nodiscard]] const Schedule& schedule() const noexcept { return *schedule_; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return schedule_->regions(); }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return schedule_->step_count(); }
  [[nodiscard]] const std::vector<Phase>& phases() const noexcept { return schedule_->phases(); }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList list) const noexcept {
    return schedule_->list(list);
  }

  /// Who is at a relative address is computed for all processors of a group in one loop.
  template <class GroupView>
  [[gnu::always_inline]] void step_all(GroupView& here) const {
    Addresses<GroupView> addresses;
    for (const Action& action : schedule_->actions(here.step())) perform(action, here, addresses);
  }

 private:
  [[nodiscard]] static std::shared_ptr<const Schedule> closed(Schedule schedule) {
    schedule.close();
    return std::make_shared<const Schedule>(std::move(schedule));
  }
  /// Room for two addresses of every processor of a group.
  template <class GroupView>
  struct Addresses {
    std::array<std::uint32_t, GroupView::max_size> near;
    std::array<std::uint32_t, GroupView::max_size> far;
  };

  template <class GroupView>
  [[gnu::always_inline]] void perform(const Action& action, GroupView& here,
                                      Addresses<GroupView>& addresses) const {
    const Blocks& blocks = action.blocks;
    auto& near = addresses.near;
    auto& far = addresses.far;
    const auto all_times = [&](std::uint32_t element) -> const std::uint32_t* {
      translations_->apply(here.first(), element, std::span(near.data(), here.size()));
      return near.data();
    };
    const auto sources = [&](std::uint32_t i) { return all_times(action.elements.first + i); };
    switch (action.kind) {
      case Action::Kind::take_store:
        return here.take_and_store(action.port, blocks);
      case Action::Kind::take_scatter:
        return here.take_and_store(action.port, blocks.region, schedule_->list(action));
      case Action::Kind::take_deliver:
        return here.take_and_deliver(action.port, blocks.count, sources);
      case Action::Kind::take_combine_into:
        return here.take_and_combine(action.port, blocks, Operands::own_first);
      case Action::Kind::take_combine_list:
        return here.take_and_combine(action.port, blocks.region, schedule_->list(action),
                                     Operands::own_first);
      case Action::Kind::combine:
        return here.combine({blocks.region, action.elements.first, blocks.count},
                            {blocks.region, action.element_or_list, blocks.count}, blocks);
      case Action::Kind::load:
        all_times(action.element_or_list);
        return here.load(blocks, [&](std::uint32_t i) -> const std::uint32_t* {
          if (action.elements.count == 0) return near.data();
          translations_->apply(std::span<const std::uint32_t>(near.data(), here.size()),
                               action.elements.first + i, std::span(far.data(), here.size()));
          return far.data();
        });
      case Action::Kind::deliver:
        return here.deliver(blocks, sources);
      case Action::Kind::send:
        return here.send(action.port, blocks);
      case Action::Kind::send_list:
        return here.send(action.port, blocks.region,
                         static_cast<GatherList>(action.element_or_list));
      default:
        expects(false, "the nodes of one class do nothing else");
    }
  }

  std::shared_ptr<const Schedule> schedule_;
  std::shared_ptr<const TranslationsInterface> translations_;
};

}  // namespace lockstep
