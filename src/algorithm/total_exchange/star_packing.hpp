// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Total exchange in the star graph S_n by packing, for a chain n = m_0 > m_1 > ... > m_r = 1.
/// Model:   single-port, full-duplex.
/// Idea:    pack the m_1! blocks for a substar of m_1 symbols, route the packet to the own
///          representative in it, exchange inside the substar in the same way; for every substar.
/// Cost:    sum over levels t of (n!/m_{t+1}!) l(m_t, m_{t+1}) start-ups and n! l(m_t, m_{t+1})
///          message times, l(a, b) = mean distance from a node of S_a to its substars of b symbols.
/// Source:  Tseng, Chang, Sheu, section III, Personalized_Broadcast; the chain (n, 1) is the older
///          algorithm of Fragopoulou and Akl, Misic and Jovanovic.
/// Differs: chains of any length and batches; eq. (1) misprints l(k,1) as l(n,1) in its second
///          coefficient (tests/papers/star_costs_test.cpp). Packets keep their blocks in the order
///          of the routes inside them, so that packing copies nothing.
///
/// Packing with batched redistribution, where a batch has B > 1 packets:
/// Idea:    route B packets before opening any; then one message per processor of the substar
///          carries a block of each of them.
/// Cost:    (n!/k!) l(n,k) + ceil(n!/k!/B) k! l(k,1) start-ups; message times as without batches.
/// Source:  not in the paper; with B = k! no packet is larger than the paper's.
/// Differs: an improvement on step (2iv), for chains (n, k, 1).

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithm/star_promises.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/star_graph.hpp"

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
                .meaning = "Packing factor, or a decreasing chain such as 4,3,2",
                .noun = "packing factors",
                .phrase = ", k = {}",
                .form = "a packing factor such as 3, or a decreasing chain such as 4,3,2",
                .usual = "the smaller of 3 and n-1"},
      Parameter{
          .name = "batch",
          .kind = Parameter::Kind::count,
          .placeholder = "B|auto",
          .meaning =
              "Number of packets that are redistributed together inside substars; a message "
              "carries one block of each packet. auto: k! or the number of packets, whichever is "
              "smaller. A batch of k! packets makes each message as long as a packet",
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
      .costs =
          "start-ups: sum of (n!/b!) l(a,b); message times: sum of n! l(a,b); over consecutive "
          "a, b of the chain n, k1, .., 1",
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
    footprint.plan_bytes =
        footprint.steps * (2 * sizeof(Action) + sizeof(Schedule::Turn) + sizeof(std::uint32_t)) +
        star_.node_count() * (4 * sizeof(std::uint64_t) + sizeof(Action));
    return footprint;
  }

  [[nodiscard]] Schedule schedule() const;
  [[nodiscard]] GroupedScheduleProgram program() const { return {star_, schedule()}; }

 private:
  StarGraph star_;
  std::vector<std::size_t> chain_;
  std::uint64_t batch_ = 1;
};

}  // namespace lockstep
