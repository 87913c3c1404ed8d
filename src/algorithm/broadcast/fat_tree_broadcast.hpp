// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Broadcast in a fat tree.
/// Model:   single-port-send, or all-port.
/// Idea:    all ports: who hears the message passes it to all other neighbours. One send: to the
///          parent first, then to the children in order.
/// Cost:    2h start-ups and message times by all ports, h - 1 + k_1 + .. + k_h by one; both are
///          optimal from any leaf.
/// Source:  Dimakopoulos 1996, sections 6.2.1, 6.3.1.
/// Differs: Table 6.2 prints 2 log_k n - 1 for 2 log_k n.

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/queue_program.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

template <FatTreeDiscipline discipline>
class FatTreeBroadcast final : public Algorithm {
  static constexpr bool one = discipline == FatTreeDiscipline::parent_first;
  static constexpr std::array own_parameters{root_parameter};

 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeQueues;
  static constexpr AlgorithmInfo info{
      .name = one ? "parent-first" : "flooding",
      .operation = Operation::broadcast,
      .model = one ? port_models::single_port_send : port_models::all_port,
      .source = one ? "Dimakopoulos, section 6.2.1" : "Dimakopoulos, section 6.3.1",
      .costs = one ? "h - 1 + k_1 + .. + k_h start-ups and message times: the lower bound"
                   : "2h start-ups and message times: the lower bound",
      .summary = one ? "sends to the parent, then to the children in order"
                     : "sends to all neighbours at once",
      .parameters = own_parameters};

  FatTreeBroadcast(SwitchTree tree, const Settings& settings)
      : tree_(std::move(tree)), root_(settings.number(root_parameter.name)) {
    check_countable(tree_);
  }

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps(), steps()}; }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = steps(),
            .hops = tree_.spanning_tree().node_count() - 1,
            .blocks_per_processor = 2,
            .blocks_of_all = program().blocks_of_all(),
            .plan_bytes = branch_variables(tree_.spanning_tree())};
  }
  [[nodiscard]] std::vector<Level> levels() const override { return levels_of_column_0(tree_); }
  [[nodiscard]] Program program() const { return {tree_, discipline, info.operation, root_}; }

 private:
  [[nodiscard]] std::uint64_t steps() const {
    if (!one) return 2 * tree_.height();
    std::uint64_t steps = tree_.height() - 1;
    for (std::size_t i = 1; i <= tree_.height(); ++i) steps += tree_.arity(i);
    return steps;
  }

  SwitchTree tree_;
  std::uint64_t root_;
};

using FatTreeFlooding = FatTreeBroadcast<FatTreeDiscipline::flooding>;
using FatTreeParentFirst = FatTreeBroadcast<FatTreeDiscipline::parent_first>;

static_assert(AlgorithmClass<FatTreeFlooding> && AlgorithmClass<FatTreeParentFirst>);

}  // namespace lockstep
