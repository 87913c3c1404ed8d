// SPDX-License-Identifier: Apache-2.0
#include "study/saved_schedule.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "core/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "study/schedule_recorder.hpp"

namespace lockstep::study {

namespace {

void check_size(std::uint64_t messages) {
  constexpr std::uint64_t most = 2'000'000;
  if (messages > most)
    throw InvalidParameter(
        fmt::format("save-schedule: the run sends {} messages over links; allowed: up to {}",
                    grouped(messages), grouped(most)));
}

}  // namespace

void check_saved_schedule(const RunPlan& run) { check_size(run.footprint.hops); }

ScheduleFile saved_schedule(const RunRequest& request, PreparedRun& run, const RunRecord& record) {
  const RunPlan& plan = run.forecast();
  check_size(record.hops);  // it may not have been known before the run
  if (record.steps > max_schedule_steps)
    throw InvalidParameter(fmt::format("save-schedule: the run has {} steps; allowed: up to {}",
                                       grouped(record.steps), grouped(max_schedule_steps)));
  Schedule schedule = recorded_schedule(request.topology.network(), run.program(), record.steps);
  const Schedule::Traffic traffic = schedule.traffic();
  expects(traffic.messages == record.hops && traffic.startups == record.startups &&
              traffic.message_times == record.message_times,
          "the schedule makes the run that was counted");
  const std::vector<NodeId>* const homes = plan.collective.pattern.homes();
  return {.topology = plan.topology,
          .operation = plan.algorithm.operation,
          .model = plan.model,
          .root = plan.collective.root,
          .homes = homes == nullptr ? std::vector<NodeId>{} : *homes,
          .parts_per_block = plan.parts_per_block(),
          .schedule = std::make_shared<const Schedule>(std::move(schedule))};
}

}  // namespace lockstep::study
