// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A node-invariant all-gather, read backwards: where u sent the blocks of some sources to v in
/// step t, v sends to u, in step T - 1 - t, what it has for the same processors, and u combines.
/// The contributions to a processor thus combine along the tree that distributed its block. The
/// result is a reduce-scatter with the same start-ups and message times, under any port model that
/// is symmetric in time.
///
///     const NodeInvariantSchedule scatter = reversed_gather(group, gather);

#include "lockstep/program/node_invariant_schedule.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {

/// Processors have one block of memory per processor. Precondition: `gather` brings every block to
/// every other processor, undivided and once.
[[nodiscard]] NodeInvariantSchedule reversed_gather(const AnyCayley& group,
                                                    const NodeInvariantSchedule& gather);

}  // namespace lockstep
