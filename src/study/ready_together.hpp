// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Processes that share a run agree before it: all of them have prepared the same run, and what one
/// process cannot do, such as take the memory that it needs, none of them begins.

#include <functional>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/machine/processes.hpp"

namespace lockstep::study {

/// Prepares a run; null where it was interrupted.
using PrepareRun = std::function<const RunForecast*()>;

/// Prepares a run, in every process. False where any of them was interrupted. Throws, in all
/// processes, the InvalidParameter or ResourceExhausted that the first of them throws that fails;
/// InvalidParameter where they prepared different runs. `processes`: null where this one is alone.
[[nodiscard]] bool ready_together(Processes* processes, const PrepareRun& prepare);

}  // namespace lockstep::study
