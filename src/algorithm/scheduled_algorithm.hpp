// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Algorithms for any network whose plan is one schedule by nodes. Each is its info and a planner;
/// footprint and memory follow from the schedule, and so does the cost unless the planner gives a
/// closed form.
///
///     inline constexpr AlgorithmInfo tree_scan{.name = "tree", ...};
///     Planner plan_tree_scan;  // a function, defined in the source file
///     using TreeScan = Scheduled<tree_scan, plan_tree_scan>;

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

/// Writes the schedule of an algorithm; `pattern` is that of a many-to-all. Throws InvalidParameter
/// or ResourceExhausted where there can be none.
using Planner = PlannedSchedule(const AlgorithmInfo& info, const ErasedTopology& network,
                                const Settings& settings, const Pattern& pattern);

class ScheduledAlgorithm : public Algorithm {
 public:
  using TopologyType = ErasedTopology;

  ScheduledAlgorithm(PlannedSchedule planned, Pattern pattern);

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
};

template <const AlgorithmInfo& own_info, Planner* planner, class Executor = ScheduleProgram>
class Scheduled : public ScheduledAlgorithm {
  static constexpr bool has_homes = own_info.operation == Operation::many_to_all;

 public:
  static constexpr AlgorithmInfo info = own_info;

  explicit Scheduled(const ErasedTopology& network, const Settings& settings = {},
                     const Pattern& fixed = {})
      : Scheduled(network, settings, has_homes ? homes_on(network, settings, fixed) : Pattern(),
                  Made{}) {}

  [[nodiscard]] static Pattern fixed_pattern(const ErasedTopology& network,
                                             const Settings& settings) {
    return has_homes ? fixed_homes_on(network, settings) : Pattern();
  }
  [[nodiscard]] Executor program() const { return Executor(schedule()); }

 private:
  struct Made {};
  Scheduled(const ErasedTopology& network, const Settings& settings, const Pattern& pattern, Made)
      : ScheduledAlgorithm(planner(info, network, settings, pattern), pattern) {}
};

/// The many-to-all that is this all-gather of blocks that any node makes.
[[nodiscard]] constexpr AlgorithmInfo many_to_all_like(AlgorithmInfo all_gather) noexcept {
  all_gather.operation = Operation::many_to_all;
  all_gather.parameters = placement_parameters;
  all_gather.charges_idle_steps = true;
  return all_gather;
}

}  // namespace lockstep
