// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Lower bounds on fat trees and XGFTs, whose switches are not processors.
///
///     lower_bound({Operation::total_exchange}, FatTree({3, 3}, {.name = "constant"}),
///                 port_models::single_port_send)
///         -> 4 start-ups, 57 message times
///
/// n leaves, N_i of them below a node of level i, h levels, arities k_i, e_l lanes of a branch of
/// level l that lower levels can fill.
///   start-ups       A leaf is up to 2h links away. Broadcast with one send per step: the message
///                   has to be sent to all children of every level, h - 1 + k_1 + .. + k_h steps.
///
/// Message times of every algorithm, by volume: no lane carries more than M blocks in a step whose
/// largest message is M blocks, whatever parts blocks are cut in.
///   a leaf          What it sends and receives passes its c_1 lanes (lower_bounds.hpp).
///   a branch        Total exchange: N_(l-1) (n - N_(l-1)) blocks cross one of level l each way,
///                   e_l per message time; half-duplex lanes carry the sum of both ways.
///   one send        A switch sends a broadcast k_i times, or k_h - 1 times at the root; in an
///                   all-gather n times as much; in a total exchange 2 N_i (n - N_i) blocks for
///                   leaves on either side of its parent and N_i (N_i - N_(i-1)) that turn there.
///
/// Message times of algorithms that keep blocks whole: a step of messages of M blocks can be
/// divided into M steps of single blocks, so that bounds on such steps are bounds on message times.
/// To the volumes they add the way to the first block and from the last:
///   one send        Total exchange: the first block leaves a switch of level i in step i + 1, the
///                   last still has i - 1 links to go. (Theorem 6.6 of the thesis looks at one
///                   level only.) All-gather: Theorem 6.3. Scatter: n - N_(i-1) messages that turn
///                   at level i or above leave the source one by one.
///   one reception   Scatter: with one parent the same. All-gather: n - N_(i-1) messages that turn
///                   at level i or above reach a leaf one by one.
///   all ports       Scatter, all-gather: the same with c_1 lanes. Total exchange: of the
///                   X messages that cross a branch of level l each way, e_l cross in a step at
///                   most, no earlier than step l and no later than T - l + 1; one that
///                   turns at level m takes 2 (m - l) + 1 steps from its crossing up to that down.
///                   Summed over all messages this bounds T, queues or not.
/// Gather, reduce and reduce-scatter have the bounds of their mirror operations (lower_bounds.hpp),
/// whose switches copy where here they may combine. In an all-reduce and a scan, a leaf sends its
/// contribution and receives a result.
/// Source: Dimakopoulos 1996, chapter 6, Theorems 6.1, 6.2, 6.3, 6.9, equation 6.4; corrected and
/// extended where said.

#include <optional>

#include "lockstep/collective/collective.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "lockstep/verify/lower_bounds.hpp"

namespace lockstep {

/// Empty for operations that need a pattern, for wormhole switching, and where numbers exceed 64
/// bits. In an XGFT a branch has as many lanes as there are links above a subtree, W_i; with one
/// send per step only what passes a leaf is counted where switches have several parents, since the
/// switches on top of a subtree share what one would have to send.
[[nodiscard]] std::optional<LowerBound> lower_bound(const Collective& collective,
                                                    const SwitchTree& tree, const PortModel& model);

}  // namespace lockstep
