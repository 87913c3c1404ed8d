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

#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/node_invariant_schedule.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/topology.hpp"
#include "lockstep/topology/translations.hpp"

namespace lockstep {

class NodeInvariantProgram {
 public:
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr bool all_channels = true;

  template <CayleyTopology Group>
  NodeInvariantProgram(const Group& group, NodeInvariantSchedule schedule)
      : schedule_(std::move(schedule)), translations_(group, schedule_.elements()) {}

  /// With addresses of any other kind.
  NodeInvariantProgram(const AddressRule& addresses, NodeInvariantSchedule schedule)
      : schedule_(std::move(schedule)), translations_(addresses, schedule_.elements()) {}

  [[nodiscard]] const NodeInvariantSchedule& schedule() const noexcept { return schedule_; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return schedule_.regions(); }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return schedule_.step_count(); }
  [[nodiscard]] const std::vector<Phase>& phases() const noexcept { return schedule_.phases(); }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList list) const noexcept {
    return schedule_.list(list);
  }

  /// Who is at a relative address is computed for all processors of a group in one loop.
  template <class GroupView>
  [[gnu::always_inline]] void together(GroupView& here) const {
    Addresses<GroupView> addresses;
    for (const Action& action : schedule_.actions(here.step())) perform(action, here, addresses);
  }

  /// Room for two addresses of every processor of a group.
  template <class GroupView>
  struct Addresses {
    std::array<std::uint32_t, GroupView::max_size> near;
    std::array<std::uint32_t, GroupView::max_size> far;
  };

  /// One action of the list: for programs that keep to the list, but not to its steps.
  template <class GroupView>
  [[gnu::always_inline]] void perform(const Action& action, GroupView& here,
                                      Addresses<GroupView>& addresses) const {
    const Blocks& blocks = action.blocks;
    auto& near = addresses.near;
    auto& far = addresses.far;
    const auto all_times = [&](std::uint32_t element) -> const std::uint32_t* {
      translations_.apply(here.first(), element, std::span(near.data(), here.size()));
      return near.data();
    };
    const auto sources = [&](std::uint32_t i) { return all_times(action.elements.first + i); };
    switch (action.kind) {
      case Action::Kind::take_store:
        return here.take_and_store(action.port, blocks);
      case Action::Kind::take_scatter:
        return here.take_and_store(action.port, blocks.region, list_of(action));
      case Action::Kind::take_deliver:
        return here.take_and_deliver(action.port, blocks.count, sources);
      case Action::Kind::take_combine:
        return here.take_and_combine(action.port, blocks, Operands::own_first);
      case Action::Kind::take_combine_list:
        return here.take_and_combine(action.port, blocks.region, list_of(action),
                                     Operands::own_first);
      case Action::Kind::combine:
        return here.combine({blocks.region, action.elements.first, blocks.count},
                            {blocks.region, action.element_or_list, blocks.count}, blocks);
      case Action::Kind::load:
        all_times(action.element_or_list);
        return here.load(blocks, [&](std::uint32_t i) -> const std::uint32_t* {
          if (action.elements.count == 0) return near.data();
          translations_.apply(std::span<const std::uint32_t>(near.data(), here.size()),
                              action.elements.first + i, std::span(far.data(), here.size()));
          return far.data();
        });
      case Action::Kind::deliver:
        return here.deliver(blocks, sources);
      case Action::Kind::send:
        return here.send(action.port, blocks);
      case Action::Kind::send_list:
        return here.send(action.port, blocks.region, list_number(action));
      default:
        expects(false, "the actions of schedules by node are in none of classes");
    }
  }

 private:
  [[nodiscard]] static GatherList list_number(const Action& action) noexcept {
    return static_cast<GatherList>(action.element_or_list);
  }
  [[nodiscard]] std::span<const std::uint32_t> list_of(const Action& action) const noexcept {
    return schedule_.list(list_number(action));
  }

  NodeInvariantSchedule schedule_;
  AnyTranslations translations_;
};

}  // namespace lockstep
