// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in a fat tree through queues: flooding, and one send at a time.
/// Model:   all-port (flooding), single-port-send (in turn).
/// Idea:    flooding: a switch queues every message for all branches but that it came over, and
///          sends as many heads as there are lanes. In turn: what comes from below goes up first,
///          N_i messages, then the children take turns.
/// Cost:    flooding max over levels i of ceil((n - N_(i-1)) / c_1) + 2i - 1 start-ups and message
///          times; in turn the larger of i + k_i n + k_1 + .. + k_(i-1) for i < h and, of the root,
///          h + (k_h - 1) n + k_1 + .. + k_(h-1). Both are optimal.
/// Source:  Dimakopoulos 1996, sections 6.2.3 and 6.3.2.1.
/// Differs: turns are strict: a child whose queue is empty loses its turn.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/queue_program.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

template <FatTreeDiscipline discipline>
class FatTreeQueuedGather final : public Algorithm {
  static constexpr bool one = discipline == FatTreeDiscipline::children_in_turn;

 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeQueues;
  static constexpr AlgorithmInfo info{
      .name = one ? "in-turn" : "flooding",
      .operation = Operation::all_gather,
      .model = one ? port_models::single_port_send : port_models::all_port,
      .source = one ? "Dimakopoulos, section 6.2.3" : "Dimakopoulos, section 6.3.2.1",
      .costs = one ? "k n + (k + 1)(h - 2) + 1 start-ups and message times: the lower bound"
                   : "max over i of (n - N_(i-1))/c_1 + 2i - 1 start-ups and message times: the "
                     "lower bound",
      .summary = one ? "sends messages from below upward first, then to the children in turn"
                     : "sends every block to all neighbours, through queues"};

  FatTreeQueuedGather(SwitchTree tree, const Settings&) : tree_(std::move(tree)) {
    check_countable(tree_);
  }

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps(), steps()}; }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = steps(),
            .hops = tree_.processor_count() * (tree_.spanning_tree().node_count() - 1),
            .blocks_per_processor = tree_.processor_count(),
            .blocks_of_all = program().blocks_of_all(),
            .plan_bytes = branch_variables(tree_.spanning_tree())};
  }
  [[nodiscard]] std::vector<Level> levels() const override { return levels_of_column_0(tree_); }
  [[nodiscard]] Program program() const { return {tree_, discipline, info.operation}; }

 private:
  [[nodiscard]] std::uint64_t steps() const {
    if (!one) return steps_with_leaf(tree_, tree_.lanes(1));
    const std::uint64_t leaves = tree_.processor_count();
    std::uint64_t steps = 0;
    std::uint64_t below = 0;  // k_1 + .. + k_(i-1)
    for (std::size_t i = 1; i <= tree_.height(); ++i) {
      const std::uint64_t children = tree_.arity(i) - (i == tree_.height() ? 1 : 0);
      steps = std::max(steps, i + children * leaves + below);
      below += tree_.arity(i);
    }
    return steps;
  }

  SwitchTree tree_;
};

using FatTreeFloodingGather = FatTreeQueuedGather<FatTreeDiscipline::flooding>;
using FatTreeInTurn = FatTreeQueuedGather<FatTreeDiscipline::children_in_turn>;

static_assert(AlgorithmClass<FatTreeFloodingGather> && AlgorithmClass<FatTreeInTurn>);

}  // namespace lockstep
