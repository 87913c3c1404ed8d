// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in a fat tree of any capacities, by first fit.
/// Model:   all-port.
/// Idea:    messages are taken in the order of the phases; each leaves in the earliest step in
///          which it finds a lane on every branch of its way, as it passes. Switches pass on; no
///          queues.
/// Cost:    no closed form: that of the plan. With constant capacities it is the lower bound, n^2
///          (k-1)/k^2 + 2h - 1, in every tree tried.
/// Source:  not in the thesis.   Differs: none.

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "lockstep/algorithm/fat_tree/delivery_program.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/kept_plan.hpp"

namespace lockstep {

class FatTreeFirstFit final : public Algorithm {
 public:
  using TopologyType = FatTree;
  using Program = FatTreeDelivery;
  struct Plan {
    std::shared_ptr<const Departures> departures;
    std::uint64_t steps = 0;
  };
  static constexpr AlgorithmInfo info{
      .name = "first-fit",
      .operation = Operation::total_exchange,
      .model = port_models::all_port,
      .source = "not in the thesis",
      .costs = "those of the plan; constant capacities: the lower bound in all cases tried",
      .summary = "each message in the earliest step in which its way is free; no queues"};

  /// Throws ResourceExhausted where the plan takes more than 4 GiB.
  FatTreeFirstFit(FatTree tree, const Settings&);

  [[nodiscard]] std::optional<Cost> promise() const override { return std::nullopt; }
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Program program() const;

  [[nodiscard]] std::uint64_t planning_bytes() const override;

 private:
  [[nodiscard]] Plan plan() const;

  FatTree tree_;
  KeptPlan<Plan> plan_;
};

static_assert(AlgorithmClass<FatTreeFirstFit>);

}  // namespace lockstep
