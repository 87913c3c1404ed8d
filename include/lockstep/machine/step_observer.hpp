// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Watches a run between its steps.

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
  /// Called after every step, in order, by the thread that runs the loop. Counts that belong to the
  /// series (StepRecord::active) are valid only if the machine keeps a series.
  virtual void on_step(const StepRecord& step) = 0;
};

}  // namespace lockstep
