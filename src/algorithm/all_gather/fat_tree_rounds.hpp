// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in a fat tree without queues: rounds in which the subtrees of a node exchange one
/// message each, a phase of them for every level.
/// Model:   all-port, one lane of each branch.
/// Idea:    descending: phases from the root's down, and a leaf sends once in each; ascending: from
///          level 1 up, so that leaves receive from step 2 on without a break, and one message
///          serves all phases whose rounds begin in the same step.
/// Cost:    descending n + 2h - 2 start-ups and message times, n + h^2 - 1 where phases wait for
///          each other; ascending n (n + 1 for k = 2, h >= 2), which is optimal with c_1 = 1. At
///          most one message is buffered per incoming branch.
/// Source:  descending: Dimakopoulos 1996, section 6.3.2.2.
/// Differs: ascending is not in the thesis; it answers the question that ends section 6.3.4.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "algorithm/fat_tree/pipelined.hpp"
#include "algorithm/fat_tree/round_program.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

enum class FatTreePhaseOrder : std::uint8_t { ascending, descending };

/// When rounds begin, and who sends in them.
class FatTreeRoundPlan {
 public:
  FatTreeRoundPlan(const SwitchTree& tree, FatTreePhaseOrder order, bool pipelined);

  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] FatTreeRoundTimes times() const;
  /// Size of times().
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  /// Of a level: its rounds begin every arity - 1 steps.
  [[nodiscard]] std::uint64_t step_of(std::size_t level, std::uint64_t round) const {
    return starts_[level - 1] + round * (tree_.arity(level) - 1);
  }
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> senders() const;

  SwitchTree tree_;
  FatTreePhaseOrder order_;
  std::vector<std::uint64_t> starts_;  ///< of the phase of level 1, 2, .., counted from 0
  std::uint64_t steps_ = 0;
};

template <FatTreePhaseOrder order>
class FatTreeRoundGather final : public Algorithm {
  static constexpr bool ascends = order == FatTreePhaseOrder::ascending;
  static constexpr std::array<Parameter, ascends ? 0 : 1> own_parameters = [] {
    if constexpr (ascends)
      return std::array<Parameter, 0>{};
    else
      return std::array{pipelined_parameter};
  }();

 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeRounds;
  static constexpr AlgorithmInfo info{
      .name = ascends ? "ascending" : "descending",
      .operation = Operation::all_gather,
      .model = port_models::all_port,
      .source = ascends ? "not in the thesis" : "Dimakopoulos, section 6.3.2.2",
      .costs =
          ascends
              ? "n start-ups and message times, n + 1 for k = 2: the lower bound on message times"
              : "n + 2h - 2 start-ups and message times; without pipelining n + h^2 - 1",
      .summary = ascends ? "works in rounds, one phase per level from below; no queues, optimal"
                         : "works in rounds, one phase per level from the root; no queues",
      .parameters = own_parameters};

  FatTreeRoundGather(const SwitchTree& tree, const Settings& settings)
      : plan_(tree, order, ascends || is_pipelined(settings)), tree_(tree) {}

  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{plan_.steps(), plan_.steps()};
  }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = plan_.steps(),
            .hops = 0,
            .blocks_per_processor = 8,
            .blocks_of_all = 4 * tree_.spanning_tree().node_count(),
            .plan_bytes = plan_.bytes() + branch_variables(tree_.spanning_tree())};
  }
  [[nodiscard]] std::vector<Level> levels() const override { return levels_of_column_0(tree_); }
  [[nodiscard]] Program program() const {
    return {tree_, std::make_shared<FatTreeRoundTimes>(plan_.times())};
  }

 private:
  FatTreeRoundPlan plan_;
  SwitchTree tree_;
};

using FatTreeAscending = FatTreeRoundGather<FatTreePhaseOrder::ascending>;
using FatTreeDescending = FatTreeRoundGather<FatTreePhaseOrder::descending>;

static_assert(AlgorithmClass<FatTreeAscending> && AlgorithmClass<FatTreeDescending>);

}  // namespace lockstep
