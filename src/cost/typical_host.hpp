// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The model of a typical host, where this one is not calibrated.

#include "cost/host_model.hpp"

namespace lockstep {

/// Its rates are rounded from calibrations on two cores of a server of the 2020s. Times of other
/// hosts differ by a factor of two or three. It has no samples.
[[nodiscard]] const HostModel& typical_host();

}  // namespace lockstep
