// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The sends of the busiest node of a tree network in a total exchange, with one port per step: on
/// a tree every path is forced. A bound that is stronger than the sum of the distances, which
/// counts all nodes alike.
///
///     tree_load(any(LinearArray{5})) == 12;       // node i: i (n - i) + (i - 1) (n - i + 1)

#include <cstdint>
#include <optional>

#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/verify/lower_bounds.hpp"

namespace lockstep {

/// Messages that the busiest node sends, as many as it receives; empty where the network is no
/// tree.
[[nodiscard]] std::optional<std::uint64_t> tree_load(const ErasedTopology& network);

/// The bound of a total exchange, raised to that where the model has one port and the network is a
/// tree.
[[nodiscard]] LowerBound with_tree_load(LowerBound bound, const ErasedTopology& network,
                                        const PortModel& model);

}  // namespace lockstep
