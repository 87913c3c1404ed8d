// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A node-invariant all-gather, read backwards: where u sent the blocks of some sources to v in
/// step t, v sends to u, in step T - 1 - t, what it has for the same processors, and u combines.
/// What is for a processor so runs together along the tree over which its block was spread: a
/// reduce-scatter with as many start-ups and message times, under any port model that is the same
/// backwards.
///
///     const NodeInvariantSchedule scatter = reversed_gather(group, gather);

#include "lockstep/program/node_invariant_schedule.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {

/// Of processors with a block of memory for every processor. Precondition: `gather` brings every
/// processor each other's block, whole and once.
[[nodiscard]] NodeInvariantSchedule reversed_gather(const AnyCayley& group,
                                                    const NodeInvariantSchedule& gather);

}  // namespace lockstep
