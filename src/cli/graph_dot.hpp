// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep::cli {

/// A network for Graphviz: every link once. Throws InvalidParameter for more than 5,040 nodes.
[[nodiscard]] std::string dot_of(const ErasedTopology& topology);

}  // namespace lockstep::cli
