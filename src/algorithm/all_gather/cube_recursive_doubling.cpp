// SPDX-License-Identifier: Apache-2.0

/// All-gather in the d-cube: in step t neighbours across dimension t exchange all that they hold.

#include "algorithm/family_shapes.hpp"
#include "algorithm/planned_algorithms.hpp"

namespace lockstep {

const PlannedAlgorithm cube_all_gather = {
    .info = {.name = "recursive-doubling",
             .operation = Operation::all_gather,
             .model = port_models::single_port,
             .source = "textbook",
             .startups = "d",
             .message_times = "2^d - 1",
             .claims = {.startups = Among::all, .message_times = Among::all},
             .summary = "exchanges all blocks held, one dimension after the other"},
    .networks = families::hypercube,
    .plan =
        [](const PlanRequest& asked) {
          // After t steps the block of node 0 is at the nodes below 2^t.
          const std::uint64_t nodes = asked.network.node_count();
          Transfers plan = all_one_class(nodes);
          for (std::uint64_t held = 1; held < nodes; held *= 2, ++plan.steps)
            for (std::uint64_t i = 0; i < held; ++i)
              plan.move(plan.steps, 0, everyone, i, held + i, port(plan.steps));
          return plan;
        },
    .one_class = true};

}  // namespace lockstep
