// SPDX-License-Identifier: Apache-2.0
#pragma once

/// PreparedRun for any line of the catalogue.

#include <memory>

#include "catalog/catalog_line.hpp"

namespace lockstep::catalog {

/// Throws InvalidParameter where the request does not fit together.
[[nodiscard]] std::unique_ptr<PreparedRun> prepare_run(const CatalogLine& line, RunRequest request);

}  // namespace lockstep::catalog
