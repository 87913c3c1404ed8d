// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Where to root the tree of an operation without a root.

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// A node from which the farthest processor is as near as possible, or almost; it may be a switch.
/// Node 0 of a Cayley graph. At most 32 searches, most often 4: O(arcs).
[[nodiscard]] NodeId central_root(const ErasedTopology& network);

}  // namespace lockstep
