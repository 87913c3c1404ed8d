// SPDX-License-Identifier: Apache-2.0

/// Scatter over the tree of a planned broadcast; and gather, which is the same backwards.
/// Model:   that of the broadcast.
/// Idea:    where the broadcast sends its block to a node, the scatter sends the blocks of all
///          processors at and below that node as one message.
/// Cost:    the start-ups of the broadcast, often far fewer than the N - 1 of a scatter in messages
///          of one block. Message times are counted in the plan: the largest subtree that is sent
///          to in each step; N - 1 on hypercubes and complete graphs.
/// Source:  textbook; S. L. Johnsson, C.-T. Ho, "Optimum broadcasting and personalized
///          communication in hypercubes", IEEE Trans. Computers 38 (1989).
/// Differs: any tree on any network, in the order in which the broadcast serves its children.

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/broadcast/planned_broadcast.hpp"

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

[[nodiscard]] Transfers bundled_over(const BroadcastPlan& tree, std::string_view name,
                                     const PlanRequest& asked) {
  const ErasedTopology& network = asked.network;
  const NodeId root = asked.root;
  const auto for_each_destination = [&](const auto& visit) {
    for_each_path(tree, network, root, [&](const std::vector<SentTo>& path) {
      if (index(path.back().node) < network.processor_count()) visit(path);
    });
  };
  std::uint64_t transfers = 0;
  for_each_destination([&](const auto& path) { transfers += path.size(); });
  check_planned_transfers(fmt::format("{} on {}", name, network.name()), transfers);
  Transfers plan = every_node_a_class(network.node_count());
  plan.steps = tree.steps();
  plan.list.reserve(transfers);
  for_each_destination([&](const std::vector<SentTo>& path) {
    NodeId from = root;
    for (const auto& [step, port, to] : path)
      plan.move(step, index(root), index(path.back().node), index(std::exchange(from, to)),
                index(to), port);
  });
  return plan;
}

}  // namespace

PlannedAlgorithm bundled_scatter_by(const BroadcastRule& broadcast, std::string_view name) {
  AlgorithmInfo info = info_like(
      broadcast, Operation::scatter,
      "the start-ups of the broadcast over the same tree; message times: counted in the plan",
      "sends the blocks of a whole subtree as one message");
  info.name = name;
  info.source = "textbook; Johnsson, Ho 1989";
  return {.info = info,
          .networks = broadcast.networks,
          .plan = [name, make_plan = broadcast.plan](const PlanRequest& asked) {
            return bundled_over(make_plan(asked.network, asked.root), name, asked);
          }};
}

}  // namespace lockstep
