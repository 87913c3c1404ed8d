// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A planned broadcast read backwards: what the root sent to v in step s, v sends to its parent in
/// step T - 1 - s, combined with what it received from its own children by then. The same plan
/// forwards brings the result from the root to all. Switches contribute nothing; they store and
/// combine what they receive as processors do.
///
///     const PlannedReduction::Program program(network, plan, PlannedReduction::Result::at_all);

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/algorithm/broadcast/planned_broadcast.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep {

class PlannedReduction : public Algorithm {
 public:
  using TopologyType = ErasedTopology;
  enum class Result : std::uint8_t { at_root, at_all };

  class Program {
   public:
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::dense;

    Program(const ErasedTopology& network, PlacedPlan plan, Result result);

    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
    [[nodiscard]] std::uint64_t step_count() const noexcept {
      return result_ == Result::at_all ? 2 * plan_.steps() : plan_.steps();
    }

    template <class StepView>
    void operator()(StepView& here) const {
      const std::uint64_t inwards = plan_.steps();
      if (here.step() == 0 && !is_switch(here.node())) here.load(block.region, 0, here.node());
      if (here.step() <= inwards) combine_and_send_on(here, inwards - here.step());
      if (here.step() == inwards && here.node() == plan_.root())
        here.deliver(block.region, 0, here.node());
      if (result_ == Result::at_all && here.step() >= inwards)
        take_and_pass_on(here, here.step() - inwards);
    }

   private:
    using Send = BroadcastPlan::Send;
    static constexpr Blocks block{Region{0}, 0, 1};

    [[nodiscard]] std::span<const Send> sends_in(NodeId u, std::uint64_t step) const {
      const std::span<const Send> all = plan_.sends_of(u);
      const auto first = std::partition_point(all.begin(), all.end(),
                                              [&](const Send& send) { return send.step < step; });
      return {first, std::partition_point(first, all.end(),
                                          [&](const Send& send) { return send.step == step; })};
    }
    [[nodiscard]] bool is_switch(NodeId u) const noexcept { return index(u) >= processors_; }
    /// Of u's children the first that, backwards, sends to u.
    [[nodiscard]] bool comes_first(const Send& child, NodeId u) const {
      const std::span<const Send> all = plan_.sends_of(u);
      return child.port == sends_in(u, all.back().step).front().port;
    }
    /// The broadcast has `left` steps behind it where, backwards, they are still to come.
    template <class StepView>
    void combine_and_send_on(StepView& here, std::uint64_t left) const {
      for (const Send& child : sends_in(here.node(), left))
        if (is_switch(here.node()) && comes_first(child, here.node()))
          here.store(here.take(child.port), block);
        else
          here.combine(here.take(child.port), block);
      const Send& from_parent = (*receptions_)[index(plan_.in_plan(here.node()))];
      if (here.node() != plan_.root() && from_parent.step + std::uint64_t{1} == left)
        here.send(from_parent.port, block);
    }
    template <class StepView>
    void take_and_pass_on(StepView& here, std::uint64_t step) const {
      const Send& from_parent = (*receptions_)[index(plan_.in_plan(here.node()))];
      if (here.node() != plan_.root() && from_parent.step + std::uint64_t{1} == step) {
        here.store(here.take(from_parent.port), block);
        if (!is_switch(here.node())) here.deliver(block.region, 0, here.node());
      }
      if (here.last_call()) return;
      for (const Send& child : sends_in(here.node(), step)) here.send(child.port, block);
    }

    PlacedPlan plan_;
    Result result_;
    std::uint64_t processors_;                             // switches follow them
    std::shared_ptr<const std::vector<Send>> receptions_;  // in the plan: own port, from the parent
  };

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps(), steps()}; }
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Program program() const { return {network_, plan_, result_}; }

  [[nodiscard]] std::uint64_t planning_bytes() const override { return plan_.planning_bytes(); }

 protected:
  /// Makes the plan. Throws InvalidParameter where the network has no such root, and as PlacedPlan.
  PlannedReduction(std::string_view algorithm, const ErasedTopology& network, NodeId root,
                   PlacedPlan::MakePlan make_plan, Result result);

 private:
  [[nodiscard]] std::uint64_t steps() const noexcept {
    return result_ == Result::at_all ? 2 * plan_.steps() : plan_.steps();
  }

  ErasedTopology network_;
  PlacedPlan plan_;
  Result result_;
};

}  // namespace lockstep
