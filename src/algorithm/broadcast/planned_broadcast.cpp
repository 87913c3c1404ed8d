// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/broadcast/planned_broadcast.hpp"

#include <algorithm>
#include <optional>

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

namespace {

/// The plan, the tree that it is made from, and the search for that, which looks at every arc.
void check_size(std::string_view algorithm, const ErasedTopology& network) {
  constexpr std::uint64_t bytes_per_node = 64;
  constexpr std::uint64_t most_nodes = (std::uint64_t{4} << 30U) / bytes_per_node;
  if (network.node_count() > most_nodes)
    throw ResourceExhausted(
        fmt::format("{} on {}: planning for {} nodes takes {} bytes each, allowed {} nodes (4 GiB)",
                    algorithm, network.name(), network.node_count(), bytes_per_node, most_nodes));
  constexpr std::uint64_t most_links = std::uint64_t{1} << 27U;
  const std::optional<std::uint64_t> links = network.link_count();
  if (!links || *links > most_links)
    throw ResourceExhausted(fmt::format("{} on {}: planning looks at every link, allowed {} links",
                                        algorithm, network.name(), most_links));
}

}  // namespace

PlacedPlan::PlacedPlan(std::string_view algorithm, const ErasedTopology& network, NodeId root,
                       MakePlan make_plan)
    : root_(root), nodes_(network.node_count()), group_(network.cayley()) {
  check_size(algorithm, network);
  if (group_) to_plan_ = group_->inverse(root);
  plan_ = std::make_shared<const BroadcastPlan>(make_plan(network, root_in_plan()));
}

PlannedBroadcast::PlannedBroadcast(std::string_view algorithm, const ErasedTopology& network,
                                   const Settings& settings, PlacedPlan::MakePlan make_plan)
    : RootBroadcast(algorithm, network, settings), plan_(algorithm, network, root(), make_plan) {
  set_plan(plan_.steps(), plan_.bytes());
}

}  // namespace lockstep
