// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The messages of a broadcast in which every node receives once, estimated from random paths of
/// its tree: for networks that have too many nodes to run them all.
///
/// Idea:   a path goes from the root to a child drawn at random, and so on. A node that is reached
///         with the probability p counts 1/p times, so that the mean over all paths is the number
///         of all messages that are counted.
/// Source: D. E. Knuth, Estimating the efficiency of backtrack programs, Mathematics of
///         Computation 29, 1975, section 2.
///
///     const double crossing = estimated_messages(program, topology, steps, leaves_its_process);

#include <cstdint>
#include <functional>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/detail/erased_program.hpp"

namespace lockstep::catalog {

/// The number of messages for which `counts` is true. Precondition: the program starts at one node,
/// and a node that receives the block acts on nothing else.
[[nodiscard]] double estimated_messages(const ErasedProgram& program, const AnyTopology& network,
                                        std::uint64_t steps,
                                        const std::function<bool(NodeId from, NodeId to)>& counts);

}  // namespace lockstep::catalog
