// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in a fat tree of any capacities or any XGFT, by first fit.
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
#include <utility>

#include "algorithm/fat_tree/delivery_program.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/kept_plan.hpp"

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
      .source = "not in the thesis",
      .costs =
          "from the plan; fat trees with constant capacities: the lower bound in all tested "
          "cases; XGFTs: at most one step above it in 83 % of 1,800 trees",
      .summary = "sends each message in the earliest step with a free route; no queues"};

  /// Throws ResourceExhausted where the plan takes more than 4 GiB.
  FatTreeFirstFit(SwitchTree tree, const Settings&);

  [[nodiscard]] std::optional<Cost> promise() const override { return std::nullopt; }
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Program program() const;

  [[nodiscard]] std::uint64_t planning_bytes() const override;

 private:
  [[nodiscard]] Plan plan() const;

  SwitchTree tree_;
  FatTreeWays ways_;
  KeptPlan<Plan> plan_;
};

static_assert(AlgorithmClass<FatTreeFirstFit>);

}  // namespace lockstep
