// SPDX-License-Identifier: Apache-2.0
#pragma once

/// StepList: an observer that keeps what it saw.

#include <vector>

#include "lockstep/machine/step_observer.hpp"

namespace lockstep::test {

struct StepList final : StepObserver {
  void on_step(const StepRecord& step) override { steps.push_back(step); }
  std::vector<StepRecord> steps;
};

}  // namespace lockstep::test
