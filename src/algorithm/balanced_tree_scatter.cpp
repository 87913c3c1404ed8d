// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/checks.hpp"
#include "algorithm/scatter/balanced_tree.hpp"
#include "topology/balanced_trees.hpp"

namespace lockstep {
namespace {

constexpr Region passing{0};

/// Writes the way of every message, subtree by subtree. The root does something for all subtrees in
/// a step: it is written last, step by step.
class SubtreeWriter {
 public:
  SubtreeWriter(const ErasedTopology& network, const SpanningTree& tree, bool backwards)
      : network_(network), tree_(tree), backwards_(backwards) {
    for (const SpanningTree::Child& child : tree.children(tree.root()))
      subtrees_.push_back({child.port, destinations_below(child.node)});
    // Those that a step of the root serves are the first ones.
    std::ranges::stable_sort(subtrees_, std::ranges::greater(),
                             [](const Subtree& s) { return s.destinations.size(); });
    for (const Subtree& subtree : subtrees_)
      for (std::uint64_t rank = 0; rank < subtree.destinations.size(); ++rank) {
        const std::uint64_t depth = tree.depth(subtree.destinations[rank]);
        steps_ = std::max(steps_, rank + depth);
        hops_ += depth;
      }
  }

  [[nodiscard]] std::uint64_t hops() const noexcept { return hops_; }
  /// Two slots for what passes a node; two for every subtree at the root of a scatter.
  [[nodiscard]] std::uint32_t root_slots() const noexcept {
    return 2 * static_cast<std::uint32_t>(std::max<std::size_t>(subtrees_.size(), 1));
  }

  [[nodiscard]] Schedule schedule() {
    Schedule schedule(network_.node_count(), {root_slots()});
    constexpr std::uint32_t slots = 2;
    for (std::uint64_t u = 0; u < network_.node_count(); ++u)
      if (NodeId{u} != tree_.root()) schedule.set_sizes(NodeId{u}, {&slots, 1});
    schedule.reserve(hops_ + steps_ + 1);
    for (const Subtree& subtree : subtrees_)
      for (std::uint64_t i = 0; i < subtree.destinations.size(); ++i) {
        const std::uint64_t last = subtree.destinations.size() - 1;
        write_way(schedule, subtree, backwards_ ? last - i : i);
      }
    write_root(schedule);
    schedule.close(steps_);
    return schedule;
  }

 private:
  struct Subtree {
    Port port;  ///< of the root
    std::vector<NodeId> destinations;
  };

  /// Processors, the furthest first, of equals the one with the smaller number.
  [[nodiscard]] std::vector<NodeId> destinations_below(std::uint32_t top) const {
    std::vector<NodeId> found;
    std::vector<std::uint32_t> waiting{top};
    while (!waiting.empty()) {
      const std::uint32_t u = waiting.back();
      waiting.pop_back();
      if (u < network_.processor_count()) found.push_back(NodeId{u});
      for (const SpanningTree::Child& child : tree_.children(NodeId{u}))
        waiting.push_back(child.node);
    }
    std::ranges::sort(found, [&](NodeId a, NodeId b) {
      return std::pair(tree_.depth(b), index(a)) < std::pair(tree_.depth(a), index(b));
    });
    return found;
  }

  [[nodiscard]] static Blocks slot_of(std::uint64_t step) {
    return {passing, static_cast<std::uint32_t>(step % 2), 1};
  }

  /// Outside the root, which it leaves in step `rank`; backwards the same steps from the end.
  void write_way(Schedule& schedule, const Subtree& subtree, std::uint64_t rank) const {
    const NodeId end = subtree.destinations[rank];
    Port down{};
    for (NodeId u = end; u != tree_.root();) {
      const Port up = tree_.parent_port(u);
      const std::uint64_t forwards = rank + tree_.depth(u);
      const std::uint64_t step = backwards_ ? steps_ - forwards : forwards;
      schedule.begin_turn(step, u);
      if (u != end)
        schedule.take_store(backwards_ ? down : up, slot_of(step));
      else if (backwards_)
        schedule.load(slot_of(step), tree_.root());
      else
        schedule.take_deliver(up, 0, std::array{Origin{index(tree_.root())}});
      if (backwards_)
        schedule.send(up, slot_of(step));
      else if (u != end)
        schedule.send(down, slot_of(step));
      down = network_.reverse_port(u, up);
      u = network_.neighbor(u, up);
    }
  }

  /// The blocks of a step are next to each other: to check them is short however many there are.
  void write_root(Schedule& schedule) const {
    const std::uint64_t most = subtrees_.empty() ? 0 : subtrees_.front().destinations.size();
    for (std::uint64_t i = 0; i < most; ++i) {
      const std::uint64_t rank = backwards_ ? most - 1 - i : i;
      schedule.begin_turn(backwards_ ? steps_ - rank : rank, tree_.root());
      const auto served = std::span(subtrees_).first(static_cast<std::size_t>(
          std::ranges::partition_point(
              subtrees_, [rank](const Subtree& s) { return rank < s.destinations.size(); }) -
          subtrees_.begin()));
      if (backwards_) {
        for (const Subtree& subtree : served)
          schedule.take_deliver(subtree.port, 0,
                                std::array{Origin{index(subtree.destinations[rank])}});
        continue;
      }
      const auto first = static_cast<std::uint32_t>(rank % 2 * subtrees_.size());
      std::vector<LoadedBlock> blocks;
      for (const Subtree& subtree : served)
        blocks.push_back({Origin{index(tree_.root())}, subtree.destinations[rank]});
      schedule.load(passing, first, blocks);
      for (std::uint32_t s = 0; s < served.size(); ++s)
        schedule.send(served[s].port, {passing, first + s, 1});
    }
  }

  const ErasedTopology& network_;
  const SpanningTree& tree_;
  bool backwards_;
  std::vector<Subtree> subtrees_;
  std::uint64_t steps_ = 0;
  std::uint64_t hops_ = 0;
};

}  // namespace

AnyBalancedTreeScatter::AnyBalancedTreeScatter(const AlgorithmInfo& info,
                                               const ErasedTopology& network,
                                               const Settings& settings) {
  const NodeId root =
      checked_root(info.name, network.name(), NodeId{settings.number(root_parameter.name)},
                   network.processor_count());
  const SpanningTree tree = balanced_tree(network, root);
  SubtreeWriter writer(network, tree, info.operation == Operation::gather);
  Schedule schedule = writer.schedule();
  const std::uint64_t steps = schedule.step_count();
  constexpr std::uint64_t of_a_node = 64;  // the tree, and the search for it
  adopt(std::move(schedule), network.node_count() * of_a_node, {steps, steps}, writer.hops());
}

}  // namespace lockstep
