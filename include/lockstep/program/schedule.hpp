// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A schedule of any network and operation, as data: what every node does in every step (design,
/// section 3). It is stored sparsely: a node that does nothing in a step takes no memory for it,
/// and no time (program/schedule_program.hpp executes it).
///
/// In a Cayley graph, nodes may share what they do: those of one class have the same turns, and
/// `a` means the node u a to node u. If all nodes are one class, they run in groups
/// (program/grouped_schedule_program.hpp):
///
///     Schedule schedule(star);
///     const Region packet = schedule.add_region(6);
///     schedule.load({packet, 0, 6}, x, addresses);         // own blocks for u x a, a in addresses
///     schedule.move(port, {packet, 0, 6}, {other, 0, 6});  // one step: all send, all receive
///     schedule.move_and_deliver(port, {other, 0, 1}, {sources, 1});
///
/// Memory written in a step must not be what was sent in the step before: its receiver still reads
/// it. Nor what was delivered in the same step.
///
/// Otherwise every node is a class of its own, and actions name nodes as they are:
///
///     Schedule schedule(network.node_count(), {1});      // one region of one block per node
///     schedule.begin_turn(0, root);                       // what this node does in step 0:
///     schedule.load(Region{0}, 0, blocks);                // fetch blocks from the host,
///     schedule.send(port(1), {Region{0}, 0, 1});          // send one
///     schedule.begin_turn(1, neighbor);
///     schedule.take_store(port(0), {Region{0}, 0, 1});
///     schedule.close(1);                                  // 1 step; step 1 only receives
///
/// A turn takes 12 bytes, a class 4; the actions of turns that do the same are kept once.
/// program/schedule_file.hpp reads and writes files.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/routes.hpp"
#include "lockstep/program/work.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// A block requested from the host.
struct LoadedBlock {
  Origin origin;
  NodeId destination;
};

class Schedule {
 public:
  Schedule();
  /// `regions`: default sizes of the regions of a node, in blocks.
  Schedule(std::uint64_t nodes, std::vector<std::uint32_t> regions);
  /// All nodes are one class, and the first step has begun.
  // Not a copy constructor in disguise: concept checking would recurse.
  template <class Group>
  requires(!std::same_as<Group, Schedule> &&
           CayleyTopology<Group>) explicit Schedule(const Group& group)
      : Schedule(group, std::vector<std::uint32_t>()) {
    next_turn(0, 0);
  }
  /// `class_of`: of every node; empty: all are one. Throws InvalidParameter if a class has no
  /// nodes.
  template <CayleyTopology Group>
  Schedule(const Group& group, std::vector<std::uint32_t> class_of)
      : Schedule(group.node_count(), std::vector<std::uint32_t>()) {
    for (std::size_t p = 0; p < group.degree(group.identity()); ++p)
      reverse_ports_.push_back(group.reverse_port(group.identity(), port(p)));
    set_classes(std::move(class_of));
  }
  Schedule(Schedule&&) noexcept;
  Schedule& operator=(Schedule&&) noexcept;
  ~Schedule();

  // Writing. Each function throws InvalidParameter where its arguments do not fit in memory's
  // addresses (regions, slots) or in the format's limits.

  Region add_region(SlotNumber blocks) {
    regions_.push_back(blocks);
    return static_cast<Region>(regions_.size() - 1);
  }
  /// Sizes of the regions of one node; none exceeds that given to the constructor.
  void set_sizes(NodeId node, std::span<const std::uint32_t> blocks);
  /// Regions that hold control words instead of blocks.
  void set_control(std::vector<Region> regions) { control_ = std::move(regions); }
  /// How many turns there will be, at most: saves memory while they are written, as does to write
  /// them node by node.
  void reserve(std::uint64_t turns);
  /// The following actions belong to this node and step. Precondition: not before the step of the
  /// node's previous turn.
  void begin_turn(std::uint64_t step, NodeId node) { next_turn(step, index(node)); }
  /// The same, unless they belong there already.
  void enter_turn(std::uint64_t step, NodeId node) {
    if (turns_.empty() || turns_.back().step != step || turn_classes_.back() != index(node))
      begin_turn(step, node);
  }
  /// The same of the nodes of a class.
  void begin_turn_of_class(std::uint64_t step, std::uint64_t of_class) {
    next_turn(step, of_class);
  }
  /// Ends the step of a schedule of one class; actions that follow belong to the next one.
  void next_step() { next_turn(++steps_, 0); }
  /// Messages that are sent from now on belong to this phase (program/phases.hpp).
  void begin_phase(std::string name) { phases_.push_back({std::move(name), steps_}); }

