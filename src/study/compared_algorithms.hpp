// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The algorithms that `compare` and `tune` rank for a task, the user's own schedule among them,
/// and what each of them is asked for.
///
///     const Task task = task_of(base);
///     for (const AlgorithmInfo& info : task.algorithms)
///       (void)prepare(request_for(info, task.request));

#include <vector>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep::study {

struct Task {
  RunRequest request;  ///< the same for all: with the pattern, and the root of the user's schedule
  std::vector<AlgorithmInfo> algorithms;
};

/// Throws InvalidParameter where there is no algorithm, where none takes a setting, and where the
/// user's schedule is refused or is for messages of other processors.
[[nodiscard]] Task task_of(const RunRequest& base);

/// The task, and of the user's own files those that the algorithm takes.
[[nodiscard]] RunRequest request_for(const AlgorithmInfo& info, const RunRequest& base);

/// Whether a file of the user's takes the place of something that an algorithm makes or has built
/// in. It has to be right; nothing else was asked for by name.
[[nodiscard]] bool has_own_file(const RunRequest& request);

}  // namespace lockstep::study
