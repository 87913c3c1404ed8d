// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Scatter on any graph over a spanning tree, furthest destinations first; and gather, which is the
/// same backwards.
/// Model:   single-port.
/// Idea:    the root sends a message in every step, the one that has the longest way to go first;
///          all others pass on what came in the step before, so that no message ever waits.
/// Cost:    N - 1 start-ups and message times, the least there can be; over switches more, where
///          the tree is deeper than there are messages.
/// Source:  Dimakopoulos, "Collective communication problems in multiprocessors", 1996, section 3.3
///          (theorem 3.6, for any spanning tree).
/// Differs: none; of destinations at the same distance the one with the smaller number is first.

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/spanning_tree.hpp"

namespace lockstep {

/// What does not depend on the operation's type.
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
  void write_way(Schedule& schedule, std::uint64_t rank) const;
  [[nodiscard]] Schedule schedule() const;

  ErasedTopology network_;
  bool backwards_;
  SpanningTree tree_;
  std::vector<std::uint32_t> order_;  // destinations, the furthest first
  std::uint64_t steps_ = 0;
  std::uint64_t hops_ = 0;
};

template <Operation operation>
class TreeScatter final : public AnyTreeScatter {
  static_assert(operation == Operation::scatter || operation == Operation::gather);

 public:
  static constexpr AlgorithmInfo info{
      .name = "tree",
      .operation = operation,
      .model = port_models::single_port,
      .source = "Dimakopoulos, section 3.3",
      .costs = "N - 1 start-ups and message times: the lower bound",
      .summary = operation == Operation::scatter
                     ? "uses a breadth-first tree, furthest destinations first; no queueing delay"
                     : "reverses the scatter over a tree; no queueing delay",
      .parameters = root_parameters,
      .unbuffered = true};

  TreeScatter(const ErasedTopology& network, const Settings& settings)
      : AnyTreeScatter(info, network, settings) {}
};

}  // namespace lockstep
