// SPDX-License-Identifier: Apache-2.0
#include "study/stress_machines.hpp"

namespace lockstep {

template class Machine<Network, study::Sparse, SlotChannels>;
template class Machine<Network, study::Sparse, SpscChannels>;
template class Machine<Network, study::Sparse, MailboxChannels>;
template class Machine<Network, study::SparseReading, SlotChannels>;
template class Machine<Network, study::SparseReading, SpscChannels>;
template class Machine<Network, study::SparseReading, MailboxChannels>;
template class Machine<Network, study::SparseRouting, WormholeChannels>;

template class ReceiveOnceMachine<Network, reference::ReceiveOnceScript>;

}  // namespace lockstep
