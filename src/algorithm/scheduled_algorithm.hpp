// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Base of the algorithms for any network whose plan is one schedule by nodes: footprint and memory
/// follow from it.

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "algorithm/many_to_all/placement.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

class ScheduledAlgorithm : public Algorithm {
 public:
  using TopologyType = ErasedTopology;

  [[nodiscard]] std::optional<Cost> promise() const override { return cost_; }
  [[nodiscard]] Footprint footprint() const override {
    std::uint64_t most = 0;
    for (const std::uint32_t blocks : schedule_->regions()) most += blocks;
    return {.steps = schedule_->step_count(),
            .hops = hops_,
            .blocks_per_processor = most,
            .blocks_of_all = blocks_of_all_,
            .plan_bytes = schedule_->bytes()};
  }
  [[nodiscard]] ScheduleProgram program() const { return ScheduleProgram(schedule_); }
  [[nodiscard]] std::uint64_t planning_bytes() const override { return planning_bytes_; }
  [[nodiscard]] Pattern pattern() const override { return pattern_; }
  [[nodiscard]] Settings chosen() const override { return messages_of(pattern_); }
  /// Of many-to-all algorithms.
  [[nodiscard]] static Pattern fixed_pattern(const ErasedTopology& network,
                                             const Settings& settings) {
    return fixed_homes_on(network, settings);
  }

 protected:
  ScheduledAlgorithm() = default;
  explicit ScheduledAlgorithm(Pattern pattern) : pattern_(std::move(pattern)) {}

  /// Called by the constructor. `planning_bytes`: memory held beside the schedule while it was
  /// written. Cost and hops are counted in the schedule.
  void adopt(Schedule schedule, std::uint64_t planning_bytes) {
    const Schedule::Traffic traffic = schedule.traffic();
    adopt(std::move(schedule), planning_bytes,
          {.startups = traffic.startups, .message_times = traffic.message_times}, traffic.messages);
  }
  /// With cost and hops by a closed form.
  void adopt(Schedule schedule, std::uint64_t planning_bytes, Cost cost, std::uint64_t hops) {
    cost_ = cost;
    hops_ = hops;
    for (std::uint64_t u = 0; u < schedule.nodes(); ++u)
      for (std::size_t r = 0; r < schedule.regions().size(); ++r)
        blocks_of_all_ += schedule.blocks_of(NodeId{u}, static_cast<Region>(r));
    planning_bytes_ = planning_bytes + schedule.writing_bytes();
    schedule_ = std::make_shared<const Schedule>(std::move(schedule));
  }
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
};

}  // namespace lockstep
