// SPDX-License-Identifier: Apache-2.0

/// All-gather in the star graph S_n, substar by substar: for m = 2..n every node knows the blocks
/// of its substar of m - 1 symbols. It exchanges them all through dimension m. Then, through each
/// j = 2..m-1, it sends what it received through m, and so gets the blocks of the substar of m
/// symbols. Messages have any length, where Tseng, Chang and Sheu send n blocks.

#include <fmt/format.h>

#include <vector>

#include "algorithm/family_shapes.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {

const PlannedAlgorithm star_all_gather = {
    .info = plain_info("levelwise", Operation::all_gather, port_models::single_port,
                       "Lockstep; machine model of Tseng, Chang, Sheu",
                       {"n*(n - 1)/2", "factorial(n) - 1"},
                       "gathers in substars of 2, 3, ..., n symbols; few start-ups"),
    .networks = families::star,
    .plan =
        [](const PlanRequest& asked) {
          const StarGraph& star = *asked.network.as<StarGraph>();
          Transfers plan = all_one_class(star.node_count());
          std::vector<NodeId> reached{NodeId{0}};  // by the block of node 0
          const auto send = [&](std::size_t dimension, std::size_t first, std::size_t last) {
            const Port through = star.from_paper_dimension(dimension);
            for (std::size_t i = first; i < last; ++i) {
              reached.push_back(star.neighbor(reached[i], through));
              plan.move(plan.steps, 0, everyone, index(reached[i]), index(reached.back()), through);
            }
            ++plan.steps;
          };
          for (std::size_t m = 2; m <= star.symbols(); ++m) {
            plan.phases.push_back({fmt::format("substars of {} symbols", m), plan.steps});
            const std::size_t known = reached.size();
            send(m, 0, known);
            for (std::size_t j = 2; j < m; ++j) send(j, known, 2 * known);
          }
          return plan;
        },
    .one_class = true};

const PlannedAlgorithm star_reduce_scatter = mirrored(star_all_gather);

}  // namespace lockstep