  // Reception: of the message that came through `port` in the step before, or, where nodes share
  // turns, that was sent through it. Several actions in a row with one port mean one message; in
  // groups, each takes one.
  void take(Port port) { add({Action::Kind::take, port, {}, {}, 0}); }
  void take_store(Port port, Blocks into) { add({Action::Kind::take_store, port, into, {}, 0}); }
  void take_store(Port port, Region region, std::span<const std::uint32_t> slots) {
    add(Action::Kind::take_store, Action::Kind::take_scatter, port, region, slots);
  }
  void take_scatter(Port port, Region region, GatherList slots) {
    add({Action::Kind::take_scatter, port, {region, 0, 0}, {}, index(slots)});
  }
  void take_combine(Port port, Blocks into) {
    add({Action::Kind::take_combine_into, port, into, {}, into.first});
  }
  void take_combine(Port port, Region region, GatherList slots) {
    add({Action::Kind::take_combine_list, port, {region, 0, 0}, {}, index(slots)});
  }
  void take_combine(Port port, Region region, std::span<const std::uint32_t> own,
                    std::span<const std::uint32_t> into, Operands order);
  /// Block first + i of the message is that of origins[i].
  void take_deliver(Port port, SlotNumber first, std::span<const Origin> origins);

  void copy(Blocks from, Blocks into) {
    add({Action::Kind::copy, {}, into, {index(from.region), 0}, from.first});
  }
  void combine(Blocks left, Blocks right, Blocks into);
  /// Slot first + i receives blocks[i] of the host.
  void load(Region region, SlotNumber first, std::span<const LoadedBlock> blocks);
  void load(Blocks into, NodeId destination);  ///< one own block
  /// Slot first + i receives the node's own block for element i.
  void load(Region region, SlotNumber first, Elements destinations) {
    add({Action::Kind::load, {}, {region, first, destinations.count}, destinations, 0});
  }
  /// Block i of `into` <- the own block for u x a_i, where x is the first of the elements `x`;
  /// without `relative`, that for u x. Precondition: nodes share turns.
  void load(Blocks into, Elements x, Elements relative = {}) {
    add({Action::Kind::load, {}, into, relative, x.first});
  }
  /// Slot first + i is the block of origins[i].
  void deliver(Region region, SlotNumber first, std::span<const Origin> origins);
  void deliver(Blocks own, Origin origin) { deliver(own.region, own.first, {&origin, 1}); }
  /// The same of origins that add_elements() was given, as if they were nodes.
  void deliver(Region region, SlotNumber first, Elements origins) {
    add({Action::Kind::deliver, {}, {region, first, origins.count}, origins, 0});
  }
  void deliver(Blocks own, Elements origins) { deliver(own.region, own.first, origins); }
  void take_deliver(Port port, Elements origins) {
    add({Action::Kind::take_deliver, port, {Region{}, 0, origins.count}, origins, 0});
  }
  void send(Port port, Blocks blocks) { add({Action::Kind::send, port, blocks, {}, 0}); }
  void send(Port port, Region region, std::span<const std::uint32_t> slots) {
    add(Action::Kind::send, Action::Kind::send_list, port, region, slots);
  }
  void send(Port port, Region region, GatherList slots) {
    add({Action::Kind::send_list, port, {region, 0, 0}, {}, index(slots)});
  }
  /// Over all links of a route, which begins at the node.
  void send(std::span<const Port> route, Region region, std::span<const std::uint32_t> slots) {
    const Elements over{index(routes_.add(route)), 1};
    add(Action::Kind::send_route, Action::Kind::send_route_list, {}, region, slots, over);
  }

