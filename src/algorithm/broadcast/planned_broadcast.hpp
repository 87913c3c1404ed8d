// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Broadcasts on any graph from a plan that says of every node when it sends through which ports,
/// and what follows from each of them: the reduction that is the broadcast read backwards, and the
/// all-reduce that is both. All are schedules (program/schedule.hpp). What differs between such
/// broadcasts is how the plan is made. In a Cayley graph it is made for the identity and moved to
/// the root by the group; elsewhere for the root itself. Switches store and combine what they
/// receive as processors do, and contribute nothing.
///
///     class MyBroadcast final : public PlannedBroadcast {
///      public:
///       static constexpr AlgorithmInfo info{...};
///       static BroadcastPlan plan(const ErasedTopology& network, NodeId root);
///       MyBroadcast(const ErasedTopology& network, const Settings& settings)
///           : PlannedBroadcast(info, network, settings, plan) {}
///     };
///
/// Backwards, what the root sent to v in step s, v sends to its parent in step T - 1 - s, combined
/// with what it received from its own children by then. The same plan forwards brings the result
/// from the root to all.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/schedule_program.hpp"
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

/// A broadcast, reduction or all-reduce of one block over a plan.
class PlannedOperation : public Algorithm {
 public:
  using TopologyType = ErasedTopology;
  using MakePlan = BroadcastPlan (*)(const ErasedTopology& network, NodeId root);

  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{schedule_->step_count(), schedule_->step_count()};
  }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = schedule_->step_count(),
            .hops = hops_,
            .blocks_per_processor = 1,
            .plan_bytes = schedule_->bytes()};
  }
  [[nodiscard]] ScheduleProgram program() const { return ScheduleProgram(schedule_); }

  /// Most bytes held while the schedule was made.
  [[nodiscard]] std::uint64_t planning_bytes() const override { return planning_bytes_; }

 protected:
  /// Makes plan and schedule of `info.operation`. Throws InvalidParameter where the network has no
  /// such root, ResourceExhausted where planning takes more than 4 GiB.
  PlannedOperation(const AlgorithmInfo& info, const ErasedTopology& network, NodeId root,
                   MakePlan make_plan);

  [[nodiscard]] const std::shared_ptr<const Schedule>& schedule() const noexcept {
    return schedule_;
  }

 private:
  void plan_and_write(const AlgorithmInfo& info, const ErasedTopology& network, NodeId root,
                      MakePlan make_plan);

  std::shared_ptr<const Schedule> schedule_;
  std::uint64_t hops_ = 0;
  std::uint64_t planning_bytes_ = 0;
};

class PlannedBroadcast : public PlannedOperation {
 public:
  [[nodiscard]] OnceScheduleProgram program() const { return OnceScheduleProgram(schedule()); }

 protected:
  PlannedBroadcast(const AlgorithmInfo& info, const ErasedTopology& network,
                   const Settings& settings, MakePlan make_plan)
      : PlannedOperation(info, network, NodeId{settings.number(root_parameter.name)}, make_plan) {}
};

}  // namespace lockstep
