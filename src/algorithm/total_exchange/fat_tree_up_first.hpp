// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in a fat tree with one send per node and step.
/// Model:   single-port-send.
/// Idea:    leaves send furthest destinations first; a switch sends what goes up before what goes
///          down, of either what came first.
/// Cost:    max over levels i of 2 N_i (n - N_i) + N_i (N_i - N_(i-1)) + 2i - 1 start-ups and
///          message times: optimal.
/// Source:  Dimakopoulos 1996, section 6.2.4.
/// Differs: Theorems 6.6 and 6.8 are wrong for k >= 3: they overlook the sends of the root, n^2
///          (k-1)/k (tests/papers/fat_tree_exchange_test.cpp).

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/queue_program.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

class FatTreeUpFirst final : public Algorithm {
 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeQueues;
  static constexpr AlgorithmInfo info{
      .name = "up-first",
      .operation = Operation::total_exchange,
      .model = port_models::single_port_send,
      .source = "Dimakopoulos, section 6.2.4",
      .costs =
          "max over i of 2 N_i (n - N_i) + N_i (N_i - N_(i-1)) + 2i - 1 start-ups and message "
          "times: the lower "
          "bound",
      .summary = "furthest destinations first; switches send upward before downward"};

  FatTreeUpFirst(SwitchTree tree, const Settings&);

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps(), steps()}; }
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] std::vector<Level> levels() const override { return levels_of_column_0(tree_); }
  [[nodiscard]] Program program() const {
    return {tree_, FatTreeDiscipline::up_first, info.operation};
  }

 private:
  [[nodiscard]] std::uint64_t steps() const;

  SwitchTree tree_;
};

static_assert(AlgorithmClass<FatTreeUpFirst>);

}  // namespace lockstep
