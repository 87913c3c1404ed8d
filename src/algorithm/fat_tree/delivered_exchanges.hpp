// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchanges in trees of switches by first fit; FatTreePhasePlan, the steps of
/// `exchange_in_phases` (deliveries.hpp), whose phases are filled by first fit where their messages
/// do not divide evenly; and the search of `class_sequence_exchange`.
///
/// FatTreeFirstFit: in a fat tree of any capacities or any XGFT.
/// Model:   all-port.
/// Idea:    messages are taken in the order of the phases; each leaves in the earliest step in
///          which it finds a lane on every branch of its way, as it passes. In an XGFT columns are
///          tried from that of the destination's digits on. Switches pass on; no queues.
/// Cost:    no closed form: that of the plan. In fat trees with constant capacities it is the lower
///          bound, n^2 (k-1)/k^2 + 2h - 1, in every tree tried. Of 1,800 XGFTs of up to 81
///          processors 57 % are at the lower bound, that of the fat tree whose capacities are the
///          links above a subtree, 27 % a step above it; at worst it is a fifth above.
/// Source:  not in the thesis.   Differs: none.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithm/fat_tree/delivery_program.hpp"
#include "lockstep/program/algorithm.hpp"

namespace lockstep {

class FatTreeFirstFit final : public Algorithm {
 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeDelivery;
  struct Plan {
    std::shared_ptr<const InjectionTimes> injections;
    std::uint64_t steps = 0;
  };
  static constexpr AlgorithmInfo info{
      .name = "first-fit",
      .operation = Operation::total_exchange,
      .model = port_models::all_port,
      .source = "Lockstep; not in Dimakopoulos",
      .costs =
          "from the plan; fat trees with constant capacities: the lower bound on message times of "
          "undivided blocks in all tested cases; XGFTs: at most one above it in 83 % of 1,800 "
          "trees",
      .summary = "sends each message in the earliest step with a free route; no queues"};

  /// Throws ResourceExhausted where the plan takes more than 4 GiB.
  FatTreeFirstFit(SwitchTree tree, const Settings&);

  [[nodiscard]] std::optional<Cost> promise() const override { return std::nullopt; }
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Program program() const {
    return {tree_, FatTreeColumns::all, plan_.take([this] { return plan(); }).injections};
  }
  [[nodiscard]] std::uint64_t planning_bytes() const override;

 private:
  [[nodiscard]] Plan plan() const;

  SwitchTree tree_;
  FatTreeWays ways_;
  KeptPlan<Plan> plan_;
};

/// The steps of an exchange in phases: where each begins, and in which of its windows a message
/// leaves.
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
  /// The phase of the messages that turn at that level.
  [[nodiscard]] const Phase& phase(std::size_t level) const { return phases_[level - 1]; }

 private:
  std::vector<Phase> phases_;  ///< of level 1, 2, ..
  std::uint64_t steps_ = 0;
};

/// By step, the level at which the messages that leave in it turn; 0: none leaves.
using FatTreeClasses = std::vector<std::uint8_t>;

/// A sequence in which all messages have arrived after `steps` steps, no two classes in one; empty
/// where there is none, or the search gives up after some millions of choices.
[[nodiscard]] std::optional<FatTreeClasses> class_sequence(const SwitchTree& tree,
                                                           std::uint64_t steps);

}  // namespace lockstep
