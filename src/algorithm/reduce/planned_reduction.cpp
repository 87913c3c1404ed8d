// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/reduce/planned_reduction.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using Send = BroadcastPlan::Send;

/// When each node receives in the broadcast, and through which of its ports; switches that lead to
/// no processor never do.
[[nodiscard]] std::vector<Send> receptions_of(const BroadcastPlan& plan,
                                              const ErasedTopology& network) {
  constexpr Send never{std::numeric_limits<std::uint32_t>::max(), Port{}};
  std::vector<Send> receptions(network.node_count(), never);
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    for (const Send& send : plan.sends_of(NodeId{u}))
      receptions[index(network.neighbor(NodeId{u}, send.port))] = {
          send.step, network.reverse_port(NodeId{u}, send.port)};
  return receptions;
}

[[nodiscard]] NodeId checked_root(std::string_view algorithm, const ErasedTopology& network,
                                  NodeId root) {
  if (index(root) >= network.node_count())
    throw InvalidParameter(fmt::format("{} on {}: root {} given, allowed 0..{}", algorithm,
                                       network.name(), index(root), network.node_count() - 1));
  return root;
}

}  // namespace

PlannedReduction::Program::Program(const ErasedTopology& network, PlacedPlan plan, Result result)
    : plan_(std::move(plan)),
      result_(result),
      processors_(network.processor_count()),
      receptions_(std::make_shared<const std::vector<Send>>(receptions_of(plan_.plan(), network))) {
}

PlannedReduction::PlannedReduction(std::string_view algorithm, const ErasedTopology& network,
                                   NodeId root, PlacedPlan::MakePlan make_plan, Result result)
    : network_(network),
      plan_(algorithm, network, checked_root(algorithm, network, root), make_plan),
      result_(result) {}

Footprint PlannedReduction::footprint() const {
  const std::uint64_t others = plan_.plan().sends();
  return {.steps = steps(),
          .hops = result_ == Result::at_all ? 2 * others : others,
          .blocks_per_processor = 1,
          .plan_bytes = plan_.bytes() + network_.node_count() * sizeof(BroadcastPlan::Send)};
}

}  // namespace lockstep
