// SPDX-License-Identifier: Apache-2.0
#include "study/stress_prediction.hpp"

#include <optional>

#include "lockstep/topology/bipartition.hpp"

namespace lockstep::study {

FaultPrediction predict(const RunRequest& request, PreparedRun& run, SendTrace* trace) {
  const RunEstimate& estimate = run.estimate();
  const Network network = request.topology.network();
  std::optional<Bipartition> classes;
  if (request.operation == Operation::odd_distance_exchange) classes.emplace(network);
  reference::FaultRequest fault{
      .collective = estimate.collective(),
      .machine = {.model = estimate.model,
                  .block_bytes = estimate.block_bytes,
                  .keep_series = request.keep_series,
                  .stop_at_violation = request.stop_at_violation,
                  .watch_waits = estimate.algorithm.unbuffered,
                  .one_message_per_node = estimate.channel == ChannelKind::mailbox,
                  .fault = request.fault},
      .payload_seed = request.seed,
      .parts_per_block = estimate.footprint.parts_per_block};
  if (classes) fault.collective.classes = &*classes;
  if (trace != nullptr)
    fault.machine.on_send = [trace](const SendEvent& event) { trace->push_back(event); };
  return reference::predict(network, run.program(), fault);
}

}  // namespace lockstep::study
