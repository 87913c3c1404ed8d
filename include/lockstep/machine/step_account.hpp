// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How the counts and violations of passes become a RunRecord, the same for every machine: what was
/// sent in a step is known in its own pass, who received it and which rules that broke one pass
/// later. Not for users.

#include <cstdint>
#include <vector>

#include "lockstep/machine/arrival.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/machine/run_record.hpp"

namespace lockstep::detail {

class StepAccount {
 public:
  /// `counts` of the pass of `step`, which took `seconds`.
  void begin(std::uint64_t step, const TaskCounts& counts, double seconds) noexcept;
  /// `counts` of the pass after it. The step enters the record.
  void finish(const TaskCounts& counts, const MachineOptions& options, RunRecord& record);

 private:
  StepRecord current_;
};

/// Where a run is: the pass of `step`.
struct PassPlace {
  std::uint64_t step = 0;
  bool last_call = false;
};

/// Violations kept in a record.
inline constexpr std::size_t kept_violations = 64;

/// What was found in a pass joins the violations of the record. Whether the run has to stop: a step
/// that is fully judged broke a rule.
[[nodiscard]] bool settle_violations(const std::vector<Violation>& found, PassPlace place,
                                     const MachineOptions& options, RunRecord& record);

/// The same, with the far ends of the links.
template <class Net>
[[nodiscard]] bool settle_violations(const Net& network, const std::vector<Violation>& found,
                                     PassPlace place, const MachineOptions& options,
                                     RunRecord& record) {
  const bool broken = settle_violations(found, place, options, record);
  for (Violation& v : record.violations)
    v.other_end =
        index(v.port) < network.degree(v.node) ? network.neighbor(v.node, v.port) : v.node;
  return broken;
}

}  // namespace lockstep::detail
