// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in the d-cube, one dimension after the other.
/// Model:   single-port, full-duplex.
/// Idea:    in step t neighbours across dimension t exchange all that they have: twice as much in
///          every step.
/// Cost:    d start-ups, 2^d - 1 message times: the least there can be of both.
/// Source:  textbook.
/// Differs: none.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/checks.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/hypercube.hpp"

namespace lockstep {

class CubeRecursiveDoublingGather final : public Algorithm {
 public:
  using TopologyType = Hypercube;
  static constexpr AlgorithmInfo info{
      .name = "recursive-doubling",
      .operation = Operation::all_gather,
      .model = port_models::single_port,
      .source = "textbook",
      .costs = "d start-ups, 2^d - 1 message times",
      .claims = {.startups = Among::all, .message_times = Among::all},
      .summary = "exchanges all blocks held, one dimension after the other"};

  /// Throws InvalidParameter where the blocks of all processors do not fit a region.
  explicit CubeRecursiveDoublingGather(const Hypercube& cube, const Settings& = {}) : cube_(cube) {
    check_count(info.name, cube.name(), cube.node_count(), "nodes");
  }

  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{cube_.dimensions(), cube_.node_count() - 1};
  }
  [[nodiscard]] Footprint footprint() const override {
    const std::uint64_t steps = cube_.dimensions();
    return {.steps = steps,
            .hops = steps * cube_.node_count(),
            .blocks_per_processor = cube_.node_count(),
            .plan_bytes = (1 + 3 * steps) * sizeof(Action) + (steps + 1) * sizeof(std::uint64_t) +
                          cube_.node_count() * sizeof(NodeId)};
  }

  /// Slot i of u is for the block of u xor i: what arrives follows what is there.
  [[nodiscard]] NodeInvariantProgram program() const {
    NodeInvariantSchedule schedule(cube_);
    const Region memory = schedule.add_region(static_cast<std::uint32_t>(cube_.node_count()));
    const std::vector<NodeId> me{cube_.identity()};
    const Elements own = schedule.add_elements(me);
    schedule.load({memory, 0, 1}, own, own);
    for (std::uint64_t t = 0; t < cube_.dimensions(); ++t) {
      const std::uint32_t known = std::uint32_t{1} << t;
      schedule.move(port(t), {memory, 0, known}, {memory, known, known});
      std::vector<NodeId> sources(known);
      for (std::uint32_t i = 0; i < known; ++i) sources[i] = NodeId{known + i};
      schedule.deliver({memory, known, known}, schedule.add_elements(sources));
    }
    return {cube_, std::move(schedule)};
  }

 private:
  Hypercube cube_;
};

static_assert(AlgorithmClass<CubeRecursiveDoublingGather>);

}  // namespace lockstep
