// SPDX-License-Identifier: Apache-2.0
#include "algorithm/planned_transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algorithm/checks.hpp"
#include "algorithm/scheduled_algorithm.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "program/plan/lower.hpp"

namespace lockstep {

PlannedTransfers::PlannedTransfers(std::string_view name, const ErasedTopology& network,
                                   Transfers plan)
    : network_(network) {
  check_count(name, network.name(), plan.nodes(), "nodes", max_region_blocks - 1);
  check_planned_transfers(fmt::format("{} on {}", name, network.name()), plan.list.size());
  LoweredPlan lowered = lower(plan, network);
  cost_ = lowered.cost;
  footprint_.steps = plan.steps;
  footprint_.hops = lowered.messages;
  const std::uint64_t processors = network.processor_count();
  if (lowered.deliveries != processors * (processors - 1))
    footprint_.deliveries = lowered.deliveries;
  footprint_.blocks_per_processor = *std::ranges::max_element(lowered.slots);
  planning_bytes_ = lowering_bytes(plan);
  if (auto* const by_node = std::get_if<Schedule>(&lowered.schedule)) {
    for (const std::uint32_t c : plan.class_of) footprint_.blocks_of_all += lowered.slots[c];
    by_node_ = std::make_shared<const Schedule>(std::move(*by_node));
    footprint_.plan_bytes = by_node_->bytes();
    planning_bytes_ += by_node_->writing_bytes();
  } else {
    by_class_ =
        std::make_shared<const ClassSchedule>(std::get<ClassSchedule>(std::move(lowered.schedule)));
    footprint_.plan_bytes = by_class_->book.bytes() +
                            ClassParts::bytes(lowered.slots.size(), plan.steps) +
                            network.cayley()->translation_bytes(plan.nodes());
  }
  class_of_ = std::move(plan.class_of);
}

PlannedSchedule scheduled(const Transfers& plan, const ErasedTopology& network,
                          std::uint64_t planning_bytes) {
  LoweredPlan lowered = lower(plan, network);
  return {.schedule = std::get<Schedule>(std::move(lowered.schedule)),
          .planning_bytes = planning_bytes + lowering_bytes(plan),
          .cost = lowered.cost,
          .hops = lowered.messages};
}

std::size_t PlannedTransfers::program_type() const {
  if (by_node_) return 0;
  return by_class_->parts.classes() == 1 ? 1 : 2;
}

PlannedTransfers::Programs PlannedTransfers::program() const {
  if (by_node_) return ScheduleProgram(by_node_);
  const AnyCayley group = *network_.cayley();
  if (program_type() == 1) return NodeInvariantProgram(group, by_class_->book);
  return ClassScheduleProgram(group, *by_class_, class_of_);
}

}  // namespace lockstep
