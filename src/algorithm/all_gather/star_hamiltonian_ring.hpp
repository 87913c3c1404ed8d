// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in the star graph S_n around a Hamiltonian cycle: the baseline of the mesh algorithm.
/// Model:   single-port, full-duplex.
/// Idea:    every node sends its own block to the next node of the cycle, then n!-2 times the block
///          it has just received.
/// Cost:    n! - 1 start-ups, n! - 1 message times.
/// Source:  Tseng, Chang, Sheu, "Efficient all-to-all broadcast in star graph interconnection
///          networks", section IV, where it is what the new algorithm is compared with.
/// Differs: the paper does not say which cycle; ours is topology/star_hamiltonian.hpp. n = 2 is
///          left out, as a cycle takes three nodes.
/// Program: not a schedule, since N^2 deliveries against two blocks in each node: the list would be
///          N times as large as what a run takes.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithm/star_promises.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "topology/star_hamiltonian.hpp"

namespace lockstep {

class StarHamiltonianRing final : public Algorithm {
 public:
  using TopologyType = StarGraph;
  static constexpr AlgorithmInfo info{
      .name = "hamiltonian-ring",
      .operation = Operation::all_gather,
      .model = port_models::single_port,
      .source = "star paper (Tseng, Chang, Sheu), section IV, the algorithm compared with",
      .costs = "n! - 1 start-ups and message times",
      .summary = "sends every block once around a Hamiltonian cycle, one block per message"};

  class Program {
   public:
    using Memory = NoMemory;
    static constexpr Activity activity = Activity::dense;

    explicit Program(const StarGraph& star) : cycle_(star.node_count()), places_(cycle_.size()) {
      const std::vector<std::uint8_t> word = star_hamiltonian_word(star.symbols());
      NodeId u = star.identity();
      for (std::size_t i = 0; i < word.size(); ++i) {
        cycle_[i] = static_cast<std::uint32_t>(index(u));
        places_[index(u)] = {.on_cycle = static_cast<std::uint32_t>(i),
                             .to_next = port(word[i]),
                             .from_previous = port(i == 0 ? word.back() : word[i - 1])};
        u = star.neighbor(u, port(word[i]));
      }
      expects(u == star.identity(), "the cycle closes");
    }

    /// Two blocks, in turn: one is read by the next node while the other is written.
    [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1, 1}; }
    [[nodiscard]] std::uint64_t step_count() const noexcept { return cycle_.size() - 1; }

    template <class StepView>
    void operator()(StepView& here) const {
      const Place place = places_[index(here.node())];
      const Blocks block{Region{static_cast<std::uint8_t>(here.step() % 2)}};
      if (here.step() == 0) {
        here.load(block.region, 0, here.node());
      } else {
        here.store(here.take(place.from_previous), block);
        here.deliver(block.region, 0, NodeId{cycle_[before(place.on_cycle, here.step())]});
      }
      if (!here.last_call()) here.send(place.to_next, block);
    }

    /// Bytes of this plan, shared by all processors.
    [[nodiscard]] static std::uint64_t bytes(const StarGraph& star) noexcept {
      return star.node_count() * (sizeof(std::uint32_t) + sizeof(Place));
    }

   private:
    struct Place {
      std::uint32_t on_cycle = 0;
      Port to_next{};
      Port from_previous{};
    };

    /// `steps` < n! places back on the cycle.
    [[nodiscard]] std::uint64_t before(std::uint64_t place, std::uint64_t steps) const noexcept {
      return place >= steps ? place - steps : place + cycle_.size() - steps;
    }

    std::vector<std::uint32_t> cycle_;  // node by place on the cycle
    std::vector<Place> places_;         // by node
  };

  /// Throws InvalidParameter for n = 2.
  explicit StarHamiltonianRing(const StarGraph& star, const Settings& = {}) : star_(star) {
    if (star.symbols() < 3) {
      throw InvalidParameter(
          fmt::format("hamiltonian-ring on {}: two nodes have no cycle; allowed: star:3..{}; "
                      "use levelwise on {}",
                      star.name(), StarGraph::max_symbols, star.name()));
    }
  }

  [[nodiscard]] std::optional<Cost> promise() const override {
    return star_promises::ring_all_gather(star_.symbols());
  }
  [[nodiscard]] Footprint footprint() const override {
    const std::uint64_t steps = star_.node_count() - 1;
    return {.steps = steps,
            .hops = steps * star_.node_count(),
            .blocks_per_processor = 2,
            .plan_bytes = Program::bytes(star_)};
  }
  [[nodiscard]] Program program() const { return Program(star_); }

 private:
  StarGraph star_;
};

}  // namespace lockstep
