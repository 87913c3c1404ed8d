// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A line of the catalogue for an algorithm that is data.

#include "algorithm/planned_algorithm.hpp"
#include "lockstep/catalog/detail/catalog_line.hpp"

namespace lockstep::catalog {

/// Precondition: the algorithm outlives the line.
[[nodiscard]] CatalogLine planned(const PlannedAlgorithm& algorithm);

}  // namespace lockstep::catalog
