// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A broadcast on any graph whose plan says of every node when it sends through which ports; what
/// differs between such broadcasts is how the plan is made. In a Cayley graph it is made for the
/// identity and moved to the root by the group; elsewhere for the root itself. Switches store the
/// block and forward it.
///
///     class MyBroadcast final : public PlannedBroadcast {
///      public:
///       static constexpr AlgorithmInfo info{...};
///       static BroadcastPlan plan(const ErasedTopology& network, NodeId root);
///       MyBroadcast(const ErasedTopology& network, const Settings& settings)
///           : PlannedBroadcast(info.name, network, settings, plan) {}
///     };

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/algorithm/broadcast/root_block.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/erased_topology.hpp"

namespace lockstep {

/// Who sends when through which port.
class BroadcastPlan {
 public:
  struct Send {
    std::uint32_t step;
    Port port;
  };
  /// A send, and whose it is.
  struct SendOf {
    std::uint32_t node;
    Send send;
  };

  /// Preconditions: those of a node in the order of their steps; every processor but the root is
  /// sent to once, and so is every switch that sends.
  BroadcastPlan(std::uint64_t node_count, std::span<const SendOf> sends);

  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] std::uint64_t sends() const noexcept { return sends_.size(); }
  /// In the order of their steps.
  [[nodiscard]] std::span<const Send> sends_of(NodeId u) const noexcept {
    return {sends_.data() + first_[index(u)], sends_.data() + first_[index(u) + 1]};
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return sends_.size() * sizeof(Send) + first_.size() * sizeof(std::uint32_t);
  }

 private:
  std::uint64_t steps_ = 0;
  std::vector<Send> sends_;           // node by node
  std::vector<std::uint32_t> first_;  // of a node; one more at the end
};

/// A plan for a root of a network. In a Cayley graph it is the one of the identity, moved there by
/// the group.
class PlacedPlan {
 public:
  using MakePlan = BroadcastPlan (*)(const ErasedTopology& network, NodeId root);

  /// Makes the plan. Throws ResourceExhausted where that takes more than 4 GiB. Precondition: the
  /// network has that root.
  PlacedPlan(std::string_view algorithm, const ErasedTopology& network, NodeId root,
             MakePlan make_plan);

  [[nodiscard]] NodeId root() const noexcept { return root_; }
  /// As `make_plan` was told.
  [[nodiscard]] NodeId root_in_plan() const { return in_plan(root_); }
  [[nodiscard]] std::uint64_t steps() const noexcept { return plan_->steps(); }
  [[nodiscard]] std::span<const BroadcastPlan::Send> sends_of(NodeId u) const {
    return plan_->sends_of(in_plan(u));
  }
  /// Where u is in the plan.
  [[nodiscard]] NodeId in_plan(NodeId u) const { return group_ ? group_->product(to_plan_, u) : u; }
  [[nodiscard]] const BroadcastPlan& plan() const noexcept { return *plan_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return plan_->bytes(); }
  /// Most bytes held while it was made: the sends in two orders, what the search knows of a node.
  [[nodiscard]] std::uint64_t planning_bytes() const noexcept {
    constexpr std::uint64_t of_a_node = 48;
    return (plan_->sends() + 1) * of_a_node;
  }

 private:
  NodeId root_;
  std::uint64_t nodes_;
  std::optional<AnyCayley> group_;
  NodeId to_plan_{};  // times a node: where it is in the plan
  std::shared_ptr<const BroadcastPlan> plan_;
};

class PlannedBroadcast : public RootBroadcast<ErasedTopology> {
 public:
  class Program {
   public:
    struct Memory {
      std::uint32_t sent = 0;  ///< messages
    };
    static constexpr Activity activity = Activity::sparse;
    static constexpr bool receives_once = true;

    Program(PlacedPlan plan, std::uint64_t processors)
        : plan_(std::move(plan)), processors_(processors) {}

    [[nodiscard]] std::vector<NodeId> starts() const { return {plan_.root()}; }
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return plan_.steps(); }

    template <class StepView>
    void operator()(StepView& here) const {
      std::uint32_t& sent = here.memory().sent;
      const bool is_switch = index(here.node()) >= processors_;
      if (takes_root_block(here, plan_.root(), is_switch)) sent = 0;
      if (here.last_call()) return;
      const std::span<const BroadcastPlan::Send> sends = plan_.sends_of(here.node());
      while (sent < sends.size() && sends[sent].step == here.step())
        here.send(sends[sent++].port, root_block);
      if (sent < sends.size()) here.stay_active();
    }

   private:
    PlacedPlan plan_;
    std::uint64_t processors_;  // switches follow them
  };

  [[nodiscard]] Footprint footprint() const override {
    Footprint footprint = RootBroadcast::footprint();
    footprint.hops = plan_.plan().sends();
    return footprint;
  }
  [[nodiscard]] Program program() const { return {plan_, network().processor_count()}; }

  [[nodiscard]] std::uint64_t planning_bytes() const override { return plan_.planning_bytes(); }

 protected:
  /// Makes the plan. Throws InvalidParameter where the network has no such root, and as PlacedPlan.
  PlannedBroadcast(std::string_view algorithm, const ErasedTopology& network,
                   const Settings& settings, PlacedPlan::MakePlan make_plan);

 private:
  PlacedPlan plan_;
};

}  // namespace lockstep
