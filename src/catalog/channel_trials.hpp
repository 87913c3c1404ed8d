// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The program types of the catalogue that run on every kind of channel. A machine is compiled per
/// program type and kind, which is most of the time of a build. Channels know nothing of programs,
/// so that a few types suffice to test all kinds against each other: a schedule of one class, one
/// by node that receives once, a rule that does, one that combines, and queues. Every other type
/// has the fastest only.

#include <concepts>

#include "algorithm/all_reduce/recursive_doubling.hpp"
#include "algorithm/broadcast/ej_improved.hpp"
#include "algorithm/fat_tree/queue_program.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/program/schedule_program.hpp"

namespace lockstep::catalog {

template <class Prog>
concept TriesEveryChannel = std::same_as<Prog, NodeInvariantProgram> ||
    std::same_as<Prog, OnceScheduleProgram> || std::same_as<Prog, EjImproved::Program> ||
    std::same_as<Prog, CubeRecursiveDoubling::Program> || std::same_as<Prog, FatTreeQueues>;

}  // namespace lockstep::catalog
