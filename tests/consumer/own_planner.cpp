// SPDX-License-Identifier: Apache-2.0
/// An algorithm of one's own that is a plan, beside those of the catalogue:
///     own_planner compare hypercube:6 all-gather
#include <lockstep/catalog/register_planned_algorithm.hpp>
#include <lockstep/cli/main.hpp>

using namespace lockstep;

/// All-gather: in step t neighbours across dimension t exchange all blocks that they have.
Transfers doubled(const PlanRequest& asked) {
  const std::uint64_t nodes = asked.network.node_count();
  Transfers plan = all_one_class(nodes);  // all nodes move alike: list the block of node 0
  for (std::uint64_t bit = 1; bit < nodes; bit *= 2, ++plan.steps)
    for (std::uint64_t u = 0; u < bit; ++u) plan.move(plan.steps, 0, everyone, u, u ^ bit);
  return plan;
}

int main(int argc, char** argv) {
  register_algorithm({.info = {.name = "my-doubling",
                               .operation = Operation::all_gather,
                               .model = port_models::single_port,
                               .source = "this file",
                               .startups = "log(2, N)",
                               .message_times = "N - 1",
                               .summary = "exchanges all blocks across one dimension in each step"},
                      .networks = shapes::hypercube.up_to_nodes(4'096),
                      .plan = doubled});
  return lockstep_main(argc, argv);
}
