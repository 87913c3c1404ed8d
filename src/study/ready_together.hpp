// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Processes that share runs agree before each of them: what one process cannot do, such as take
/// the memory that it needs, none of them begins.
///
///     if (!ready_together(processes, [&] { return prepare_run(); })) return Exit::interrupted;

#include <functional>

#include "lockstep/machine/processes.hpp"

namespace lockstep::study {

/// Prepares a run, in every process. False where preparing was false in any of them. Throws, in all
/// processes, the InvalidParameter or ResourceExhausted that the first of them throws that fails.
/// `processes`: null where this one is alone.
[[nodiscard]] bool ready_together(Processes* processes, const std::function<bool()>& prepare);

}  // namespace lockstep::study
