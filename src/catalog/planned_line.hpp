// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A line of the catalogue for an algorithm that is data.

#include "algorithm/planned_algorithm.hpp"
#include "lockstep/catalog/detail/catalog_line.hpp"

namespace lockstep::catalog {

[[nodiscard]] CatalogLine planned(PlannedAlgorithm algorithm);

}  // namespace lockstep::catalog
