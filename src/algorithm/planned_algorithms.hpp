// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The algorithms that are data, each in a source of its own.

#include "algorithm/planned_algorithm.hpp"

namespace lockstep {

extern const PlannedAlgorithm bruck_gather;

}  // namespace lockstep
