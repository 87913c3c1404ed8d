// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Broadcasts over a plan, and what is made of them, as classes: for tests of classes.
///
///     const test::TreeBroadcast broadcast(network, {{"root", 3}});
///     broadcast.promise()->startups;

#include "algorithm/broadcast/planned_broadcast.hpp"
#include "algorithm/planned_algorithm.hpp"
#include "lockstep/program/schedule_program.hpp"

namespace lockstep::test {

template <const BroadcastRule& rule, PlannedAlgorithm (*made)(const BroadcastRule&) = broadcast_by>
class BroadcastClass final : public ScheduledAlgorithm {
 public:
  static constexpr const AlgorithmInfo& info = rule.info;

  explicit BroadcastClass(const ErasedTopology& network, const Settings& settings = {})
      : ScheduledAlgorithm(*scheduled_for(made(rule), network, settings)) {}
  [[nodiscard]] ReceiveOnceScheduleProgram program() const {
    return ReceiveOnceScheduleProgram(schedule());
  }
};

using TreeBroadcast = BroadcastClass<tree_broadcast>;
using SinglePortTree = BroadcastClass<single_port_tree>;
using Matching = BroadcastClass<matching_broadcast>;

}  // namespace lockstep::test
