// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What a scan has to bring across a cut. Processors on one side, B, need sums of the numbers on
/// the other side, A: for every i in A whose successor i + 1 is in B, the sum of all numbers of A
/// up to i. These sums are independent, so that as many blocks cross from A to B as there are such
/// pairs, in parts of any size and however they are combined. Steps carry at most one message per
/// arc, and per node where it has one port.
///
///     scan_cut(any(Hypercube{3}), port_models::all_port);    // 1: even numbers, odd numbers
///
/// The cut is found by a local search, so that it may not be the best one; any cut gives a bound.

#include "lockstep/core/fraction.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Message times that every scan takes at least; 0 where there is no cut, and under wormhole
/// switching. Takes a time of the order of the arcs for each of some twenty beginnings.
[[nodiscard]] Fraction scan_cut(const ErasedTopology& network, const PortModel& model);

}  // namespace lockstep
