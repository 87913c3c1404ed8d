// SPDX-License-Identifier: Apache-2.0
#include "algorithm/bundled_scatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithm/checks.hpp"

namespace lockstep {
namespace {

struct SentTo {
  std::uint32_t step;
  Port port;
  NodeId node;
};

/// Calls visit(path) for every node that the plan reaches, with all sends that lead to it.
template <class Visit>
void for_each_path(const BroadcastPlan& plan, const ErasedTopology& network, NodeId root,
                   const Visit& visit) {
  std::vector<SentTo> path;
  std::vector<std::size_t> next{0};  // of the root and of each node on the path: what it sends next
  while (!next.empty()) {
    const NodeId u = path.empty() ? root : path.back().node;
    const auto sends = plan.sends_of(u);
    if (next.back() == sends.size()) {
      next.pop_back();
      if (!path.empty()) path.pop_back();
      continue;
    }
    const auto& [step, port] = sends[next.back()++];
    path.push_back({step, port, network.neighbor(u, port)});
    next.push_back(0);
    visit(path);
  }
}

}  // namespace

PlannedSchedule bundled_over(const AlgorithmInfo& info, const ErasedTopology& network,
                             const Settings& settings, MakePlan* make_plan) {
  const NodeId root = checked_root(info, network, settings);
  const BroadcastPlan tree = make_plan(network, root);
  const auto for_each_destination = [&](const auto& visit) {
    for_each_path(tree, network, root, [&](const std::vector<SentTo>& path) {
      if (index(path.back().node) < network.processor_count()) visit(path);
    });
  };
  std::uint64_t transfers = 0;
  for_each_destination([&](const auto& path) { transfers += path.size(); });
  check_planned_transfers(fmt::format("{} on {}", info.name, network.name()), transfers);
  Transfers plan = every_node_a_class(network.node_count());
  plan.steps = tree.steps();
  plan.list.reserve(transfers);
  for_each_destination([&](const std::vector<SentTo>& path) {
    NodeId from = root;
    for (const auto& [step, port, to] : path)
      plan.move(step, index(root), index(path.back().node), index(std::exchange(from, to)),
                index(to), port);
  });
  if (info.operation == Operation::gather) plan = reversed(network, std::move(plan));
  return scheduled(plan, network, tree.bytes());
}

}  // namespace lockstep
