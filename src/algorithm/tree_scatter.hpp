// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Scatter on any graph over a spanning tree, furthest destinations first; and gather, which is the
/// same backwards.
/// Model:   single-port.
/// Idea:    the root sends a message in every step, the one that has the longest way to go first;
///          all others pass on what came in the step before, so that no message ever waits.
/// Source:  Dimakopoulos 1996, section 3.3 (theorem 3.6, for any spanning tree).
/// Differs: none; of destinations at the same distance the one with the smaller number is first.
/// Program: a schedule, but not a plan of transfers: a hop takes 12 bytes here and some 100 there,
///          and a cube of 2^20 nodes has 10 million hops.
/// Cost and memory are known without the schedule, which is written when it runs.
class AnyTreeScatter : public Algorithm {
 public:
  using TopologyType = ErasedTopology;

  [[nodiscard]] std::optional<Cost> promise() const override;
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] ScheduleProgram program() const;
  [[nodiscard]] std::uint64_t planning_bytes() const override;

 protected:
  /// Throws InvalidParameter where the network has no such root.
  AnyTreeScatter(const AlgorithmInfo& info, const ErasedTopology& network,
                 const Settings& settings);

 private:
  std::shared_ptr<const class TreeWays> ways_;
};

template <Operation operation>
class TreeScatter final : public AnyTreeScatter {
 public:
  static constexpr AlgorithmInfo info{
      .name = "tree",
      .operation = operation,
      .model = port_models::single_port,
      .source = "Dimakopoulos, section 3.3",
      .costs = "N - 1 start-ups and message times",
      .claims = {.startups = Among::one_block,
                 .message_times = Among::all,
                 .where = "without switches",
                 .holds =
                     [](const ErasedTopology& network, const Settings&) {
                       return network.processor_count() == network.node_count();
                     }},
      .summary = operation == Operation::scatter
                     ? "uses a breadth-first tree, furthest destinations first; no queueing delay"
                     : "reverses the scatter over a tree; no queueing delay",
      .parameters = root_parameters,
      .unbuffered = true};

  TreeScatter(const ErasedTopology& network, const Settings& settings)
      : AnyTreeScatter(info, network, settings) {}
};

}  // namespace lockstep
