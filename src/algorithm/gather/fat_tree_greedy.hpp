// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Gather in a fat tree, without a schedule.
/// Model:   single-port-send, or all-port.
/// Idea:    all leaves send in the first step; a switch passes on in every step the message that
///          came first, by all ports as many as the branch has lanes.
/// Cost:    max over levels i of ceil((n - N_(i-1)) / c) + 2i - 1 start-ups and message times; c
///          messages reach the root in a step, c_1 by all ports.
/// Source:  not in the thesis, whose gather is the scatter backwards.
/// Differs: from that: no schedule, and messages wait in the switches; as many steps.

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/queue_program.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

template <FatTreeDiscipline discipline>
class FatTreeGreedyGather final : public Algorithm {
  static constexpr bool one = discipline == FatTreeDiscipline::greedy;
  static constexpr std::array own_parameters{root_parameter};

 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeQueues;
  static constexpr AlgorithmInfo info{
      .name = one ? "greedy" : "greedy-all-port",
      .operation = Operation::gather,
      .model = one ? port_models::single_port_send : port_models::all_port,
      .source = "not in the thesis",
      .costs = "as the scatter: the lower bound",
      .summary = one ? "all send at once; switches forward in order of arrival"
                     : "all send at once; switches forward on all lanes",
      .parameters = own_parameters};

  /// By all lanes where a node has one parent.
  [[nodiscard]] static bool admits(const SwitchTree& tree) { return one || tree.has_one_column(); }

  FatTreeGreedyGather(SwitchTree tree, const Settings& settings)
      : tree_(std::move(tree)), root_(settings.number(root_parameter.name)) {
    check_countable(tree_);
  }

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps(), steps()}; }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = steps(),
            .hops = hops_from(tree_),
            .blocks_per_processor = tree_.processor_count(),
            .blocks_of_all = program().blocks_of_all(),
            .plan_bytes = branch_variables(tree_.spanning_tree())};
  }
  [[nodiscard]] std::vector<Level> levels() const override { return levels_of_column_0(tree_); }
  [[nodiscard]] Program program() const { return {tree_, discipline, info.operation, root_}; }

 private:
  [[nodiscard]] std::uint64_t steps() const {
    return steps_with_leaf(tree_, one ? 1 : tree_.lanes(1));
  }

  SwitchTree tree_;
  std::uint64_t root_;
};

static_assert(AlgorithmClass<FatTreeGreedyGather<FatTreeDiscipline::greedy>>);

}  // namespace lockstep
