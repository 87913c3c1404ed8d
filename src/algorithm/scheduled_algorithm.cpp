// SPDX-License-Identifier: Apache-2.0
#include "algorithm/scheduled_algorithm.hpp"

#include <utility>

namespace lockstep {

ScheduledAlgorithm::ScheduledAlgorithm(PlannedSchedule planned, Pattern pattern)
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

}  // namespace lockstep
