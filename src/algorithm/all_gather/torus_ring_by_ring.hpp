// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in a torus, one dimension after the other.
/// Model:   single-port, full-duplex.
/// Idea:    in the ring of a dimension of n nodes everybody passes on, n - 1 times, what came last,
///          beginning with all that it has from the dimensions before.
/// Cost:    the sum of n - 1 over the dimensions start-ups, N - 1 message times: the fewest of the
///          latter.
/// Source:  textbook.
/// Differs: none.

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/torus_rings.hpp"
#include "core/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"

namespace lockstep {

class TorusRingGather final : public Algorithm {
 public:
  using TopologyType = Torus;
  static constexpr AlgorithmInfo info{
      .name = "ring-by-ring",
      .operation = Operation::all_gather,
      .model = port_models::single_port,
      .source = "textbook",
      .costs = "sum of n - 1 over the sides; N - 1: the lower bound",
      .summary = "goes around the rings of one dimension after the other; fewest message times"};

  /// Throws InvalidParameter where the blocks of all processors do not fit a region.
  explicit TorusRingGather(const Torus& torus, const Settings& = {}) : torus_(torus) {
    if (torus.node_count() > max_region_blocks)
      throw InvalidParameter(fmt::format("{} on {}: {} nodes; allowed: up to {}", info.name,
                                         torus.name(), grouped(torus.node_count()),
                                         grouped(max_region_blocks)));
  }

  [[nodiscard]] std::optional<Cost> promise() const override {
    std::uint64_t steps = 0;
    for (const TorusRing& ring : rings_of(torus_)) steps += ring.side - 1;
    return Cost{steps, torus_.node_count() - 1};
  }
  [[nodiscard]] Footprint footprint() const override {
    const std::uint64_t steps = promise()->startups;
    return {.steps = steps,
            .hops = steps * torus_.node_count(),
            .blocks_per_processor = torus_.node_count(),
            .plan_bytes = (1 + 3 * steps) * sizeof(Action) + (steps + 1) * sizeof(std::uint64_t) +
                          2 * torus_.node_count() * sizeof(NodeId)};
  }

  [[nodiscard]] NodeInvariantProgram program() const {
    NodeInvariantSchedule schedule(torus_);
    std::vector<NodeId> known{torus_.identity()};  // whose blocks are in memory, in that order
    const Region memory = schedule.add_region(static_cast<std::uint32_t>(torus_.node_count()));
    const Elements me = schedule.add_elements(known);
    schedule.load({memory, 0, 1}, me, me);
    for (const TorusRing& ring : rings_of(torus_)) {
      const auto count = static_cast<std::uint32_t>(known.size());
      for (std::uint64_t i = 1; i < ring.side; ++i) {
        const auto first = static_cast<std::uint32_t>(known.size());
        schedule.move(ring.up, {memory, first - count, count}, {memory, first, count});
        const NodeId below = torus_.neighbor(torus_.identity(), ring.down);
        for (std::uint32_t j = 0; j < count; ++j)
          known.push_back(torus_.product(below, known[first - count + j]));
        schedule.deliver({memory, first, count},
                         schedule.add_elements(std::span(known).subspan(first)));
      }
    }
    return {torus_, std::move(schedule)};
  }

 private:
  Torus torus_;
};

static_assert(AlgorithmClass<TorusRingGather>);

}  // namespace lockstep
