// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Gather in a fat tree, a scatter read backwards.
/// Model:   single-port-send.
/// Idea:    a message leaves in the step that mirrors its counterpart's arrival in the scatter that
///          sends furthest destinations first, and moves in every step: no queues.
/// Cost:    max over levels i of n - N_(i-1) + 2i - 1 start-ups and message times.
/// Source:  Dimakopoulos 1996, section 6.2.2.   Differs: none.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/delivery_program.hpp"
#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

class FatTreeReversedGather final : public Algorithm {
  static constexpr std::array own_parameters{root_parameter};

 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeDelivery;
  static constexpr AlgorithmInfo info{
      .name = "reversed",
      .operation = Operation::gather,
      .model = port_models::single_port_send,
      .source = "Dimakopoulos, section 6.2.2",
      .costs = "as the scatter: the lower bound",
      .summary = "reverses the scatter with furthest destinations first; no queues",
      .parameters = own_parameters};

  FatTreeReversedGather(SwitchTree tree, const Settings& settings)
      : tree_(std::move(tree)), root_(settings.number(root_parameter.name)) {
    check_countable(tree_);
  }

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps(), steps()}; }
  [[nodiscard]] Footprint footprint() const override {
    return Program::footprint(tree_, FatTreeColumns::first, steps(), tree_.processor_count() - 1,
                              hops_from(tree_));
  }
  [[nodiscard]] std::vector<Level> levels() const override { return levels_of_column_0(tree_); }
  [[nodiscard]] Program program() const {
    return {tree_, FatTreeColumns::first,
            std::make_shared<InjectionTimes>([this](const InjectionTimes::Inject& inject) {
              for (std::uint64_t i = 0; i + 1 < tree_.processor_count(); ++i) {
                const std::uint64_t source = furthest(tree_, root_, i);
                // In the scatter the i-th arrives in step i + 2 turns, counted from 1.
                inject(steps() - i - 2 * tree_.turning_level(root_, source), source, root_);
              }
            })};
  }

 private:
  [[nodiscard]] std::uint64_t steps() const { return steps_with_leaf(tree_, 1); }

  SwitchTree tree_;
  std::uint64_t root_;
};

static_assert(AlgorithmClass<FatTreeReversedGather>);

}  // namespace lockstep
