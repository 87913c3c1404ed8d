// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in any XGFT, tapered or whole, by first fit over single links.
/// Model:   all-port; every link carries one message.
/// Idea:    messages are taken in the order of the phases of a fat tree; each leaves in the
///          earliest step in which some column has its way free, link by link, as it passes.
///          Columns are tried from that of the destination's digits on. Switches pass on; no
///          queues.
/// Cost:    no closed form: that of the plan. Of 1,800 XGFTs of up to 81 processors 57 % are at the
///          lower bound, that of the fat tree whose capacities are the links above a subtree, 27 %
///          a step above it; at worst it is a fifth above.
/// Source:  not in the thesis.   Differs: none.

#include <cstdint>
#include <optional>
#include <utility>

#include "lockstep/algorithm/fat_tree/xgft_delivery.hpp"
#include "lockstep/algorithm/total_exchange/fat_tree_first_fit.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/kept_plan.hpp"

namespace lockstep {

class XgftFirstFit final : public Algorithm {
 public:
  using TopologyType = Xgft;
  using Program = XgftDelivery;
  using Plan = FatTreeFirstFit::Plan;
  static constexpr AlgorithmInfo info{
      .name = "first-fit",
      .operation = Operation::total_exchange,
      .model = port_models::all_port,
      .source = "not in the thesis",
      .costs = "those of the plan: the lower bound or a step above in 83 % of 1,800 trees",
      .summary = "each message in the earliest step in which a way is free; no queues"};

  /// Throws ResourceExhausted where the plan takes more than 4 GiB.
  XgftFirstFit(Xgft tree, const Settings&);

  [[nodiscard]] std::optional<Cost> promise() const override { return std::nullopt; }
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Program program() const;

  [[nodiscard]] std::uint64_t planning_bytes() const override;

 private:
  [[nodiscard]] Plan plan() const;

  Xgft tree_;
  XgftWays ways_;
  KeptPlan<Plan> plan_;
};

static_assert(AlgorithmClass<XgftFirstFit>);

}  // namespace lockstep
