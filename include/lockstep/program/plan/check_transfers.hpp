// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Checks a plan before it is lowered. Built-in planners are tested; those of users are checked at
/// every plan.
///
///     check_transfers(plan, network, Operation::broadcast);   // throws: "transfer 3: .."

#include "lockstep/collective/collective.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Throws InvalidParameter that names the first transfer that cannot take place: nodes, parts,
/// classes or steps that do not exist; no link from sender to receiver; a block that the sender
/// does not have in that step, or that the receiver has had already; a sum in an operation that
/// adds nothing, or a block in one that does. Whether all blocks arrive is judged after the run.
/// O(transfers log(transfers)).
void check_transfers(const Transfers& plan, const ErasedTopology& network, Operation operation);

}  // namespace lockstep
