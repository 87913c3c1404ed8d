// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A schedule of any network and operation, as data: what every node does in every step (design,
/// section 3). It is stored sparsely: a node that does nothing in a step takes no memory for it,
/// and no time (program/schedule_program.hpp executes it).
///
///     Schedule schedule(network.node_count(), {1});      // one region of one block per node
///     schedule.begin_step(0);
///     schedule.begin_turn(root);                          // what this node does in step 0:
///     schedule.load({Region{0}, 0, 1}, pairs);            // fetch a block from the host,
///     schedule.send(port(1), {Region{0}, 0, 1});          // send it
///     schedule.begin_step(1);
///     schedule.begin_turn(neighbor);
///     schedule.take(port(0), [&] { schedule.store({Region{0}, 0, 1}); });
///     schedule.close(1);                                  // 1 step; step 1 only receives
///
/// program/schedule_text.hpp reads and writes files.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/action.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/routes.hpp"

namespace lockstep {

/// The block that a host is asked for.
struct LoadedBlock {
  Origin origin;
  NodeId destination;
};

class Schedule {
 public:
  Schedule() = default;
  /// `regions`: the size of each, in blocks, of a node whose sizes are not set.
  Schedule(std::uint64_t nodes, std::vector<std::uint32_t> regions);

  // Writing, in the order of the steps. Each function throws InvalidParameter where its arguments
  // do not fit in memory's addresses (regions, slots) or in the format's limits.

  /// Sizes of the regions of one node; none exceeds that given to the constructor.
  void set_sizes(NodeId node, std::span<const std::uint32_t> blocks);
  /// Regions of control words in place of blocks.
  void set_control(std::vector<Region> regions) { control_ = std::move(regions); }
  /// Precondition: not before the step begun last.
  void begin_step(std::uint64_t step);
  /// What follows is done by this node in this step. Precondition: once per node and step.
  void begin_turn(NodeId node);

  // Reception: of the message that came through `port` in the step before. Several actions in a row
  // with one port mean one message.
  void take(Port port) { add({Action::Kind::take, port, {}, {}, 0}); }
  void take_store(Port port, Region region, std::span<const std::uint32_t> slots);
  void take_combine(Port port, Region region, std::span<const std::uint32_t> own,
                    std::span<const std::uint32_t> into, Operands order);
  /// Block first + i of the message is that of origins[i].
  void take_deliver(Port port, std::uint32_t first, std::span<const Origin> origins);

  void copy(Blocks from, Blocks into);
  void combine(Blocks left, Blocks right, Blocks into);
  /// Slot first + i receives blocks[i] of the host.
  void load(Region region, std::uint32_t first, std::span<const LoadedBlock> blocks);
  /// Slot first + i is the block of origins[i].
  void deliver(Region region, std::uint32_t first, std::span<const Origin> origins);
  void send(Port port, Region region, std::span<const std::uint32_t> slots);
  /// Over all links of a route, which begins at the node.
  void send(std::span<const Port> route, Region region, std::span<const std::uint32_t> slots);

  /// Ends the writing. `steps`: of the run, the last ones of which may be idle.
  void close(std::uint64_t steps, std::vector<Phase> phases = {});

  // Reading.

  /// What one node does in one step.
  struct Turn {
    std::uint64_t step = 0;
    std::span<const Action> actions{};
  };
  [[nodiscard]] std::uint64_t turn_count() const noexcept { return turn_node_.size(); }
  [[nodiscard]] std::uint64_t turn_count(NodeId node) const noexcept {
    return first_turn_[index(node) + 1] - first_turn_[index(node)];
  }
  /// Turn i of a node, in the order of the steps.
  [[nodiscard]] Turn turn(NodeId node, std::uint64_t i) const noexcept {
    return turn(turn_of_node_[first_turn_[index(node)] + i]);
  }
  /// Turn i of all, in the order of the steps.
  [[nodiscard]] Turn turn(std::uint64_t i) const noexcept {
    return {turn_step_[i],
            {actions_.data() + first_action_[i], actions_.data() + first_action_[i + 1]}};
  }
  /// Nodes that have a turn in the step.
  [[nodiscard]] std::span<const std::uint32_t> nodes_in(std::uint64_t step) const noexcept;
  /// Number of the first of these turns.
  [[nodiscard]] std::uint64_t first_turn_in(std::uint64_t step) const noexcept {
    return first_in_step_[step];
  }
  /// Of the last turn; 0 where there is none.
  [[nodiscard]] std::uint64_t last_turn_step() const noexcept {
    return turn_step_.empty() ? 0 : turn_step_.back();
  }

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
    const std::uint64_t first = first_of_list_[index(list)];
    return {slots_.data() + first, slots_.data() + first_of_list_[index(list) + 1]};
  }
  [[nodiscard]] NodeId element(std::uint64_t i) const noexcept { return elements_[i]; }
  [[nodiscard]] const Routes& routes() const noexcept { return routes_; }
  [[nodiscard]] bool takes_routes() const noexcept { return routes_.size() != 0; }

  /// Messages, and blocks in the largest message of each step, summed.
  struct Traffic {
    std::uint64_t messages = 0;
    std::uint64_t startups = 0;
    std::uint64_t message_times = 0;
    std::uint64_t control_words = 0;
  };
  [[nodiscard]] Traffic traffic() const;
  /// Of this plan, shared by all nodes.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

 private:
  void add(const Action& action) { actions_.push_back(action); }
  [[nodiscard]] Elements elements(std::span<const Origin> origins);
  [[nodiscard]] std::uint32_t add_list(std::span<const std::uint32_t> slots);
  [[nodiscard]] bool is_control(Region region) const noexcept;

  std::uint64_t nodes_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t step_ = 0;  // begun last
  std::vector<std::uint32_t> regions_;
  std::vector<std::uint32_t> sizes_;  // node by node; empty: all as regions_
  std::vector<Region> control_;
  std::vector<Action> actions_;
  std::vector<NodeId> elements_;
  std::vector<std::uint32_t> slots_;  // of lists
  std::vector<std::uint64_t> first_of_list_{0};
  Routes routes_;
  std::vector<Phase> phases_;
  // Turns, in the order of the steps.
  std::vector<std::uint32_t> turn_node_;
  std::vector<std::uint64_t> turn_step_;
  std::vector<std::uint64_t> first_action_;  // one more at the end, once closed
  std::vector<std::uint64_t> first_in_step_;
  // The same, node by node.
  std::vector<std::uint64_t> first_turn_;
  std::vector<std::uint32_t> turn_of_node_;
};

}  // namespace lockstep
