// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithm/planned_algorithm.hpp"
#include "lockstep/catalog/detail/catalog_line.hpp"

namespace lockstep::catalog {

/// The one list of algorithms: a line each, the default of a topology and operation first. Of two
/// of one name the first holds: one written for a family, then the one for any network.
[[nodiscard]] std::vector<CatalogLine> built_in_lines();

/// A line for an algorithm that is data.
[[nodiscard]] CatalogLine planned(PlannedAlgorithm algorithm);

}  // namespace lockstep::catalog
