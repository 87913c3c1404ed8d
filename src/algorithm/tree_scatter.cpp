// SPDX-License-Identifier: Apache-2.0

/// Scatters over spanning trees, through one port of the root or through all.

#include "algorithm/tree_scatter.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithm/checks.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "topology/balanced_trees.hpp"

namespace lockstep {

/// The root serves queues of destinations, the furthest of each first; in every step one of each
/// queue. All others pass on what came in the step before.
class TreeWays {
 public:
  /// A queue for all destinations, or for those below every child of the root.
  enum class Queues : std::uint8_t { one, by_child };
  /// `operation`: scatter, or gather, which is the same backwards.
  TreeWays(ErasedTopology network, SpanningTree tree, Queues queues, Operation operation)
      : network_(std::move(network)),
        tree_(std::move(tree)),
        by_child_(queues == Queues::by_child),
        backwards_(operation == Operation::gather) {
    if (by_child_)
      for (const SpanningTree::Child& child : tree_.children(tree_.root())) add_queue(child.node);
    else
      add_queue(static_cast<std::uint32_t>(index(tree_.root())));
    // Longest queue first: the queues served in a step are then the first ones.
    std::ranges::stable_sort(queues_, std::ranges::greater(), &Queue::size);
  }

  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] std::uint64_t hops() const noexcept { return hops_; }
  [[nodiscard]] std::uint64_t nodes() const noexcept { return network_.node_count(); }
  /// Steps in which the root sends.
  [[nodiscard]] std::uint64_t rounds() const noexcept {
    return queues_.empty() ? 0 : queues_.front().size();
  }

  [[nodiscard]] Schedule schedule() const {
    const auto queues = static_cast<std::uint32_t>(std::max<std::size_t>(queues_.size(), 1));
    Schedule schedule(nodes(), {2 * queues});
    constexpr std::array<std::uint32_t, 1> slots{2};  // of what passes a node
    for (std::uint64_t u = 0; by_child_ && u < nodes(); ++u)
      if (NodeId{u} != tree_.root()) schedule.set_sizes(NodeId{u}, slots);
    schedule.reserve(hops_ + rounds());
    std::vector<std::vector<Port>> ports;                         // of the root, by queue and rank
    const auto nth = [&](std::uint64_t i, std::uint64_t count) {  // in the order of the steps
      return backwards_ ? count - 1 - i : i;
    };
    for (const Queue& queue : queues_) {
      std::vector<Port>& own = ports.emplace_back(queue.size());
      for (std::uint64_t i = 0; i < queue.size(); ++i)
        own[nth(i, own.size())] = write_way(schedule, queue, nth(i, own.size()));
    }
    for (std::uint64_t i = 0; i < rounds(); ++i) write_root(schedule, nth(i, rounds()), ports);
    schedule.close(steps_);
    return schedule;
  }

 private:
  using Queue = std::vector<std::uint32_t>;
  static constexpr Region passing{0};

  /// Adds the queue of the processors at and below `top`: furthest first, then by number.
  void add_queue(std::uint32_t top) {
    Queue queue;
    Queue waiting{top};
    while (!waiting.empty()) {
      const std::uint32_t u = waiting.back();
      waiting.pop_back();
      if (u < network_.processor_count() && NodeId{u} != tree_.root()) queue.push_back(u);
      for (const SpanningTree::Child& child : tree_.children(NodeId{u}))
        waiting.push_back(child.node);
    }
    std::ranges::sort(queue, [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(tree_.depth(NodeId{b}), a) < std::pair(tree_.depth(NodeId{a}), b);
    });
    for (std::uint64_t rank = 0; rank < queue.size(); ++rank) {
      const std::uint64_t depth = tree_.depth(NodeId{queue[rank]});
      steps_ = std::max(steps_, rank + depth);
      hops_ += depth;
    }
    queues_.push_back(std::move(queue));
  }

  /// A block that came in a step is passed on in that step and read in the next; then the slot is
  /// free.
  [[nodiscard]] static Blocks slot_of(std::uint64_t step) {
    return {passing, static_cast<std::uint32_t>(step % 2), 1};
  }
  /// Step in which a node at that depth handles destination `rank` of a queue.
  [[nodiscard]] std::uint64_t step_of(std::uint64_t rank, std::uint64_t depth) const {
    return backwards_ ? steps_ - rank - depth : rank + depth;
  }

  /// Writes the turns of all nodes on the way except the root. Returns the root's port to it.
  [[nodiscard]] Port write_way(Schedule& schedule, const Queue& queue, std::uint64_t rank) const {
    const NodeId end{queue[rank]};
    Port down{};
    for (NodeId u = end; u != tree_.root();) {
      const Port up = tree_.parent_port(u);
      const Blocks slot = slot_of(step_of(rank, tree_.depth(u)));
      schedule.begin_turn(step_of(rank, tree_.depth(u)), u);
      if (u != end)
        schedule.take_store(backwards_ ? down : up, slot);
      else if (backwards_)
        schedule.load(slot, tree_.root());
      else
        schedule.take_deliver(up, 0, std::array{Origin{index(tree_.root())}});
      if (backwards_ || u != end) schedule.send(backwards_ ? up : down, slot);
      down = network_.reverse_port(u, up);
      u = network_.neighbor(u, up);
    }
    return down;
  }

