// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How many cores this process may use, which may be fewer than the host has.

#include <cstddef>
#include <string>

namespace lockstep {

/// Cores of the affinity mask of this thread (taskset, cpusets), or the CPU quota of its control
/// groups, rounded up, where that is less (`docker run --cpus 1.5`: 2). At least 1. `root` precedes
/// the paths of control groups, for tests.
[[nodiscard]] std::size_t usable_cores(const std::string& root = "");

}  // namespace lockstep
