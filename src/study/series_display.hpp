// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How a series of runs shows where it is. Experiments print nothing themselves: the command line,
/// which knows the terminal, hands them one of these.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace lockstep::study {

class SeriesDisplay {
 public:
  SeriesDisplay() = default;
  SeriesDisplay(const SeriesDisplay&) = delete;
  SeriesDisplay& operator=(const SeriesDisplay&) = delete;
  virtual ~SeriesDisplay() = default;

  /// The next run begins.
  virtual void announce(const std::string& run) = 0;
  /// A bar for so many steps, shown until the counter of the steps done is let go.
  [[nodiscard]] virtual std::shared_ptr<std::atomic<std::uint64_t>> bar(const std::string& run,
                                                                        std::uint64_t steps) = 0;
  /// The run is over: its line goes away.
  virtual void clear() = 0;
};

}  // namespace lockstep::study
