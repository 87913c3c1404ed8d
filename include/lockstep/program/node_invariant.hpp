// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Node-invariant schedules: the one list of relative moves that every processor of a Cayley graph
/// follows (design, section 2). It is written once, for the identity; a relative address a means
/// "the processor u a" to processor u.
///
///     NodeInvariantSchedule schedule(star);
///     const Region packet = schedule.add_region(6);
///     schedule.load({packet, 0, 6}, x, addresses);         // own blocks for u x a, a in addresses
///     schedule.move(port, {packet, 0, 6}, {other, 0, 6});  // one step: all send, all receive
///     schedule.move_and_deliver(port, {other, 0, 1}, {sources, 1});
///
/// Memory written in a step must not be what was sent in the step before: its receiver still reads
/// it. Nor what was delivered in the same step. Schedules keep two regions and alternate.
/// program/node_invariant.hpp runs them.

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/detail/any_translations.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class NodeInvariantSchedule {
 public:
  static constexpr std::uint64_t most_lists = std::uint64_t{max_region_blocks} + 1;
  /// `identity_reverse_ports[p]`: where a message sent through port p arrives.
  explicit NodeInvariantSchedule(std::vector<Port> reverse_ports)
      : reverse_ports_(std::move(reverse_ports)), pass_begin_{0} {}

  // Not a copy constructor in disguise: concept checking would recurse.
  template <class Group>
  requires(!std::same_as<Group, NodeInvariantSchedule> &&
           CayleyTopology<Group>) explicit NodeInvariantSchedule(const Group& group)
      : NodeInvariantSchedule(reverse_ports_of(group)) {}

  /// Room for so many.
  void reserve(std::uint64_t actions, std::uint64_t steps) {
    actions_.reserve(actions);
    pass_begin_.reserve(steps + 1);
  }

  Region add_region(SlotNumber blocks) {
    regions_.push_back(blocks);
    return static_cast<Region>(regions_.size() - 1);
  }
  /// Throws InvalidParameter beyond 2^32 - 1 elements in all.
  Elements add_elements(std::span<const NodeId> elements) {
    check_room("elements", elements_.size() + elements.size(), most_entries);
    const auto first = static_cast<std::uint32_t>(elements_.size());
    elements_.insert(elements_.end(), elements.begin(), elements.end());
    return {first, static_cast<std::uint32_t>(elements.size())};
  }
  /// Throws InvalidParameter where a message cannot name the list, or all of its blocks.
  GatherList add_list(std::span<const std::uint32_t> slots) {
    check_room("gather lists", list_begin_.size(), most_lists);
    check_room("blocks of a list", slots.size(), max_region_blocks);
    check_room("blocks of lists", lists_.size() + slots.size(), most_entries);
    lists_.insert(lists_.end(), slots.begin(), slots.end());
    list_begin_.push_back(static_cast<std::uint32_t>(lists_.size()));
    return static_cast<GatherList>(list_begin_.size() - 2);
  }

  // What all processors do in the current step, in this order; a message is sent last.
  /// Block i of `into` <- the own block for u x a_i, where x = elements()[x.first].
  void load(Blocks into, Elements x, Elements relative) {
    actions_.push_back({Action::Kind::load, {}, into, relative, x.first});
  }
  /// `into` is one block <- the own block for u x.
  void load(Blocks into, Elements x) {
    actions_.push_back({Action::Kind::load, {}, into, {}, x.first});
  }
  /// Block i of `from` is the block of u a_i for me.
  void deliver(Blocks from, Elements sources) {
    actions_.push_back({Action::Kind::deliver, {}, from, sources, 0});
  }
  void send(Port through, Blocks from) {
    actions_.push_back({Action::Kind::send, through, from, {}, 0});
  }
  void send(Port through, Region region, GatherList list) {
    actions_.push_back({Action::Kind::send_list, through, {region, 0, 0}, {}, number(list)});
  }
  /// Ends the step; what follows belongs to the next one.
  void next_step() { pass_begin_.push_back(actions_.size()); }
  /// What is sent from now on belongs to it (program/phases.hpp).
  void begin_phase(std::string name) { phases_.push_back({std::move(name), step_count()}); }
  // The reception of what was sent through `port` in the step before.
  void take_store(Port sent_through, Blocks into) {
    actions_.push_back({Action::Kind::take_store, arrival_port(sent_through), into, {}, 0});
  }
  void take_scatter(Port sent_through, Region region, GatherList list) {
    actions_.push_back(
        {Action::Kind::take_scatter, arrival_port(sent_through), {region, 0, 0}, {}, number(list)});
  }
  void take_deliver(Port sent_through, Elements sources) {
    const Blocks none{Region{}, 0, sources.count};
    actions_.push_back({Action::Kind::take_deliver, arrival_port(sent_through), none, sources, 0});
  }

  // The same, combined with what is there; of operations whose operands may change places.
  void take_combine(Port sent_through, Blocks with) {
    actions_.push_back({Action::Kind::take_combine, arrival_port(sent_through), with, {}, 0});
  }
  void take_combine(Port sent_through, Region region, GatherList list) {
    actions_.push_back({Action::Kind::take_combine_list,
                        arrival_port(sent_through),
                        {region, 0, 0},
                        {},
                        number(list)});
  }
  /// into <- as many blocks from slot `left` of its region o as many from slot `right`.
  void combine(Blocks into, std::uint32_t left, std::uint32_t right) {
    actions_.push_back({Action::Kind::combine, {}, into, {left, 0}, right});
  }

  // The common cases: one message per processor and step.
  void move(Port through, Blocks from, Blocks into) {
    send(through, from);
    next_step();
    take_store(through, into);
  }
  void move_and_deliver(Port through, Blocks from, Elements sources) {
    send(through, from);
    next_step();
    take_deliver(through, sources);
  }

  [[nodiscard]] std::uint64_t step_count() const noexcept { return pass_begin_.size() - 1; }
  [[nodiscard]] const std::vector<Phase>& phases() const noexcept { return phases_; }
  /// Where others make so many steps of each.
  void scale_phases(std::uint64_t steps) {
    for (Phase& phase : phases_) phase.first_step *= steps;
  }
  [[nodiscard]] const std::vector<std::uint32_t>& regions() const noexcept { return regions_; }
  [[nodiscard]] const std::vector<NodeId>& elements() const noexcept { return elements_; }

  [[nodiscard]] std::span<const std::uint32_t> list(GatherList list) const noexcept {
    const std::uint32_t begin = list_begin_[number(list)];
    return {lists_.data() + begin, list_begin_[number(list) + 1] - begin};
  }
  /// step == step_count(): what is done with the messages of the last step.
  [[nodiscard]] std::span<const Action> actions(std::uint64_t step) const noexcept {
    const std::uint64_t end =
        step + 1 < pass_begin_.size() ? pass_begin_[step + 1] : actions_.size();
    return {actions_.data() + pass_begin_[step], end - pass_begin_[step]};
  }
  [[nodiscard]] std::uint64_t action_count() const noexcept { return actions_.size(); }
  /// Those of all steps, in order: number `first` to below `last`.
  [[nodiscard]] std::span<const Action> actions(std::uint64_t first,
                                                std::uint64_t last) const noexcept {
    return {actions_.data() + first, last - first};
  }
  /// Of this plan, shared by all processors.
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return actions_.size() * sizeof(Action) + pass_begin_.size() * sizeof(std::uint64_t) +
           elements_.size() * sizeof(NodeId) + lists_.size() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint64_t most_entries = std::numeric_limits<std::uint32_t>::max();

  static void check_room(const char* what, std::uint64_t wanted, std::uint64_t most) {
    if (wanted > most)
      throw InvalidParameter("schedule: " + std::to_string(wanted) + " " + what +
                             "; allowed: up to " + std::to_string(most));
  }
  template <CayleyTopology Group>
  static std::vector<Port> reverse_ports_of(const Group& group) {
    std::vector<Port> ports;
    for (std::size_t p = 0; p < group.degree(group.identity()); ++p)
      ports.push_back(group.reverse_port(group.identity(), port(p)));
    return ports;
  }
  [[nodiscard]] static constexpr std::uint32_t number(GatherList list) noexcept {
    return static_cast<std::uint32_t>(list);
  }
  [[nodiscard]] Port arrival_port(Port sent_through) const {
    return reverse_ports_[index(sent_through)];
  }

  std::vector<Port> reverse_ports_;
  std::vector<std::uint32_t> regions_;
  std::vector<NodeId> elements_;
  std::vector<std::uint32_t> lists_;
  std::vector<std::uint32_t> list_begin_{0};
  std::vector<Action> actions_;
  std::vector<std::uint64_t> pass_begin_;
  std::vector<Phase> phases_;
};

/// Node-invariant programs: run a NodeInvariantSchedule on every processor of a Cayley graph.
///
///     NodeInvariantProgram program(star, std::move(schedule));  // runs on the machine
class NodeInvariantProgram {
 public:
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits =
      Traits::step_count | Traits::step_all | Traits::gather_list | Traits::phases;
  static constexpr CompiledChannels compiled_channels = CompiledChannels::every;

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
  [[gnu::always_inline]] void step_all(GroupView& here) const {
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
