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

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/star_promises.hpp"
#include "algorithm/total_exchange/star_batched_redistribution.hpp"
#include "algorithm/total_exchange/star_packets.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/star_translations.hpp"

namespace lockstep {

class StarPacking final : public Algorithm {
 public:
  using TopologyType = StarGraph;
  static constexpr std::string_view automatic = "auto";  ///< a batch of k! packets
  static constexpr std::array batch_words{automatic};
  static constexpr std::array parameters{
      Parameter{.name = "k",
                .kind = Parameter::Kind::numbers,
                .placeholder = "K,...",
                .meaning =
                    "Packing factor, or a decreasing chain such as 4,3,2 (default: 3, at most "
                    "n-1)",
                .noun = "packing factors",
                .phrase = ", k = {}",
                .form = "a packing factor such as 3, or a decreasing chain such as 4,3,2"},
      Parameter{.name = "batch",
                .kind = Parameter::Kind::count,
                .placeholder = "B|auto",
                .meaning =
                    "Number of packets to redistribute together, or auto for k!, which keeps "
                    "messages short (default: 1)",
                .noun = "batches",
                .phrase = ", batch {}",
                .least = 1,
                .words = batch_words,
                .fallback = "1",
                .always_reported = false}};
  static constexpr AlgorithmInfo info{
      .name = "packing",
      .operation = Operation::total_exchange,
      .model = port_models::single_port,
      .source = "Tseng, Chang, Sheu, section III (Personalized_Broadcast)",
      .costs = "sum of (n!/b!) l(a,b) over the chain n, k1, .., 1; sum of n! l(a,b)",
      .summary = "sends packets of k! blocks to representatives of k-substars, then inside them",
      .parameters = parameters,
      .baseline = {"k", "1"}};

  /// k: {3} is the paper's k = 3, {4, 3, 2} a chain, {1} the older algorithm without packing, {}
  /// the paper's k = 3 where it exists. batch: 1 is none; "auto": as many packets as a packet has
  /// blocks. Throws InvalidParameter.
  StarPacking(const StarGraph& star, const Settings& settings);

  /// n = m_0 > ... > m_r = 1.
  [[nodiscard]] const std::vector<std::size_t>& chain() const noexcept { return chain_; }

  [[nodiscard]] Settings chosen() const override;
  /// Every single factor; the cheapest chains and the cheapest batches.
  [[nodiscard]] std::optional<Variants> variants() const override;

  [[nodiscard]] std::optional<Cost> promise() const override {
    if (batch_ > 1) return star_promises::packing_in_batches(chain_[0], chain_[1], batch_);
    return star_promises::packing(chain_);
  }

  [[nodiscard]] Footprint footprint() const override {
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

  [[nodiscard]] NodeInvariantProgram program() const { return {star_, schedule()}; }

 private:
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
  std::uint64_t batch_ = 1;
};

static_assert(AlgorithmClass<StarPacking>);

}  // namespace lockstep
