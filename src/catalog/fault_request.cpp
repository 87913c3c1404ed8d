// SPDX-License-Identifier: Apache-2.0
#include "catalog/fault_request.hpp"

namespace lockstep::catalog {

FaultRequest fault_request(const RunRequest& request, const RunEstimate& run, SendTrace* trace) {
  FaultRequest fault{.collective = run.collective(),
                     .machine = {.model = run.model,
                                 .block_bytes = run.block_bytes,
                                 .keep_series = request.keep_series,
                                 .stop_at_violation = request.stop_at_violation,
                                 .watch_waits = run.algorithm.unbuffered,
                                 .one_message_per_node = run.channel == ChannelKind::mailbox,
                                 .fault = request.fault},
                     .payload_seed = request.seed,
                     .parts_per_block = run.footprint.parts_per_block};
  if (trace != nullptr)
    fault.machine.on_send = [trace](const SendEvent& event) { trace->push_back(event); };
  return fault;
}

}  // namespace lockstep::catalog