  /// The blocks of a step lie next to each other: however many there are, they are checked at once.
  void write_root(Schedule& schedule, std::uint64_t rank,
                  const std::vector<std::vector<Port>>& ports) const {
    schedule.begin_turn(step_of(rank, 0), tree_.root());
    const auto served = static_cast<std::size_t>(
        std::ranges::partition_point(queues_, [&](const Queue& q) { return rank < q.size(); }) -
        queues_.begin());
    const auto first = static_cast<std::uint32_t>(rank % 2 * queues_.size());
    if (!backwards_ && by_child_) {
      std::vector<LoadedBlock> blocks;
      for (std::size_t q = 0; q < served; ++q)
        blocks.push_back({Origin{index(tree_.root())}, NodeId{queues_[q][rank]}});
      schedule.load(passing, first, blocks);
    } else if (!backwards_) {
      schedule.load({passing, first, 1}, NodeId{queues_.front()[rank]});
    }
    for (std::uint32_t q = 0; q < served; ++q)
      if (backwards_)
        schedule.take_deliver(ports[q][rank], 0, std::array{Origin{queues_[q][rank]}});
      else
        schedule.send(ports[q][rank], {passing, first + q, 1});
  }

  ErasedTopology network_;
  SpanningTree tree_;
  bool by_child_;
  bool backwards_;
  std::vector<Queue> queues_;
  std::uint64_t steps_ = 0;
  std::uint64_t hops_ = 0;
};

AnyTreeScatter::AnyTreeScatter(const AlgorithmInfo& info, const ErasedTopology& network,
                               const Settings& settings)
    : ways_(std::make_shared<const TreeWays>(
          network, SpanningTree::of_processors(network, checked_root(info, network, settings)),
          TreeWays::Queues::one, info.operation)) {}

std::optional<Cost> AnyTreeScatter::promise() const { return Cost{ways_->steps(), ways_->steps()}; }

/// A turn for every hop and every message that leaves the root. What nodes do is the same but for
/// the root, which names every message.
Footprint AnyTreeScatter::footprint() const {
  constexpr std::uint64_t bytes_of_a_turn = 3 * sizeof(std::uint32_t);
  constexpr std::uint64_t bytes_of_a_message = 2 * sizeof(Action) + 2 * sizeof(std::uint32_t);
  return {.steps = ways_->steps(),
          .hops = ways_->hops(),
          .blocks_per_processor = 2,
          .plan_bytes = (ways_->hops() + ways_->rounds()) * bytes_of_a_turn +
                        ways_->rounds() * bytes_of_a_message +
                        (ways_->nodes() + ways_->steps()) * sizeof(std::uint32_t)};
}

std::uint64_t AnyTreeScatter::planning_bytes() const {
  constexpr std::uint64_t bytes_while_written = 3 * sizeof(std::uint32_t);
  return footprint().plan_bytes + (ways_->hops() + ways_->rounds()) * bytes_while_written;
}

ScheduleProgram AnyTreeScatter::program() const {
  return ScheduleProgram(std::make_shared<const Schedule>(ways_->schedule()));
}

namespace {

/// Scatter on any graph through all ports of the root over a balanced spanning tree; and gather,
/// which is the same backwards.
/// Model:   all-port, half-duplex.
/// Idea:    the root serves the subtree of each of its children through the child's port, furthest
///          destinations first, independently of the others; all others pass on what came in the
///          step before, so that no message ever waits.
/// Source:  Dimakopoulos 1996, section 3.3 (theorem 3.7); balanced trees of tori, section 3.4.2.
/// Differs: corner moves of tori as the errata E5 to E7 have them (topology/balanced_trees.hpp);
///          tests/papers/thesis_scatter_test.cpp. Where the paper has no tree, shortest paths are
///          dealt out evenly among the children of the root.
[[nodiscard]] PlannedAlgorithm over_balanced_tree(Operation operation) {
  return {
      .info = {.name = "balanced-tree",
               .operation = operation,
               .model = port_models::all_port_half_duplex,
               .source = "Dimakopoulos, sections 3.3 and 3.4.2",
               .costs = "start-ups and message times: nodes of the largest subtree; at best (N - "
                        "1) / degree",
               .summary = operation == Operation::scatter
                              ? "all subtrees of the root at once, furthest destinations first"
                              : "reverses the scatter over a balanced tree",
               .unbuffered = true},
      .schedule = [operation](const PlanRequest& asked) {
        const TreeWays ways(asked.network, balanced_tree(asked.network, asked.root),
                            TreeWays::Queues::by_child, operation);
        constexpr std::uint64_t of_a_node = 64;  // the tree, and the search for it
        return PlannedSchedule{.schedule = ways.schedule(),
                               .planning_bytes = asked.network.node_count() * of_a_node,
                               .cost = Cost{ways.steps(), ways.steps()},
                               .hops = ways.hops()};
      }};
}

}  // namespace

const PlannedAlgorithm balanced_tree_scatter = over_balanced_tree(Operation::scatter);
const PlannedAlgorithm balanced_tree_gather = over_balanced_tree(Operation::gather);

}  // namespace lockstep
