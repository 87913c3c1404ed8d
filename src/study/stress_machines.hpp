// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The machines that run random programs: compiled once, for `stress` and for tests.

#include "lockstep/machine/machine.hpp"
#include "lockstep/machine/receive_once_machine.hpp"
#include "lockstep/machine/spsc_channels.hpp"
#include "lockstep/topology/network.hpp"
#include "reference/receive_once_script.hpp"
#include "reference/scripted_program.hpp"

namespace lockstep {

namespace study {
using Dense = reference::ScriptedProgram<Activity::dense>;
using Sparse = reference::ScriptedProgram<Activity::sparse>;
using DenseReading = reference::ScriptedProgram<Activity::dense, reference::Reads::words>;
using SparseReading = reference::ScriptedProgram<Activity::sparse, reference::Reads::words>;
using DenseRouting =
    reference::ScriptedProgram<Activity::dense, reference::Reads::words_and_routes>;
using SparseRouting =
    reference::ScriptedProgram<Activity::sparse, reference::Reads::words_and_routes>;
}  // namespace study

// stress_machines_dense.cpp
extern template class Machine<Network, study::Dense, SlotChannels>;
extern template class Machine<Network, study::Dense, SpscChannels>;
extern template class Machine<Network, study::Dense, MailboxChannels>;
extern template class Machine<Network, study::DenseReading, SlotChannels>;
extern template class Machine<Network, study::DenseReading, SpscChannels>;
extern template class Machine<Network, study::DenseReading, MailboxChannels>;
extern template class Machine<Network, study::DenseRouting, WormholeChannels>;
// stress_machines_sparse.cpp
extern template class Machine<Network, study::Sparse, SlotChannels>;
extern template class Machine<Network, study::Sparse, SpscChannels>;
extern template class Machine<Network, study::Sparse, MailboxChannels>;
extern template class Machine<Network, study::SparseReading, SlotChannels>;
extern template class Machine<Network, study::SparseReading, SpscChannels>;
extern template class Machine<Network, study::SparseReading, MailboxChannels>;
extern template class Machine<Network, study::SparseRouting, WormholeChannels>;
extern template class ReceiveOnceMachine<Network, reference::ReceiveOnceScript>;

}  // namespace lockstep
