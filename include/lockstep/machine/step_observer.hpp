// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Who looks on at a run, between its steps.

#include "lockstep/machine/run_record.hpp"

namespace lockstep {

class StepObserver {
 public:
  StepObserver() = default;
  StepObserver(const StepObserver&) = delete;
  StepObserver& operator=(const StepObserver&) = delete;
  virtual ~StepObserver() = default;

  /// Before the first step: the run is set up.
  virtual void on_start() {}
  /// After every step, in their order, by the one thread that runs the loop. What is counted for
  /// series only (StepRecord::active) is right where the machine keeps one.
  virtual void on_step(const StepRecord& step) = 0;
};

}  // namespace lockstep
