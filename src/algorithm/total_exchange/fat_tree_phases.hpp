// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in a fat tree of any capacities, level by level.
/// Model:   all-port.
/// Idea:    a phase per level, the root's first, for the messages that turn there: in each of its
///          steps e_l of them leave every child of every node of that level, from leaves that
///          are spread evenly, and then move in every step. No queues.
/// Cost:    sum over levels l of ceil((k_l - 1) N_(l-1)^2 / e_l), + 2h - 1; phases that wait for
///          each other: + h^2.
/// Source:  Dimakopoulos 1996, section 6.3.3.
/// Differs: the thesis leaves open who sends what; e_l = min(c_l, k_(l-1) e_(l-1)) stands for c_l,
///          which lower levels cannot always fill (equation 6.5 is wrong there); where e_l does
///          not divide N_(l-1), its steps are filled by first fit
///          (tests/papers/fat_tree_exchange_test.cpp).

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithm/fat_tree/delivery_program.hpp"
#include "algorithm/fat_tree/pipelined.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

/// Its steps: where each phase begins, and in which of its windows a message leaves.
class FatTreePhasePlan {
 public:
  struct Phase {
    std::uint64_t start = 0;              ///< its first step, counted from 0
    std::uint64_t windows = 0;            ///< steps in which messages leave
    std::uint64_t width = 0;              ///< messages of a child in one, where they are cut evenly
    std::vector<std::uint32_t> fitted{};  ///< else: the window of every slot
    [[nodiscard]] std::uint64_t window(std::uint64_t slot) const {
      return fitted.empty() ? slot / width : fitted[slot];
    }
  };

  FatTreePhasePlan(const SwitchTree& tree, bool pipelined);

  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  /// That its windows take.
  [[nodiscard]] std::uint64_t bytes() const;
  /// Of the messages that turn at that level.
  [[nodiscard]] const Phase& phase(std::size_t level) const { return phases_[level - 1]; }

 private:
  std::vector<Phase> phases_;  ///< of level 1, 2, ..
  std::uint64_t steps_ = 0;
};

class FatTreePhases final : public Algorithm {
  static constexpr std::array own_parameters{pipelined_parameter};

 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeDelivery;
  static constexpr AlgorithmInfo info{
      .name = "phases",
      .operation = Operation::total_exchange,
      .model = port_models::all_port,
      .source = "Dimakopoulos, section 6.3.3",
      .costs =
          "sum over l of (k_l - 1) N_(l-1)^2/e_l, + 2h - 1 start-ups and message times; "
          "without pipelining + h^2",
      .summary = "level by level, messages through the root first; any capacities, no queues",
      .parameters = own_parameters};

  [[nodiscard]] static bool admits(const SwitchTree& tree) { return tree.has_one_column(); }

  FatTreePhases(SwitchTree tree, const Settings& settings);

  [[nodiscard]] std::optional<Cost> promise() const override;
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Program program() const;

 private:
  SwitchTree tree_;
  std::shared_ptr<const FatTreePhasePlan> plan_;
};

static_assert(AlgorithmClass<FatTreePhases>);

}  // namespace lockstep
