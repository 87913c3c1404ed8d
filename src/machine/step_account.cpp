// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/step_account.hpp"

#include <algorithm>

#include "lockstep/machine/port_ledger.hpp"

namespace lockstep::detail {

void StepAccount::begin(std::uint64_t step, const TaskCounts& counts, double seconds) noexcept {
  current_ = {.step = step,
              .senders = counts.senders,
              .messages = counts.messages,
              .blocks = counts.blocks,
              .largest_message_blocks = counts.largest,
              .ports_used = counts.ports_used,
              .seconds = seconds};
}

void StepAccount::finish(const TaskCounts& counts, const MachineOptions& options,
                         RunRecord& record) {
  current_.receivers = counts.receivers;
  current_.active = current_.senders + counts.receivers - counts.busy;
  record.steps = current_.step + 1;
  record.startups += static_cast<std::uint64_t>(current_.messages != 0);
  record.message_times += current_.largest_message_blocks;
  record.largest_message_blocks =
      std::max(record.largest_message_blocks, current_.largest_message_blocks);
  record.hops += current_.messages;
  record.blocks_moved += current_.blocks;
  record.senders += current_.senders;
  record.receivers += current_.receivers;
  if (options.keep_series) record.series.push_back(current_);
}

bool settle_violations(const std::vector<Violation>& found, PassPlace place,
                       const MachineOptions& options, RunRecord& record) {
  std::vector<Violation>& all = record.violations;
  if (found.empty() && all.empty()) return false;
  all.insert(all.end(), found.begin(), found.end());
  settle(all);
  // Receptions of a step are known one pass later: only now is the step before fully judged.
  const auto judged =
      static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Violation& v) {
        return v.step < place.step || place.last_call;
      }));
  record.violation_count = all.size();
  if (!options.stop_at_violation || judged == 0) return false;
  record.violation_count = judged;
  all.resize(judged);
  return true;
}

}  // namespace lockstep::detail