  // The common cases of one class: one message per processor and step.
  void move(Port through, Blocks from, Blocks into) {
    send(through, from);
    next_step();
    take_store(through, into);
  }
  void move_and_deliver(Port through, Blocks from, Elements origins) {
    send(through, from);
    next_step();
    take_deliver(through, origins);
  }

  // Lists that many actions name parts of, so that no action needs memory for a list of its own.
  [[nodiscard]] Elements add_elements(std::span<const NodeId> nodes);
  /// Throws InvalidParameter where a message cannot name the list, or all of its blocks.
  GatherList add_list(std::span<const std::uint32_t> slots);
  /// The number of the first one.
  [[nodiscard]] std::uint32_t add_slots(std::span<const std::uint32_t> slots);
  /// The part of them that begins at number `first`.
  [[nodiscard]] GatherList add_list(SlotNumber first, std::uint32_t count);

  /// Ends the writing. `steps`: of the run, the last ones of which may be idle.
  void close(std::uint64_t steps, std::vector<Phase> phases = {});
  /// With the steps and phases that were begun, unless it is closed already.
  void close() {
    if (writing_) close(steps_, std::move(phases_));
  }
  /// The same regions, elements and lists, and no turns: of other classes.
  [[nodiscard]] Schedule without_turns(std::vector<std::uint32_t> class_of) const;
  /// Actions of another schedule with these regions, elements and lists.
  void repeat(std::span<const Action> actions) {
    actions_.insert(actions_.end(), actions.begin(), actions.end());
  }

  // Reading.

