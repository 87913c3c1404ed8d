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

/// Empty where none is known, or where it would take too long to search the network.
[[nodiscard]] std::optional<LowerBound> lower_bound_on(const AnyTopology& topology,
                                                       const Collective& collective,
                                                       const PortModel& model);

/// The collective of whole blocks: of a many-to-all whose origins are parts of blocks, in order.
[[nodiscard]] Collective of_whole_blocks(const Collective& collective,
                                         std::uint64_t parts_per_block);

}  // namespace lockstep::catalog
