// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/all_gather/ej_gather.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace lockstep {

EjGatherByRule::EjGatherByRule(const EisensteinJacobiNetwork& network, const EjGatherRule& rule)
    : network_(network), rule_(&rule) {
  const std::size_t n = network.dimensions();
  const std::uint64_t nodes = network.node_count();
  const std::uint64_t parts = rule.in_parts ? n : 1;
  EjGatherPlan::check_size(std::string(rule.info.name), network, parts);
  EjLoads loads = rule.loads(EisensteinJacobiTree(network.alpha()), n);
  if (rule.in_substeps) loads = ej_in_substeps(loads);
  std::uint64_t messages = 0;
  std::uint64_t received = 0;
  for (const std::vector<std::uint64_t>& step : loads) {
    const std::uint64_t largest = *std::max_element(step.begin(), step.end());
    promise_.startups += static_cast<std::uint64_t>(largest != 0);
    promise_.message_times += largest;
    messages += step.size() - static_cast<std::uint64_t>(std::count(step.begin(), step.end(), 0U));
    received = std::accumulate(step.begin(), step.end(), received);
  }
  const bool all = received == (nodes - 1) * parts;
  footprint_ = {.steps = loads.size(),
                .hops = messages * nodes,
                .blocks_per_processor = received + parts,
                .plan_bytes = EjGatherPlan::schedule_bytes(received, messages, loads.size(), parts),
                .parts_per_block = parts,
                .deliveries = all ? 0 : received / parts * nodes};
}

EjGatherPlan EjGatherByRule::plan() const {
  const EisensteinJacobiTree tree(network_.alpha());
  const EjLastHops last_hops = rule_->last_hops(tree, network_.dimensions());
  EjGatherPlan plan(network_, footprint_.steps,
                    static_cast<std::uint32_t>(footprint_.parts_per_block));
  std::vector<NodeId> coordinates(network_.dimensions());
  for (std::uint64_t v = 1; v < network_.node_count(); ++v) {
    for (std::size_t d = 0; d < coordinates.size(); ++d)
      coordinates[d] = network_.coordinate(NodeId{v}, d);
    for (std::uint32_t part = 0; part < plan.parts(); ++part) {
      EjGatherPlan::Hop hop = last_hops(coordinates, part);
      if (rule_->in_substeps)
        hop.step = 2 * hop.step + (ej_first_substep(index(hop.through) % 6) ? 0 : 1);
      plan.set(NodeId{v}, hop, part);
    }
  }
  return plan;
}

}  // namespace lockstep
