// SPDX-License-Identifier: Apache-2.0
#include "study/stress_machines.hpp"

namespace lockstep {

template class Machine<Network, study::Dense, SlotChannels>;
template class Machine<Network, study::Dense, SpscChannels>;
template class Machine<Network, study::Dense, MailboxChannels>;
template class Machine<Network, study::DenseReading, SlotChannels>;
template class Machine<Network, study::DenseReading, SpscChannels>;
template class Machine<Network, study::DenseReading, MailboxChannels>;
template class Machine<Network, study::DenseRouting, WormholeChannels>;

}  // namespace lockstep
