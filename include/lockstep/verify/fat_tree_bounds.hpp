// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What no algorithm can beat on a fat tree, whose switches are no processors.
///
///     lower_bound({Operation::total_exchange}, FatTree({3, 3}, {.name = "constant"}),
///                 port_models::single_port_send)
///         -> 4 start-ups, 57 message times
///
/// In a step of messages of M blocks no branch carries more than M blocks per lane, and a step like
/// that can be cut in M steps of single blocks: the bounds on steps of single blocks are bounds on
/// message times. n leaves, N_i of them below a node of level i, h levels, arities k_i:
///   start-ups       a leaf is up to 2h links away; broadcast with one send per step: the message
///                   has to be sent to all children of every level, h - 1 + k_1 + .. + k_h steps.
///   one send        total exchange: a node of level i sends 2 N_i (n - N_i) messages for others
///                   outside and N_i (N_i - N_(i-1)) that turn there, the first in step i + 1, and
///                   the last still has i - 1 links to go. (Theorem 6.6 of the thesis looks at one
///                   level only.) All-gather: Theorem 6.3. Scatter, gather: n - N_(i-1) messages
///                   that turn at level i or above leave the source one by one.
///   all ports       scatter, gather, all-gather: the same with c_1 lanes. Total exchange: X =
///                   N_(l-1) (n - N_(l-1)) messages cross a branch of level l each way, e_l in a
///                   step at most, no earlier than step l and no later than T - l + 1; one that
///                   turns at level m takes 2 (m - l) + 1 steps from its crossing up to that down.
///                   Summed over all messages this bounds T, queues or not.
/// Source: Dimakopoulos 1996, chapter 6, Theorems 6.1, 6.2, 6.3, 6.9, equation 6.4; corrected and
/// extended where said.

#include <optional>

#include "lockstep/collective/collective.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/erased_topology.hpp"
#include "lockstep/topology/fat_tree.hpp"
#include "lockstep/topology/xgft.hpp"
#include "lockstep/verify/lower_bounds.hpp"

namespace lockstep {

/// Empty for other operations, for wormhole switching, and where numbers exceed 64 bits.
[[nodiscard]] std::optional<LowerBound> lower_bound(const Collective& collective,
                                                    const FatTree& tree, const PortModel& model);
/// A branch has as many lanes as there are links above a subtree, W_i; with one send per step only
/// what passes a leaf is counted, since its switches share what one would have to send.
[[nodiscard]] std::optional<LowerBound> lower_bound(const Collective& collective, const Xgft& tree,
                                                    const PortModel& model);
/// Of whichever of these it is; empty of others.
[[nodiscard]] std::optional<LowerBound> lower_bound(const Collective& collective,
                                                    const ErasedTopology& network,
                                                    const PortModel& model);

}  // namespace lockstep