  /// A node's part in a step: the number of what it does there.
  struct Turn {
    std::uint32_t step;
    std::uint32_t actions;
  };
  /// In the order of the steps.
  [[nodiscard]] std::span<const Turn> turns_of(NodeId node) const noexcept {
    return turns_of_class(class_of(node));
  }
  [[nodiscard]] std::span<const Turn> turns_of_class(std::uint64_t of_class) const noexcept {
    return {turns_.data() + first_turn_[of_class], turns_.data() + first_turn_[of_class + 1]};
  }
  [[nodiscard]] std::uint64_t classes() const noexcept { return classes_; }
  [[nodiscard]] std::uint64_t class_of(NodeId node) const noexcept {
    if (is_of_one_class()) return 0;
    return class_of_.empty() ? index(node) : class_of_[index(node)];
  }
  /// Whether nodes share turns, and elements are relative addresses.
  [[nodiscard]] bool is_relative() const noexcept { return relative_; }
  [[nodiscard]] bool is_of_one_class() const noexcept { return relative_ && classes_ == 1; }
  [[nodiscard]] std::span<const Action> actions(Turn turn) const noexcept {
    return {actions_.data() + first_action_[turn.actions],
            actions_.data() + first_action_[turn.actions + 1]};
  }
  /// The actions of all nodes in this step; those of step_count() receive the messages of the last
  /// step. Precondition: one class.
  [[nodiscard]] std::span<const Action> actions(std::uint64_t step) const noexcept {
    return actions(turns_[step]);
  }
  /// Precondition: the node has a turn in this step.
  [[nodiscard]] std::span<const Action> actions(std::uint64_t step, NodeId node) const noexcept {
    return actions(*std::ranges::lower_bound(turns_of(node), step, {}, &Turn::step));
  }
  [[nodiscard]] std::uint64_t turn_count() const noexcept { return turns_.size(); }
  /// The nodes that have a turn in the step, and perhaps others. Not of one class.
  [[nodiscard]] std::span<const std::uint32_t> nodes_in(std::uint64_t step) const noexcept;
  /// The step of the last turn; 0 if there is none.
  [[nodiscard]] std::uint64_t last_turn_step() const noexcept { return last_turn_step_; }

  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return steps_; }
  [[nodiscard]] const std::vector<Phase>& phases() const noexcept { return phases_; }
  [[nodiscard]] const std::vector<std::uint32_t>& regions() const noexcept { return regions_; }
  [[nodiscard]] const std::vector<Region>& control_regions() const noexcept { return control_; }
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region region) const noexcept {
    return sizes_.empty() ? regions_[index(region)]
                          : sizes_[index(node) * regions_.size() + index(region)];
  }
  [[nodiscard]] std::span<const std::uint32_t> list(GatherList list) const noexcept {
    const auto [first, count] = lists_[index(list)];
    return {slots_.data() + first, count};
  }
  /// The list of the action. Precondition: the action has one.
  [[nodiscard]] std::span<const std::uint32_t> list(const Action& action) const noexcept {
    return list(static_cast<GatherList>(action.element_or_list));
  }
  /// Element i of an action of the node: without elements, the node itself.
  [[nodiscard]] NodeId element(const Action& action, std::uint32_t i, NodeId node) const noexcept {
    return action.elements.count == 0 ? node : element(std::uint64_t{action.elements.first} + i);
  }
  [[nodiscard]] NodeId element(std::uint64_t i) const noexcept { return NodeId{elements_[i]}; }
  [[nodiscard]] std::vector<NodeId> elements() const;
  [[nodiscard]] std::uint64_t element_count() const noexcept { return elements_.size(); }
  [[nodiscard]] const Routes& routes() const noexcept { return routes_; }
  [[nodiscard]] bool takes_routes() const noexcept { return routes_.size() != 0; }

  /// Counted action by action. Searches, and calls in which messages that were gathered are stored,
  /// are those of the machine but for few.
  [[nodiscard]] PlannedWork work() const;
  /// Memory of this plan, which all nodes share.
  [[nodiscard]] std::uint64_t bytes() const noexcept;
  /// Peak memory while it was written.
  [[nodiscard]] std::uint64_t writing_bytes() const noexcept;

 private:
  struct Writing;
  class WorkCount;

  void add(Action action) {
    if (is_reception(action.kind) && !reverse_ports_.empty())
      action.port = reverse_ports_[lockstep::index(action.port)];
    actions_.push_back(action);
  }
  /// The first kind where the slots are consecutive, else that of a list.
  void add(Action::Kind of_blocks, Action::Kind of_list, Port port, Region region,
           std::span<const std::uint32_t> slots, Elements elements = {});
  void set_classes(std::vector<std::uint32_t> class_of);
  void next_turn(std::uint64_t step, std::uint64_t of_class);
  /// Every step of the one class has a turn.
  void fill_steps();
  void sort_turns();
  void list_nodes();
  /// Keeps the actions of the turn written last, unless another turn has the same.
  void end_turn();
  /// `List`: of origins, or of nodes.
  template <class List>
  [[nodiscard]] Elements elements(const List& list);
  [[nodiscard]] bool is_own(Origin origin) const noexcept;
  [[nodiscard]] bool is_control(Region region) const noexcept;

  std::uint64_t nodes_ = 0;
  std::uint64_t classes_ = 0;
  bool relative_ = false;
  std::uint64_t steps_ = 0;
  std::uint64_t last_turn_step_ = 0;
  std::vector<std::uint32_t> regions_;
  std::vector<std::uint32_t> sizes_;  // node by node; empty: all as regions_
  std::vector<Region> control_;
  std::vector<Action> actions_;
  std::vector<std::uint32_t> first_action_{0};  // of each number
  std::vector<std::uint32_t> elements_;
  std::vector<std::uint32_t> slots_;  // of lists
  std::vector<Elements> lists_;       // parts of these
  Routes routes_;
  std::vector<Phase> phases_;
  std::vector<Port> reverse_ports_;          // where a message sent through a port arrives
  std::vector<std::uint32_t> class_of_;      // of nodes; empty: one class, or each node is one
  std::vector<std::uint32_t> class_nodes_;   // class by class; empty as before
  std::vector<std::uint32_t> first_node_;    // of each class in these
  std::vector<Turn> turns_;                  // class by class
  std::vector<std::uint32_t> first_turn_;    // of each class
  std::vector<std::uint32_t> turn_classes_;  // step by step; until close() as they are written
  std::vector<std::uint32_t> first_in_step_;
  std::unique_ptr<Writing> writing_;  // until close()
};

}  // namespace lockstep
