// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/broadcast/planned_broadcast.hpp"

#include <algorithm>

namespace lockstep {

BroadcastPlan::BroadcastPlan(std::uint64_t node_count, std::span<const SendOf> sends)
    : sends_(sends.size()), first_(node_count + 1) {
  // Sorted by sender: counted, then put into place.
  for (const SendOf& one : sends) {
    ++first_[one.node + 1];
    steps_ = std::max(steps_, one.send.step + std::uint64_t{1});
  }
  for (std::size_t u = 1; u < first_.size(); ++u) first_[u] += first_[u - 1];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const SendOf& one : sends) sends_[next[one.node]++] = one.send;
}

PlacedPlan::PlacedPlan(std::string_view algorithm, const ErasedTopology& network, NodeId root,
                       MakePlan make_plan)
    : root_(root), nodes_(network.node_count()), group_(network.cayley()) {
  const std::uint64_t degree = network.max_degree();
  if (network.node_count() > max_ports / std::max<std::uint64_t>(degree, 1))
    throw InvalidParameter(fmt::format("{} on {}: {} nodes with {} ports each, allowed {} in all",
                                       algorithm, network.name(), network.node_count(), degree,
                                       max_ports));
  if (group_) to_plan_ = group_->inverse(root);
  plan_ = std::make_shared<const BroadcastPlan>(make_plan(network, root_in_plan()));
}

PlannedBroadcast::PlannedBroadcast(std::string_view algorithm, const ErasedTopology& network,
                                   const Settings& settings, PlacedPlan::MakePlan make_plan)
    : RootBroadcast(algorithm, network, settings), plan_(algorithm, network, root(), make_plan) {
  set_plan(plan_.steps(), plan_.bytes());
}

}  // namespace lockstep
