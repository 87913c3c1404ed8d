// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How a series of runs shows where it is. Experiments print nothing themselves: the command line,
/// which knows the terminal, hands them one of these.

#include <cstdint>
#include <memory>
#include <string>

#include "lockstep/machine/step_observer.hpp"

namespace lockstep::study {

class SeriesDisplay {
 public:
  SeriesDisplay() = default;
  SeriesDisplay(const SeriesDisplay&) = delete;
  SeriesDisplay& operator=(const SeriesDisplay&) = delete;
  virtual ~SeriesDisplay() = default;

  /// The next run begins.
  virtual void announce(const std::string& run) = 0;
  /// A bar for so many steps, shown until it is let go.
  [[nodiscard]] virtual std::shared_ptr<StepObserver> bar(const std::string& run,
                                                          std::uint64_t steps) = 0;
  /// The run is over: its line goes away.
  virtual void clear() = 0;
};

}  // namespace lockstep::study
