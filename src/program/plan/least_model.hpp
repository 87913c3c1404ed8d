// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The weakest port model whose rules a plan keeps, found without a run.
///
///     least_model(plan, network)->sends;     // the most messages that a node sends in a step
///
/// A model admits the run of the plan exactly if it admits this one.

#include <optional>

#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Without a name. Empty for plans of a few classes of nodes.
[[nodiscard]] std::optional<PortModel> least_model(const Transfers& plan,
                                                   const ErasedTopology& network);

}  // namespace lockstep
