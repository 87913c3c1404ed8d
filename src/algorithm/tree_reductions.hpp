// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Reduce-scatter on any graph over a spanning tree.
/// Model:   all-port, half-duplex.
/// Idea:    the all-gather over a tree, backwards: a node sends up, combined, what it and all below
///          it contribute to the others; then it is sent what the others contribute to those. Where
///          there are switches, a node sends up the contributions to all, and is sent the results.
/// Cost:    2 H start-ups, for a tree of height H; message times, level by level: N less the
///          smallest subtree, then the largest; N and the largest with switches.
/// Source:  textbook.
/// Differs: combines as messages come, so that the operation has to be commutative.

#include "algorithm/scheduled_algorithm.hpp"

namespace lockstep {

inline constexpr AlgorithmInfo tree_reduce_scatter{
    .name = "tree",
    .operation = Operation::reduce_scatter,
    .model = port_models::all_port_half_duplex,
    .source = "textbook",
    .costs =
        "2H start-ups; message times: sum over levels of N (without switches N minus the smallest "
        "subtree) and the largest subtree",
    .summary =
        "sends the contributions for others up a breadth-first tree and the rest down; switches "
        "combine",
    .commutative = true};
Planner plan_tree_reduce_scatter;
using TreeReduceScatter = Scheduled<tree_reduce_scatter, plan_tree_reduce_scatter>;

/// Scan on any graph over a spanning tree.
/// Model:   all-port, half-duplex.
/// Idea:    the contributions are gathered at node 0, which combines them in the order of the
///          processors and scatters the results. Nodes keep what is theirs or comes from below.
/// Cost:    2 H start-ups, for a tree of height H; message times, level by level: the largest
///          subtree, twice.
/// Source:  textbook.
/// Differs: none. Keeps the order of the processors, whatever the order of the tree.
inline constexpr AlgorithmInfo tree_scan{
    .name = "tree",
    .operation = Operation::scan,
    .model = port_models::all_port_half_duplex,
    .source = "textbook",
    .costs = "2H start-ups; message times: twice the sum over levels of the largest subtree",
    .summary =
        "sends contributions up a breadth-first tree, combines at the root, sends results down"};
Planner plan_tree_scan;
using TreeScan = Scheduled<tree_scan, plan_tree_scan>;

}  // namespace lockstep
