// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Transformations of plans: each makes a plan of another. Precondition of all: every node is a
/// class.
///
///     in_turn(plan);                       // the steps of an all-port plan under one port
///     then(reduce_scatter, all_gather);    // one plan after the other
///
/// reversed() is in program/plan/transfers.hpp.

#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// First one plan, then the other, with a step of the second behind the last of the first. Blocks
/// are cut into the same parts.
[[nodiscard]] Transfers then(Transfers first, const Transfers& second);

/// Throws InvalidParameter where a block cannot be cut into a part for each of so many processors,
/// each again into so many.
void check_block_parts(std::uint64_t processors, std::uint32_t parts);

/// The blocks of N processors as the parts of one: what was the sum, or the block, of processor v
/// becomes part v of a sum of all that everyone receives. A reduce-scatter or an all-gather becomes
/// half of an all-reduce. Where blocks are in P parts, there are N P parts.
[[nodiscard]] Transfers in_block_parts(Transfers plan, std::uint64_t processors);

/// The same for a broadcast: the block of, or for, processor v becomes part v of the root's block.
/// A scatter or an all-gather becomes half of a broadcast.
[[nodiscard]] Transfers in_parts_of(NodeId root, Transfers plan, std::uint64_t processors);

/// Every part cut into so many, which travel together. Precondition: a multiple of its parts.
[[nodiscard]] Transfers in_finer_parts(Transfers plan, std::uint32_t parts);

/// First one plan, then those transfers of the other that bring something new. Precondition: both
/// are of the same broadcast.
[[nodiscard]] Transfers then_the_rest(Transfers first, const Transfers& second);

/// The gather in which each block goes the way to this processor that it goes in the all-gather, so
/// that no message is longer than there.
[[nodiscard]] Transfers collected(const Transfers& all_gather, const ErasedTopology& network,
                                  NodeId root);

/// Whether blocks stay whole although the plan cuts them: block i then goes the way of part i
/// modulo their number.
enum class WholeBlocks : std::uint8_t { no, yes };

/// A many-to-all: in place of the block of a node go those that it makes, makers[i] block i. Steps
/// in which nothing moves are left out. Precondition: every node is a class.
[[nodiscard]] Transfers with_makers(const Transfers& all_gather, std::vector<std::uint32_t> makers,
                                    WholeBlocks whole = WholeBlocks::no);

/// The blocks of one processor for each destination, on the ways that its block for everyone takes:
/// an all-gather becomes a total exchange, a broadcast a scatter, in messages of whole subtrees.
[[nodiscard]] Transfers personalised(Transfers plan, std::uint64_t processors);

/// The part of a total exchange that moves blocks between processors at odd distance; steps in
/// which nothing moves are left out. Precondition: the network is bipartite; there are no sums.
[[nodiscard]] Transfers between_classes(Transfers total_exchange, const ErasedTopology& network);

/// A plan under which nodes send and receive a message per step at most: each step becomes as many
/// as messages leave or reach one node in it, no more (Koenig 1916), the longest messages together.
/// Precondition: no sum is sent in the step in which another is added to it.
[[nodiscard]] Transfers in_turn(Transfers plan);

}  // namespace lockstep
