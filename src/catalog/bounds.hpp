// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The lower bounds of a collective on a network, from what its family knows of it or a search
/// finds. They depend on network, operation and port model only, never on an algorithm.

#include <optional>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/collective/collective.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/verify/lower_bounds.hpp"

namespace lockstep::catalog {

/// Of whole blocks, whatever parts they travel in. Empty where none is known, or where it would
/// take too long to search the network.
[[nodiscard]] std::optional<LowerBound> lower_bound_on(const AnyTopology& topology,
                                                       const Collective& collective,
                                                       const PortModel& model);

}  // namespace lockstep::catalog
