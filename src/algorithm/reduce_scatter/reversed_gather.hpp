// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A node-invariant all-gather, read backwards: where u sent the blocks of some sources to v in
/// step t, v sends to u, in step T - 1 - t, what it has for the same processors, and u combines.
/// The contributions to a processor thus combine along the tree that distributed its block. The
/// result is a reduce-scatter with the same start-ups and message times, under any port model that
/// is symmetric in time.
///
///     const NodeInvariantSchedule scatter = reversed_gather(group, gather);

#include <cstdint>
#include <optional>

#include "algorithm/checks.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {

/// The reduce-scatter that is this all-gather read backwards, for processors with a block of memory
/// for every processor. Precondition: `gather` brings every processor each other's block, whole and
/// once.
[[nodiscard]] NodeInvariantSchedule reversed_gather(const AnyCayley& group,
                                                    const NodeInvariantSchedule& gather);

/// Reduce-scatter in a Cayley graph: a node-invariant all-gather read backwards.
/// Model:   that of the all-gather.
/// Idea:    reversed_gather() of the all-gather.
/// Cost:    start-ups and message times of the all-gather.
/// Source:  textbook: multinode accumulation is multinode broadcast backwards (Bertsekas,
///          Tsitsiklis, "Parallel and distributed computation", 1989, section 1.3).
/// Differs: combines as messages come, so that the operation has to be commutative.

/// `Gather`: an all-gather of whole blocks whose program is a NodeInvariantProgram.
template <class Gather>
class ReversedGather final : public Algorithm {
  static_assert(Gather::info.model.sends == Gather::info.model.receptions,
                "the port model is the same backwards");

 public:
  using TopologyType = typename Gather::TopologyType;
  static constexpr AlgorithmInfo info{.name = Gather::info.name,
                                      .operation = Operation::reduce_scatter,
                                      .model = Gather::info.model,
                                      .source = Gather::info.source,
                                      .costs = "same as all-gather",
                                      .claims = Gather::info.claims,
                                      .summary = "reverses the all-gather of the same name",
                                      .parameters = Gather::info.parameters,
                                      .commutative = true,
                                      .promise_name = Gather::info.promise_name};

  /// Throws InvalidParameter where the all-gather does, or a processor's blocks do not fit a
  /// region.
  explicit ReversedGather(const TopologyType& network, const Settings& settings = {})
      : network_(network), gather_(network, settings) {
    check_count(info.name, network.name(), network.node_count(), "nodes");
  }

  [[nodiscard]] std::optional<Cost> promise() const override { return gather_.promise(); }
  [[nodiscard]] Footprint footprint() const override {
    const Footprint gather = gather_.footprint();
    const std::uint64_t bytes_of_a_block = 2 * sizeof(NodeId) + 2 * sizeof(std::uint32_t);
    return {.steps = gather.steps,
            .hops = gather.hops,
            .blocks_per_processor = network_.node_count(),
            .plan_bytes = gather.plan_bytes + network_.node_count() * bytes_of_a_block};
  }
  [[nodiscard]] NodeInvariantProgram program() const {
    return {network_, reversed_gather(any_cayley(network_), gather_.program().schedule())};
  }

 private:
  TopologyType network_;
  Gather gather_;
};

}  // namespace lockstep
