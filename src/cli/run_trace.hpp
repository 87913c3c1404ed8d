// SPDX-License-Identifier: Apache-2.0
#pragma once

/// --trace of `lockstep run`.

#include <cstdint>
#include <memory>
#include <optional>

#include "cli/output.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/report/run_report.hpp"
#include "study/timeline.hpp"

namespace lockstep::cli {

/// The request of --trace, and its record of the run: messages, or the times of the workers.
struct RunTrace {
  std::optional<Output> place{};  ///< none: another process writes it
  bool of_workers = false;
  std::uint64_t parts_per_block = 1;  ///< the machine counts parts as blocks
  std::optional<SendTrace> messages{};
  std::shared_ptr<study::Timeline> timeline{};
};

/// A trace is kept in memory until the run is over. Throws InvalidParameter where it is too long.
void check_trace(const RunPlan& plan);

/// Writes the trace of a run that ended on this network. `processes`: that shared it; null: none.
void write_trace(RunTrace& trace, const ErasedTopology& network, const Provenance& provenance,
                 bool quiet, Processes* processes);

}  // namespace lockstep::cli
