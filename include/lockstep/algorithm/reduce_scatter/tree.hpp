// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Reduce-scatter on any graph over a spanning tree.
/// Model:   all-port, half-duplex.
/// Idea:    the all-gather over a tree, backwards: a node sends up, combined, what it and all below
///          it contribute to the others; then it is sent what the others contribute to those. Where
///          there are switches, a node sends up the contributions to all, and is sent the results.
/// Cost:    2 H start-ups, for a tree of height H; message times, level by level: N less the
///          smallest subtree, then the largest; N and the largest with switches.
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
      .costs = "2H; level by level N (without switches less the smallest subtree), and the largest",
      .summary =
          "a breadth-first tree, up with what others get, down with what is left; "
          "switches combine",
      .commutative = true};

  class Program : public TreeSweep {
   public:
    explicit Program(const TreeSweep& tree) : TreeSweep(tree) {
      std::vector<std::uint32_t> twice(2 * std::size_t{processors()});
      std::iota(twice.begin(), twice.begin() + processors(), 0U);
      std::iota(twice.begin() + processors(), twice.end(), 0U);
      circle_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(twice));
    }

    /// Slot i of u is for the i-th processor behind u.
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {processors()}; }

    template <class StepView>
    void operator()(StepView& here) const {
      sweep(here, *this);
    }

   private:
    friend class TreeSweep;

    template <class StepView>
    void start(StepView& here) const {
      if (is_switch(here.node())) return;
      for (std::uint32_t i = 0; i < processors(); ++i)
        here.load(Region{0}, i, node_behind(here.node(), i));
    }
    template <class StepView, class Arrival>
    void take_from_child(StepView& here, const Arrival& arrival, NodeId child) const {
      const std::uint32_t own = offset(here.node(), child);
      const std::uint32_t kept = kept_below(child);
      const auto slots = std::span(*circle_).subspan(own + kept, processors() - kept);
      if (own == 0)  // a switch, which has nothing yet
        here.store(arrival, Region{0}, slots);
      else
        here.combine(arrival, Region{0}, slots);
    }
    template <class StepView>
    void send_up(StepView& here, Port parent) const {
      const std::uint32_t kept = kept_below(here.node());
      here.send(parent, Blocks{Region{0}, kept, processors() - kept});
    }
    /// A switch has no contribution that it could combine with what comes down: then nothing is
    /// kept.
    [[nodiscard]] std::uint32_t kept_below(NodeId u) const {
      return has_switches() ? 0 : subtree(u);
    }
    template <class StepView>
    static void turn(StepView&) {}
    template <class StepView, class Arrival>
    void take_from_parent(StepView& here, const Arrival& arrival) const {
      const Blocks results{Region{0}, 0, subtree(here.node())};
      if (has_switches())
        here.store(arrival, results);
      else
        here.combine(arrival, results);
    }
    template <class StepView>
    void send_down(StepView& here, Port through, NodeId child) const {
      here.send(through, Blocks{Region{0}, offset(here.node(), child), subtree(child)});
    }
    template <class StepView>
    void finish(StepView& here) const {
      if (!is_switch(here.node())) here.deliver(Region{0}, 0, here.node());
    }

    std::shared_ptr<const std::vector<std::uint32_t>> circle_;  // all slots, twice
  };

  /// Throws InvalidParameter where a processor's blocks do not fit a region.
  explicit TreeReduceScatter(const ErasedTopology& network, const Settings& = {})
      : tree_(info.name, network) {}

  [[nodiscard]] std::optional<Cost> promise() const override {
    Cost cost{.startups = tree_.step_count()};
    for (const TreeSweep::Level& level : tree_.levels())
      cost.message_times +=
          tree_.processors() - (tree_.has_switches() ? 0 : level.least) + level.most;
    return cost;
  }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = tree_.step_count(),
            .hops = tree_.hops(),
            .blocks_per_processor = tree_.processors(),
            .plan_bytes = tree_.plan_bytes() + 2 * sizeof(std::uint32_t) * tree_.processors()};
  }
  [[nodiscard]] Program program() const { return Program(tree_); }

 private:
  TreeSweep tree_;
};

static_assert(AlgorithmClass<TreeReduceScatter>);

}  // namespace lockstep
