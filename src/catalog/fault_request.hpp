// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the reference machine needs to know of a run that the catalogue prepared.

#include "lockstep/catalog/catalog.hpp"

namespace lockstep::catalog {

/// The sends are added to `trace` if there is one.
[[nodiscard]] FaultRequest fault_request(const RunRequest& request, const RunEstimate& run,
                                         SendTrace* trace);

}  // namespace lockstep::catalog
