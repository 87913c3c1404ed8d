// SPDX-License-Identifier: Apache-2.0

/// All-gather on any graph along a closed walk through all processors.
/// Model:   around a Hamiltonian cycle single-port, full-duplex; around a tree all-port,
///          full-duplex.
/// Idea:    the blocks of all processors go round the walk at the same time, a link in every step,
///          so that a link never carries two; a block ends where it has been everywhere.
/// Source:  Dimakopoulos 1996, section 4.1 for pipelining; walks are textbook (closed_walk.hpp).
/// Differs: none.
/// Program: a schedule, but not a plan of transfers. All nodes share the list of makers, which a
///          plan of N(N - 1) transfers cannot know: on mesh:16x32 the same cycle as transfers
///          (`one-way`) takes three times as long, and twice the memory.

#include "topology/closed_walk.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithm/planned_algorithms.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep {
namespace {

/// Writes what every node does. A block is named by the place in the walk where its maker comes
/// first; in step t that of place p is at place p + t.
class WalkWriter {
 public:
  WalkWriter(const ErasedTopology& network, const ClosedWalk& walk)
      : network_(network),
        walk_(walk),
        places_(network.node_count()),
        since_(walk.size()),
        steps_(walk.size()) {
    for (std::uint32_t i = 0; i < walk.size(); ++i) places_[index(walk[i])].push_back(i);
    for (std::uint64_t u = 0; u < places_.size(); ++u)
      for (std::size_t k = 0; k < places_[u].size(); ++k) {
        const std::uint32_t before = places_[u][k == 0 ? places_[u].size() - 1 : k - 1];
        since_[places_[u][k]] = k == 0 ? places_[u][k] + size() - before : places_[u][k] - before;
      }
    for (std::uint32_t p = 0; p < walk.size(); ++p) steps_[p] = has_block(p) ? steps_of(p) : 0;
  }

  [[nodiscard]] Schedule schedule() {
    std::uint32_t slots = 0;
    for (const auto& places : places_)
      slots = std::max(slots, 2 * static_cast<std::uint32_t>(places.size()));
    const std::uint32_t last = *std::ranges::max_element(steps_);
    Schedule schedule(network_.node_count(), {slots});
    schedule.reserve(network_.node_count() * (last + std::uint64_t{1}));
    makers_ = schedule.add_elements(walk_).first;
    for (std::uint64_t u = 0; u < places_.size(); ++u) {
      const std::uint32_t own = 2 * static_cast<std::uint32_t>(places_[u].size());
      schedule.set_sizes(NodeId{u}, {&own, 1});
      for (std::uint32_t t = 0; t <= last; ++t) write(schedule, NodeId{u}, t);
    }
    schedule.close(last);
    return schedule;
  }

 private:
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(walk_.size()); }
  [[nodiscard]] bool has_block(std::uint32_t p) const {
    return index(walk_[p]) < network_.processor_count() && places_[index(walk_[p])].front() == p;
  }
  /// Until all processors have been passed: what is passed again does not count.
  [[nodiscard]] std::uint32_t steps_of(std::uint32_t p) const {
    std::uint32_t last = 0;
    for (std::uint32_t t = 1; t < size(); ++t)
      if (is_new((p + t) % size(), t)) last = t;
    return last;
  }
  /// Whether a processor sees the block that is at place i in step t for the first time.
  [[nodiscard]] bool is_new(std::uint32_t i, std::uint32_t t) const {
    return index(walk_[i]) < network_.processor_count() && t < since_[i];
  }
  [[nodiscard]] Port port_between(std::uint32_t i, std::uint32_t j) const {
    const auto between = port_to(network_, walk_[i], walk_[j]);
    expects(between.has_value(), "places that follow each other are neighbours");
    return *between;
  }

  void write(Schedule& schedule, NodeId u, std::uint32_t t) const {
    const auto& places = places_[index(u)];
    const auto slot = [&](std::size_t k) {
      return Blocks{Region{0}, static_cast<std::uint32_t>(2 * k + t % 2), 1};
    };
    for (std::size_t k = 0; k < places.size(); ++k) {
      const std::uint32_t i = places[k];
      const std::uint32_t p = (i + size() - t % size()) % size();
      if (!has_block(p) || t > steps_[p] || steps_[p] == 0) continue;
      schedule.enter_turn(t, u);
      if (t == 0) {
        schedule.load(slot(k), u);
        continue;
      }
      const Port from = port_between(i, (i + size() - 1) % size());
      const Elements maker{makers_ + p, 1};
      if (t == steps_[p]) {
        schedule.take_deliver(from, maker);
        continue;
      }
      schedule.take_store(from, slot(k));
      if (is_new(i, t)) schedule.deliver(Region{0}, slot(k).first, maker);
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      const std::uint32_t p = (places[k] + size() - t % size()) % size();
      if (!has_block(p) || t >= steps_[p]) continue;
      schedule.enter_turn(t, u);
      schedule.send(port_between(places[k], (places[k] + 1) % size()), slot(k));
    }
  }

  const ErasedTopology& network_;
  const ClosedWalk& walk_;
  std::vector<std::vector<std::uint32_t>> places_;  // of a node, rising
  std::vector<std::uint32_t>
      since_;  // links of the walk from where the node of the place was before
  std::vector<std::uint32_t> steps_;  // that the block of the place makes
  std::uint32_t makers_ = 0;          // elements: by place
};

[[nodiscard]] PlannedSchedule along(const ErasedTopology& network, const ClosedWalk& walk) {
  return {.schedule = WalkWriter(network, walk).schedule(),
          .planning_bytes = walk.size() * sizeof(std::uint64_t)};
}

}  // namespace

const PlannedAlgorithm cycle_walk_gather = {
    .info = {.name = "hamiltonian-cycle",
             .operation = Operation::all_gather,
             .model = port_models::single_port,
             .source = "textbook",
             .startups = "N - 1",
             .message_times = "N - 1",
             .claims = {.startups = Among::one_block, .message_times = Among::all},
             .summary = "all blocks go around a Hamiltonian cycle, one link per step",
             .unbuffered = true},
    .networks = shapes::hamiltonian.up_to_nodes(most_searched_nodes),
    .schedule = [](const PlanRequest& asked) {
      const std::optional<ClosedWalk> walk = hamiltonian_cycle(asked.network);
      if (!walk)
        throw invalid(
            "hamiltonian-cycle on {}: found no Hamiltonian cycle; use another "
            "algorithm, such as tree-walk",
            asked.network.name());
      return along(asked.network, *walk);
    }};

const PlannedAlgorithm tree_walk_gather = {
    .info = {.name = "tree-walk",
             .operation = Operation::all_gather,
             .model = port_models::all_port,
             .source = "textbook",
             .costs = "at most 2N - 3 start-ups and message times",
             .summary = "all blocks go around a spanning tree, one link per step",
             .unbuffered = true,
             .promise_name = "plan"},
    .networks = shapes::any_network.up_to_nodes(1'024),
    .schedule = [](const PlanRequest& asked) {
      return along(asked.network, tree_walk(asked.network));
    }};

}  // namespace lockstep
