// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in the star graph S_n by packing, for a chain n = m_0 > m_1 > ... > m_r = 1.
/// Model:   single-port, full-duplex.
/// Idea:    pack the m_1! blocks for a substar of m_1 symbols, route the packet to the own
///          representative in it, exchange inside the substar in the same way; for every substar.
/// Cost:    sum over levels t of (n!/m_{t+1}!) l(m_t, m_{t+1}) start-ups and n! l(m_t, m_{t+1})
///          message times, l(a, b) = mean distance from a node of S_a to its substars of b symbols.
/// Source:  Tseng, Chang, Sheu, "Efficient all-to-all broadcast in star graph interconnection
///          networks", section III, Personalized_Broadcast; the chain (n, 1) is the older algorithm
///          of Fragopoulou and Akl, Misic and Jovanovic.
/// Differs: chains of any length and batches (star_batched_redistribution.hpp); eq. (1) misprints
///          l(k,1) as l(n,1) in its second coefficient (tests/papers/star_costs_test.cpp). Packets
///          keep their blocks in the order of the routes inside them, so that packing copies
///          nothing.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithm/star_promises.hpp"
#include "lockstep/algorithm/total_exchange/star_batched_redistribution.hpp"
#include "lockstep/algorithm/total_exchange/star_packets.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/star_translations.hpp"

namespace lockstep {

class StarPacking {
 public:
  using TopologyType = StarGraph;
  static constexpr AlgorithmInfo info{
      .name = "packing",
      .operation = Operation::total_exchange,
      .model = port_models::single_port,
      .source = "Tseng, Chang, Sheu, section III (Personalized_Broadcast)",
      .summary = "packets of k! blocks to a representative in every k-substar, then inside it",
      .packs = true,
      .batches = true};

  /// parameters.k: {3} is the paper's k = 3, {4, 3, 2} a chain, {1} the older algorithm without
  /// packing, {} the paper's k = 3 where it exists. Throws InvalidParameter.
  StarPacking(const StarGraph& star, const AlgorithmParameters& parameters)
      : star_(star), chain_(chain_of(star.symbols(), parameters.k)), batch_(parameters.batch) {
    if (batch_ < 1) throw InvalidParameter("batch: 0 given, allowed 1 or more");
    if (batch_ == 1) return;
    if (chain_.size() != 3)
      throw InvalidParameter("batch: " + std::to_string(batch_) +
                             " given, allowed with a single packing factor of at least 2 only");
    const std::uint64_t packets = factorial(chain_[0]) / factorial(chain_[1]);
    if (batch_ > packets || batch_ * factorial(chain_[1]) > max_region_blocks)
      throw InvalidParameter(
          "batch: " + std::to_string(batch_) + " given, allowed up to " +
          std::to_string(std::min(packets, max_region_blocks / factorial(chain_[1]))));
  }

  /// n = m_0 > ... > m_r = 1.
  [[nodiscard]] const std::vector<std::size_t>& chain() const noexcept { return chain_; }

  [[nodiscard]] std::optional<Promise> promise() const {
    if (batch_ > 1) return star_promises::packing_in_batches(chain_[0], chain_[1], batch_);
    return star_promises::packing(chain_);
  }

  [[nodiscard]] Footprint footprint() const {
    Footprint footprint;
    footprint.steps = promise()->startups;
    footprint.hops = footprint.steps * star_.node_count();
    for (std::size_t t = 1; t < chain_.size(); ++t)
      footprint.blocks_per_processor += 2 * factorial(chain_[t]);
    if (batch_ > 1) footprint.blocks_per_processor += 2 * batch_ * (1 + factorial(chain_[1]));
    // A step is a reception and a send; a block for every processor but oneself is delivered.
    footprint.plan_bytes = footprint.steps * (2 * sizeof(Action) + sizeof(std::uint64_t)) +
                           star_.node_count() * (4 * sizeof(std::uint64_t) + sizeof(Action));
    return footprint;
  }

  [[nodiscard]] NodeInvariantSchedule schedule() const {
    if (batch_ > 1) return StarBatchedRedistribution(star_, chain_, batch_).schedule();
    StarPackets packets(star_, chain_);
    for (const StarRoute& route : packets.routes(0)) {              // (2) for i = 1 to N do
      if (packets.blocks(0) == 1 && route.ports.empty()) continue;  // the own block
      const Permutation x = packets.extended(route.end);            // (2i), (2ii)
      distribute(packets, 0, packets.carry(0, packets.load(x), route, x), x);  // (2iii), (2iv)
    }
    return packets.take_schedule();
  }

  [[nodiscard]] NodeInvariantProgram<StarGraph> program() const { return {star_, schedule()}; }

 private:
  static std::vector<std::size_t> chain_of(std::size_t n, std::vector<std::size_t> factors) {
    if (factors.empty()) factors.push_back(std::min<std::size_t>(3, n - 1));
    std::vector<std::size_t> chain{n};
    for (const std::size_t k : factors) {
      const bool alone = factors.size() == 1;
      if (k >= chain.back() || k < (alone ? 1U : 2U))
        throw InvalidParameter("k: " + std::to_string(k) + " given after " +
                               std::to_string(chain.back()) +
                               ", allowed a strictly decreasing chain of packing factors, " +
                               std::to_string(n - 1) + " at most and 2 at least (or 1 alone)");
      if (k > 1) chain.push_back(k);
    }
    chain.push_back(1);
    return chain;
  }

  /// Step (2iv): inside the substar, the blocks of `packet`, whose representative is u `x`.
  static void distribute(StarPackets& packets, std::size_t level, Blocks packet, Permutation x) {
    if (packet.count == 1) return;
    const std::uint32_t size = packets.blocks(level + 1);
    Blocks part{packet.region, packet.first, size};
    for (const StarRoute& route : packets.routes(level + 1)) {
      const Permutation address = compose(x, packets.extended(route.end));
      if (size == 1 && route.ports.empty()) {
        packets.deliver_here(part, address);
      } else {
        distribute(packets, level + 1, packets.carry(level + 1, part, route, address), address);
      }
      part.first += size;
    }
  }

  StarGraph star_;
  std::vector<std::size_t> chain_;
  std::uint64_t batch_;
};

static_assert(Algorithm<StarPacking>);

}  // namespace lockstep
