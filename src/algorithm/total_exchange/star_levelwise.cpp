// SPDX-License-Identifier: Apache-2.0

/// Total exchange in the star graph S_n, one position of the destinations after the other. For
/// m = n..2: through each dimension j = 2..m-1 send all blocks whose destination has my symbol j at
/// position m, so that the receiver has it in front; then through m all blocks whose destination
/// differs from me at position m. The cost is n! (2n + 1 - 3 H_n) message times with
/// H_n = 1 + 1/2 + ... + 1/n. Messages have any length, where Tseng, Chang and Sheu pack k! blocks.

#include <fmt/format.h>

#include <vector>

#include "algorithm/family_shapes.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {
namespace {

/// A block of node 0, for the node of its number.
struct OnItsWay {
  NodeId at;
  Permutation rest;  // the address of its destination as the node sees it that has the block
};

[[nodiscard]] Transfers position_by_position(const PlanRequest& asked) {
  const StarGraph& star = *asked.network.as<StarGraph>();
  Transfers plan = all_one_class(star.node_count());
  std::vector<OnItsWay> blocks;
  for (std::uint64_t v = 0; v < star.node_count(); ++v)
    blocks.push_back({NodeId{0}, star.permutation(NodeId{v})});
  const auto exchange = [&](std::size_t dimension, const auto& leaves) {
    const Port through = star.from_paper_dimension(dimension);
    const Permutation generator =
        Permutation::identity(star.symbols()).with_exchanged(0, dimension - 1);
    for (std::uint64_t v = 0; v < blocks.size(); ++v) {
      OnItsWay& block = blocks[v];
      if (!leaves(block.rest)) continue;
      const NodeId next = star.neighbor(block.at, through);
      plan.move(plan.steps, 0, v, index(block.at), index(next), through);
      block = {next, compose(generator, block.rest)};
    }
    ++plan.steps;
  };
  for (std::size_t m = star.symbols(); m >= 2; --m) {
    plan.phases.push_back({fmt::format("position {}", m), plan.steps});
    for (std::size_t j = 2; j < m; ++j)
      exchange(j, [&](const Permutation& rest) { return rest[m - 1] == j - 1; });
    exchange(m, [&](const Permutation& rest) { return rest[m - 1] != m - 1; });
  }
  return plan;
}

}  // namespace

const PlannedAlgorithm star_total_exchange = {
    .info = {.name = "levelwise",
             .operation = Operation::total_exchange,
             .model = port_models::single_port,
             .source = "Lockstep; machine model of Tseng, Chang, Sheu",
             .startups = "n*(n - 1)/2",
             .message_times = "factorial(n)*(2*n + 1) - 3*sum('i', 1, n, 'factorial(n)/i')",
             .summary = "corrects one position of the destination after the other; few start-ups"},
    .networks = families::star,
    .plan = position_by_position,
    .one_class = true};

}  // namespace lockstep
