// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gather in the star graph S_n around a Hamiltonian cycle: the baseline of the mesh algorithm.
/// Model:   single-port, full-duplex.
/// Idea:    every node sends its own block to the next node of the cycle, then n!-2 times the block
///          it has just received.
/// Source:  Tseng, Chang, Sheu, section IV, where it is what the new algorithm is compared with.
/// Differs: the paper does not say which cycle; ours is topology/star_hamiltonian.hpp. n = 2 is
///          left out, as a cycle takes three nodes.
/// Program: that of the mesh, with one row.

#include <fmt/format.h>

#include <cstdint>

#include "algorithm/all_gather/star_mesh.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {

class StarHamiltonianRing final : public Algorithm {
 public:
  using TopologyType = StarGraph;
  static constexpr AlgorithmInfo info{
      .name = "hamiltonian-ring",
      .operation = Operation::all_gather,
      .model = port_models::single_port,
      .source = "star paper (Tseng, Chang, Sheu), section IV, the baseline",
      .startups = "factorial(n) - 1",
      .message_times = "factorial(n) - 1",
      .summary = "sends every block once around a Hamiltonian cycle, one block per message"};

  using Program = StarMesh::Program;

  /// Throws InvalidParameter for n = 2.
  explicit StarHamiltonianRing(const StarGraph& star, const Settings& = {}) : star_(star) {
    if (star.symbols() < 3) {
      throw InvalidParameter(
          fmt::format("hamiltonian-ring on {}: two nodes have no cycle; allowed: star:3..{}; "
                      "use levelwise on {}",
                      star.name(), StarGraph::max_symbols, star.name()));
    }
  }

  [[nodiscard]] Footprint footprint() const override {
    const std::uint64_t steps = star_.node_count() - 1;
    return {.steps = steps,
            .hops = steps * star_.node_count(),
            .blocks_per_processor = 2,
            .plan_bytes = Program::bytes(star_, 1)};
  }
  [[nodiscard]] Program program() const { return {star_, 1}; }

 private:
  StarGraph star_;
};

}  // namespace lockstep
