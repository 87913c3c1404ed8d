// SPDX-License-Identifier: Apache-2.0
#pragma once

/// lockstep run --dry-run: what a run would take, from its plan and a trial of a few seconds.

#include "cli/run_options.hpp"

namespace lockstep::cli {

/// Throws InvalidParameter where --processes or --link is given without the other, or without
/// --dry-run.
void check_processes(const RunOptions& options, const Session& session);

/// The exit code.
[[nodiscard]] int dry_run(const RunOptions& options, const Session& session);

}  // namespace lockstep::cli
