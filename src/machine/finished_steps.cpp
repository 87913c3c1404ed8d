// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/finished_steps.hpp"

namespace lockstep {

std::optional<RunRecord> FinishedSteps::record() const {
  const std::lock_guard lock(mutex_);
  std::optional<RunRecord> found = offered_ == nullptr ? kept_ : *offered_;
  if (!found || found->steps == 0) return std::nullopt;
  found->interrupted = true;
  found->wall.step_seconds = step_seconds_;
  return found;
}

void FinishedSteps::offer(const RunRecord& record) {
  if (!changing_.owns_lock()) changing_.lock();
  offered_ = &record;
  changing_.unlock();
}

void FinishedSteps::withdraw() { changing_.lock(); }

void FinishedSteps::close(const RunRecord& record) {
  if (!changing_.owns_lock()) changing_.lock();
  offered_ = nullptr;
  if (record.interrupted) kept_ = record;
  changing_.unlock();
}

}  // namespace lockstep
