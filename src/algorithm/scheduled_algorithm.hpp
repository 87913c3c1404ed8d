// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A planned algorithm that wrote its schedule itself, for one network: footprint and memory follow
/// from the schedule, and so does the cost unless the planner gives a closed form.

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "algorithm/many_to_all/placement.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/plan/planned_algorithm.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

class ScheduledAlgorithm : public Algorithm {
 public:
  using TopologyType = ErasedTopology;

  ScheduledAlgorithm(PlannedSchedule planned, Pattern pattern)
      : pattern_(std::move(pattern)),
        hops_(planned.hops),
        planning_bytes_(planned.planning_bytes + planned.schedule.writing_bytes()),
        schedule_(std::make_shared<const Schedule>(std::move(planned.schedule))),
        work_(schedule_->work()) {
    if (planned.cost) {
      cost_ = *planned.cost;
    } else {
      cost_ = Cost{work_.startups, work_.message_times};
      hops_ = work_.messages;
    }
    for (std::uint64_t u = 0; u < schedule_->nodes(); ++u)
      for (std::size_t r = 0; r < schedule_->regions().size(); ++r)
        blocks_of_all_ += schedule_->blocks_of(NodeId{u}, static_cast<Region>(r));
  }

  [[nodiscard]] std::optional<Cost> promise() const override { return cost_; }
  [[nodiscard]] Footprint footprint() const override {
    std::uint64_t most = 0;
    for (const std::uint32_t blocks : schedule_->regions()) most += blocks;
    return {.steps = schedule_->step_count(),
            .hops = hops_,
            .blocks_per_processor = most,
            .blocks_of_all = blocks_of_all_,
            .plan_bytes = schedule_->bytes(),
            .work = work_};
  }
  [[nodiscard]] std::uint64_t planning_bytes() const override { return planning_bytes_; }
  [[nodiscard]] Pattern pattern() const override { return pattern_; }
  [[nodiscard]] Settings chosen() const override { return messages_of(pattern_); }

  [[nodiscard]] const std::shared_ptr<const Schedule>& schedule() const noexcept {
    return schedule_;
  }

 private:
  Pattern pattern_;
  Cost cost_{};
  std::uint64_t hops_ = 0;
  std::uint64_t blocks_of_all_ = 0;
  std::uint64_t planning_bytes_ = 0;
  std::shared_ptr<const Schedule> schedule_;
  PlannedWork work_;
};

/// The many-to-all that is this all-gather of blocks that any node makes.
[[nodiscard]] constexpr AlgorithmInfo many_to_all_like(AlgorithmInfo all_gather) noexcept {
  all_gather.operation = Operation::many_to_all;
  all_gather.parameters = placement_parameters;
  all_gather.charges_idle_steps = true;
  return all_gather;
}

}  // namespace lockstep
