// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Scan on any graph over a spanning tree.
/// Model:   all-port, half-duplex.
/// Idea:    the contributions are gathered at node 0, which combines them in the order of the
///          processors and scatters the results. Nodes keep what is theirs or comes from below.
/// Cost:    2 H start-ups, for a tree of height H; message times, level by level: the largest
///          subtree, twice.
/// Source:  textbook.
/// Differs: none. Keeps the order of the processors, whatever the order of the tree.

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/algorithm/tree_sweep.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

class TreeScan final : public Algorithm {
 public:
  using TopologyType = ErasedTopology;
  static constexpr AlgorithmInfo info{
      .name = "tree",
      .operation = Operation::scan,
      .model = port_models::all_port_half_duplex,
      .source = "textbook",
      .costs = "2H; level by level the largest subtree, twice",
      .summary = "contributions up a breadth-first tree, combined at its root, results down"};

  class Program : public TreeSweep {
   public:
    explicit Program(const TreeSweep& tree) : TreeSweep(tree) {}

    /// Slot i of u is the i-th node behind u.
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {processors()}; }
    [[nodiscard]] std::uint32_t blocks_of(NodeId u, Region) const noexcept { return subtree(u); }

    template <class StepView>
    void operator()(StepView& here) const {
      sweep(here, *this);
    }

   private:
    friend class TreeSweep;

    template <class StepView>
    void start(StepView& here) const {
      if (!is_switch(here.node())) here.load(Region{0}, 0, here.node());
    }
    template <class StepView, class Arrival>
    void take_from_child(StepView& here, const Arrival& arrival, NodeId child) const {
      here.store(arrival, of_child(here.node(), child));
    }
    template <class StepView>
    void send_up(StepView& here, Port parent) const {
      here.send(parent, all_of(here.node()));
    }
    /// At the root: result u is result u - 1 o contribution u.
    template <class StepView>
    void turn(StepView& here) const {
      for (std::uint64_t u = 1; u < processors(); ++u) {
        const Blocks own{Region{0}, offset(here.node(), NodeId{u}), 1};
        here.combine(Blocks{Region{0}, offset(here.node(), NodeId{u - 1}), 1}, own, own);
      }
    }
    template <class StepView, class Arrival>
    void take_from_parent(StepView& here, const Arrival& arrival) const {
      here.store(arrival, all_of(here.node()));
    }
    template <class StepView>
    void send_down(StepView& here, Port through, NodeId child) const {
      here.send(through, of_child(here.node(), child));
    }
    template <class StepView>
    void finish(StepView& here) const {
      if (!is_switch(here.node())) here.deliver(Region{0}, 0, here.node());
    }

    [[nodiscard]] Blocks all_of(NodeId u) const { return {Region{0}, 0, subtree(u)}; }
    [[nodiscard]] Blocks of_child(NodeId u, NodeId child) const {
      return {Region{0}, offset(u, child), subtree(child)};
    }
  };

  /// Throws InvalidParameter where the root's blocks do not fit a region.
  explicit TreeScan(const ErasedTopology& network, const Settings& = {})
      : tree_(info.name, network) {}

  [[nodiscard]] std::optional<Cost> promise() const override {
    Cost cost{.startups = tree_.step_count()};
    for (const TreeSweep::Level& level : tree_.levels()) cost.message_times += 2 * level.most;
    return cost;
  }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = tree_.step_count(),
            .hops = tree_.hops(),
            .blocks_per_processor = tree_.subtrees() / tree_.processors() + 1,
            .blocks_of_all = tree_.subtrees(),
            .plan_bytes = tree_.plan_bytes() + sizeof(std::uint64_t) * tree_.processors()};
  }
  [[nodiscard]] Program program() const { return Program(tree_); }

 private:
  TreeSweep tree_;
};

static_assert(AlgorithmClass<TreeScan>);

}  // namespace lockstep
