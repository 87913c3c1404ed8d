// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The work of a run by kinds, for the model of the host (cost/host_model.hpp).

#include "cost/host_model.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/report/run_result.hpp"

namespace lockstep::catalog {

/// As counted by the machine. The forecast says how the run was made: channels, verification.
[[nodiscard]] HostWork host_work(const RunForecast& run, const RunRecord& record);
/// The mean length of a message by the predicted cost, in parts of blocks; 1 where none is
/// predicted.
[[nodiscard]] double predicted_length(const RunForecast& run);
/// Before the run: counted in its plan, if it has one; otherwise estimated from its footprint and
/// its promise, as if every node sent in every step.
[[nodiscard]] HostWork expected_work(const RunForecast& run);

}  // namespace lockstep::catalog
