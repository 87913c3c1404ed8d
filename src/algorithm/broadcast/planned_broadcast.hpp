// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Broadcasts on any graph from a plan that says of every node when it sends through which ports,
/// and what follows from each of them: the reduction that is the broadcast read backwards, and the
/// all-reduce that is both. All are schedules (program/schedule.hpp). What differs between such
/// broadcasts is how the plan is made. In a Cayley graph it is made for the identity and moved to
/// the root by the group; elsewhere for the root itself. Switches store and combine what they
/// receive as processors do, and contribute nothing.
///
///     const BroadcastRule my_broadcast{.info = {...}, .plan = my_plan};   // a function
///     planned(broadcast_by(my_broadcast)), planned(reduce_by(my_broadcast))   // of the catalogue
///
/// Backwards, what the root sent to v in step s, v sends to its parent in step T - 1 - s, combined
/// with what it received from its own children by then. The same plan forwards brings the result
/// from the root to all.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/plan/planned_algorithm.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/network_shapes.hpp"
#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {

/// Who sends when through which port.
class BroadcastPlan {
 public:
  struct Send {
    std::uint32_t step;
    Port port;
  };
  /// A send and its sender.
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

using MakePlan = BroadcastPlan(const ErasedTopology& network, NodeId root);

/// A broadcast, of which the other operations are made.
struct BroadcastRule {
  AlgorithmInfo info;
  MakePlan* plan;
  SupportedNetworks networks = shapes::any_network;
};

extern const BroadcastRule tree_broadcast, single_port_tree, matching_broadcast, beam_search;

MakePlan tree_plan, single_port_plan, matching_plan, beam_search_plan;
/// Over any tree; the port of a child is the one it has in the tree.
[[nodiscard]] BroadcastPlan single_port_plan_of(const SpanningTree& tree);

[[nodiscard]] PlannedAlgorithm broadcast_by(const BroadcastRule& broadcast);
[[nodiscard]] PlannedAlgorithm reduce_by(const BroadcastRule& broadcast);
[[nodiscard]] PlannedAlgorithm all_reduce_by(const BroadcastRule& broadcast);
[[nodiscard]] PlannedAlgorithm reduce_scatter_by(const BroadcastRule& broadcast);
[[nodiscard]] PlannedAlgorithm scan_by(const BroadcastRule& broadcast);
[[nodiscard]] PlannedAlgorithm all_gather_by(const BroadcastRule& broadcast);
[[nodiscard]] PlannedAlgorithm many_to_all_by(const BroadcastRule& broadcast);
[[nodiscard]] PlannedAlgorithm bundled_scatter_by(const BroadcastRule& broadcast,
                                                  std::string_view name);

/// That of the broadcast, without its claims and parameters.
[[nodiscard]] AlgorithmInfo info_like(const BroadcastRule& broadcast, Operation operation,
                                      std::string_view costs, std::string_view summary);

}  // namespace lockstep
