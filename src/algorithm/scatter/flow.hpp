// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Scatter on any small graph through all ports in the fewest steps there are; and gather, which is
/// the same backwards.
/// Model:   all-port, full-duplex.
/// Idea:    all messages come from one source, so that only one commodity flows: T steps are enough
///          exactly if the network, drawn once for every step, each link with capacity 1, carries a
///          unit to every processor. T begins with the lower bound and grows until a maximum flow
///          says so. The flow falls into routes, which need not be a tree; messages may wait.
/// Cost:    T start-ups and message times: no schedule of whole blocks takes fewer.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors", 1996, section 7.1
///          asks for it; the method is this library's. Figure 3.4(b), section 3.4: 3 steps, where a
///          tree takes 4.
/// Differs: nothing to differ from; tests/papers/thesis_scatter_test.cpp.

#include "algorithm/scheduled_algorithm.hpp"

namespace lockstep {

/// What does not depend on the operation's type.
class AnyFlowScatter : public ScheduledAlgorithm {
 public:
  /// Networks small enough for flows.
  [[nodiscard]] static bool admits(const ErasedTopology& network);

 protected:
  /// Throws InvalidParameter where the network has no such root, or the flow is too large.
  AnyFlowScatter(const AlgorithmInfo& info, const ErasedTopology& network,
                 const Settings& settings);
};

template <Operation operation>
class FlowScatter final : public AnyFlowScatter {
  static_assert(operation == Operation::scatter || operation == Operation::gather);

 public:
  static constexpr AlgorithmInfo info{
      .name = "flow",
      .operation = operation,
      .model = port_models::all_port,
      .source = "Lockstep; open problem of Dimakopoulos, section 7.1",
      .costs = "start-ups and message times: the minimum",
      .summary = operation == Operation::scatter
                     ? "sends along routes of a maximum flow over time; no schedule takes fewer steps"
                     : "reverses the scatter over routes of a maximum flow",
      .parameters = root_parameters,
      .general = true};

  FlowScatter(const ErasedTopology& network, const Settings& settings)
      : AnyFlowScatter(info, network, settings) {}
};

static_assert(AlgorithmClass<FlowScatter<Operation::scatter>>);

}  // namespace lockstep
