// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Shapes of networks that algorithms know by their links, whatever their names: a complete graph
/// from a file is one, too.

#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Whether every node is linked to every other. At most 4,096 nodes.
[[nodiscard]] bool is_complete(const ErasedTopology& network);

}  // namespace lockstep
