// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Reduce-scatter on any graph over a spanning tree.
/// Model:   all-port, half-duplex.
/// Idea:    the all-gather over a tree, backwards: a node sends up, combined, what it and all below
///          it contribute to the others; then it is sent what the others contribute to those.
/// Cost:    2 H start-ups, for a tree of height H; message times, level by level: N less the
///          smallest subtree, then the largest.
/// Source:  textbook.
/// Differs: combines as messages come, so that the operation has to be commutative.

#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/algorithm/tree_sweep.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

class TreeReduceScatter final : public Algorithm {
 public:
  using TopologyType = ErasedTopology;
  static constexpr AlgorithmInfo info{
      .name = "tree",
      .operation = Operation::reduce_scatter,
      .model = port_models::all_port_half_duplex,
      .source = "textbook",
      .costs = "2H; level by level N less the smallest subtree, and the largest",
      .summary = "a breadth-first tree, up with what others get, down with what is left",
      .commutative = true};

  class Program : public TreeSweep {
   public:
    explicit Program(const TreeSweep& tree) : TreeSweep(tree) {
      std::vector<std::uint32_t> twice(2 * std::size_t{nodes()});
      std::iota(twice.begin(), twice.begin() + nodes(), 0U);
      std::iota(twice.begin() + nodes(), twice.end(), 0U);
      circle_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(twice));
    }

    /// Slot i of u is for the i-th node behind u.
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {nodes()}; }

    template <class StepView>
    void operator()(StepView& here) const {
      sweep(here, *this);
    }

   private:
    friend class TreeSweep;

    template <class StepView>
    void start(StepView& here) const {
      for (std::uint32_t i = 0; i < nodes(); ++i)
        here.load(Region{0}, i, node_behind(here.node(), i));
    }
    template <class StepView, class Arrival>
    void take_from_child(StepView& here, const Arrival& arrival, NodeId child) const {
      const std::uint32_t first = offset(here.node(), child) + subtree(child);
      here.combine(arrival, Region{0},
                   std::span(*circle_).subspan(first, nodes() - subtree(child)));
    }
    template <class StepView>
    void send_up(StepView& here, Port parent) const {
      const std::uint32_t below = subtree(here.node());
      here.send(parent, Blocks{Region{0}, below, nodes() - below});
    }
    template <class StepView>
    static void turn(StepView&) {}
    template <class StepView, class Arrival>
    void take_from_parent(StepView& here, const Arrival& arrival) const {
      here.combine(arrival, Blocks{Region{0}, 0, subtree(here.node())});
    }
    template <class StepView>
    void send_down(StepView& here, Port through, NodeId child) const {
      here.send(through, Blocks{Region{0}, offset(here.node(), child), subtree(child)});
    }
    template <class StepView>
    static void finish(StepView& here) {
      here.deliver(Region{0}, 0, here.node());
    }

    std::shared_ptr<const std::vector<std::uint32_t>> circle_;  // all slots, twice
  };

  /// Throws InvalidParameter where a processor's blocks do not fit a region.
  explicit TreeReduceScatter(const ErasedTopology& network, const Settings& = {})
      : tree_(info.name, network) {}

  [[nodiscard]] std::optional<Cost> promise() const override {
    Cost cost{.startups = tree_.step_count()};
    for (const TreeSweep::Level& level : tree_.levels())
      cost.message_times += tree_.nodes() - level.least + level.most;
    return cost;
  }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = tree_.step_count(),
            .hops = 2 * (std::uint64_t{tree_.nodes()} - 1),
            .blocks_per_processor = tree_.nodes(),
            .plan_bytes = tree_.plan_bytes() + 2 * sizeof(std::uint32_t) * tree_.nodes()};
  }
  [[nodiscard]] Program program() const { return Program(tree_); }

 private:
  TreeSweep tree_;
};

static_assert(AlgorithmClass<TreeReduceScatter>);

}  // namespace lockstep
