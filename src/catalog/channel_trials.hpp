// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which kinds of channels a program type of the catalogue runs on. A machine is compiled per type
/// and kind, which is most of the time of a build. Channels know nothing of programs, so that one
/// type suffices for users to compare the kinds; tests run programs of every sort on every kind
/// (tests/property). Mailboxes, which take a fraction of the memory of slots, serve programs in
/// which a node has many ports and receives one message in a step.

#include <concepts>

#include "lockstep/machine/machine_memory.hpp"
#include "lockstep/program/node_invariant.hpp"

namespace lockstep {
class CubeExchange;
}  // namespace lockstep

namespace lockstep::catalog {

template <class Prog>
inline constexpr CompiledChannels compiled_channels =
    std::same_as<Prog, NodeInvariantProgram> ? CompiledChannels::every
    : std::same_as<Prog, CubeExchange>       ? CompiledChannels::slot_and_mailbox
                                             : CompiledChannels::slot;

}  // namespace lockstep::catalog
