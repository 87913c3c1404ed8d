// SPDX-License-Identifier: Apache-2.0
#include "algorithm/plan_tree.hpp"

namespace lockstep {

/// Down the tree without recursion: of the children of a node, the one sent to last comes first.
void PlanTree::find_receptions(NodeId root) {
  std::vector<NodeId> waiting{root};
  nodes_[index(root)].in_tree = true;
  while (!waiting.empty()) {
    const NodeId u = waiting.back();
    waiting.pop_back();
    order_.push_back(u);
    for (const Send& send : plan_.sends_of(u)) {
      const NodeId below = child(u, send);
      nodes_[index(below)].in_tree = true;
      nodes_[index(below)].reception = {send.step, network_.reverse_port(u, send.port)};
      waiting.push_back(below);
    }
  }
}

void PlanTree::add_up() {
  std::uint32_t place = 0;
  for (const NodeId u : order_) {
    nodes_[index(u)].place = place;
    place += nodes_[index(u)].size;
  }
  for (std::size_t i = order_.size(); i-- > 0;)
    for (const Send& send : plan_.sends_of(order_[i]))
      nodes_[index(order_[i])].size += nodes_[index(child(order_[i], send))].size;
}

}  // namespace lockstep
