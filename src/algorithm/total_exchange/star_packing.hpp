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
/// Differs: chains of any length and batches; eq. (1) misprints
///          l(k,1) as l(n,1) in its second coefficient (tests/papers/star_costs_test.cpp). Packets
///          keep their blocks in the order of the routes inside them, so that packing copies
///          nothing.
///
/// The packets of the packing algorithms: what is in them, in which order, and how they travel.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/star_promises.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "topology/star_routing.hpp"

namespace lockstep {

/// The two places a message alternates between on its way: one is read by the next node while the
/// other is written.
class AlternatingRegions {
 public:
  AlternatingRegions(Schedule& schedule, std::uint32_t blocks)
      : regions_{schedule.add_region(blocks), schedule.add_region(blocks)} {}

  [[nodiscard]] Blocks next(std::uint32_t count) {
    turn_ = 1 - turn_;
    return {regions_[turn_], 0, count};
  }

 private:
  Region regions_[2];
  std::size_t turn_ = 0;
};

/// Level t routes inside substars of m_t symbols, with packets of m_{t+1}! blocks.
class StarPackets {
 public:
  StarPackets(const StarGraph& star, const std::vector<std::size_t>& chain)
      : star_(star), schedule_(star) {
    for (std::size_t level = 0; level + 1 < chain.size(); ++level) {
      routes_.push_back(star_routes(chain[level], chain[level + 1]));
      blocks_.push_back(static_cast<std::uint32_t>(factorial(chain[level + 1])));
      places_.emplace_back(schedule_, blocks_.back());
    }
    addresses_ = schedule_.add_elements(slot_addresses(1));
  }

  [[nodiscard]] const std::vector<StarRoute>& routes(std::size_t level) const {
    return routes_[level];
  }
  /// Blocks in a packet of this level.
  [[nodiscard]] std::uint32_t blocks(std::size_t level) const { return blocks_[level]; }
  [[nodiscard]] Permutation extended(Permutation x) const { return x.extended(star_.symbols()); }
  [[nodiscard]] Schedule& schedule() { return schedule_; }
  [[nodiscard]] Schedule take_schedule() {
    schedule_.close();
    return std::move(schedule_);
  }

  /// The place of the next packet of this level.
  [[nodiscard]] Blocks next_place(std::size_t level) { return places_[level].next(blocks_[level]); }

  /// The own blocks for the substar around u x, as one packet.
  Blocks load(Permutation x) { return load(x, next_place(0)); }
  Blocks load(Permutation x, Blocks into) {
    schedule_.load(into, element(x), addresses_);
    return into;
  }

  /// Step (2iii): the packet along the route to u `address`; a single block is delivered there.
  Blocks carry(std::size_t level, Blocks packet, const StarRoute& route, Permutation address) {
    for (std::size_t hop = 0; hop < route.ports.size(); ++hop) {
      if (packet.count == 1 && hop + 1 == route.ports.size()) {
        schedule_.move_and_deliver(route.ports[hop], packet, element(address.inverse()));
      } else {
        const Blocks next = next_place(level);
        schedule_.move(route.ports[hop], packet, next);
        packet = next;
      }
    }
    return packet;
  }

  /// The representative is the destination. Its own block never left it.
  void deliver_here(Blocks block, Permutation address) {
    if (address == Permutation::identity(star_.symbols())) return;
    schedule_.deliver(block, element(address.inverse()));
  }

 private:
  /// Relative address of each slot of a packet of m_level! blocks: the packets of the next level
  /// lie one behind the other, in the order of their routes.
  [[nodiscard]] std::vector<NodeId> slot_addresses(std::size_t level) const {
    if (level == routes_.size()) return {star_.identity()};
    const std::vector<NodeId> inner = slot_addresses(level + 1);
    std::vector<NodeId> addresses;
    for (const StarRoute& route : routes_[level])
      for (const NodeId slot : inner)
        addresses.push_back(star_.product(star_.node(extended(route.end)), slot));
    return addresses;
  }

  [[nodiscard]] Elements element(Permutation x) {
    const NodeId node = star_.node(x);
    return schedule_.add_elements({&node, 1});
  }

  StarGraph star_;
  Schedule schedule_;
  std::vector<std::vector<StarRoute>> routes_;  // by level
  std::vector<std::uint32_t> blocks_;           // by level
  std::vector<AlternatingRegions> places_;      // by level
  Elements addresses_;
};

/// Packing with batched redistribution: the part of StarPacking with a batch of B > 1.
/// Model:   single-port, full-duplex.
/// Idea:    route B packets before opening any; then one message per processor of the substar
///          carries a block of each of them.
/// Cost:    (n!/k!) l(n,k) + ceil(n!/k!/B) k! l(k,1) start-ups; message times as without batches.
/// Source:  not in the paper; with B = k! no packet is larger than the paper's.
/// Differs: an improvement on step (2iv), for chains (n, k, 1).
class StarBatchedRedistribution {
 public:
  /// Precondition: chain = (n, k, 1), 1 <= batch <= n!/k!.
  StarBatchedRedistribution(const StarGraph& star, const std::vector<std::size_t>& chain,
                            std::uint64_t batch)
      : star_(star),
        packets_(star, chain),
        batch_(static_cast<std::size_t>(batch)),
        kept_{add_kept(), add_kept()},
        messages_(packets_.schedule(), static_cast<std::uint32_t>(batch)) {}

  [[nodiscard]] Schedule schedule() && {
    const std::span<const StarRoute> routes = packets_.routes(0);
    std::size_t turn = 0;
    for (std::size_t begin = 0; begin < routes.size(); begin += batch_) {
      const auto group = routes.subspan(begin, std::min(batch_, routes.size() - begin));
      turn = 1 - turn;  // the last messages of the batch before are still read
      collect(group, kept_[turn]);
      redistribute(group, kept_[turn]);
    }
    return packets_.take_schedule();
  }

 private:
  Region add_kept() {
    return packets_.schedule().add_region(static_cast<std::uint32_t>(batch_) * packets_.blocks(0));
  }

  /// Steps (2i) to (2iii) for every packet of the batch; packet q stays in the q-th part of `kept`.
  void collect(std::span<const StarRoute> group, Region kept) {
    const std::uint32_t size = packets_.blocks(0);
    Blocks place{kept, 0, size};
    for (const StarRoute& route : group) {
      const Permutation x = packets_.extended(route.end);
      Blocks packet = route.ports.empty() ? packets_.load(x, place) : packets_.load(x);
      for (std::size_t hop = 0; hop < route.ports.size(); ++hop) {
        const bool last = hop + 1 == route.ports.size();
        const Blocks next = last ? place : packets_.next_place(0);
        packets_.schedule().move(route.ports[hop], packet, next);
        packet = next;
      }
      place.first += size;
    }
  }

  /// Step (2iv) for the whole batch: one message of group.size() blocks for each processor.
  void redistribute(std::span<const StarRoute> group, Region kept) {
    Schedule& schedule = packets_.schedule();
    const auto size = static_cast<std::uint32_t>(group.size());
    for (std::uint32_t slot = 0; slot < packets_.routes(1).size(); ++slot) {
      const StarRoute& route = packets_.routes(1)[slot];
      const auto part = [&](std::uint32_t q) { return q * packets_.blocks(0) + slot; };
      std::vector<NodeId> sources;
      for (std::uint32_t q = 0; q < size; ++q) {
        const Permutation address =
            compose(packets_.extended(group[q].end), packets_.extended(route.end));
        sources.push_back(star_.node(address.inverse()));
        if (route.ports.empty()) packets_.deliver_here({kept, part(q), 1}, address);
      }
      if (route.ports.empty()) continue;
      schedule.send(route.ports[0], kept, list_of(slot, size));
      schedule.next_step();
      for (std::size_t hop = 1; hop < route.ports.size(); ++hop) {
        const Blocks message = messages_.next(size);
        schedule.take_store(route.ports[hop - 1], message);
        schedule.send(route.ports[hop], message);
        schedule.next_step();
      }
      schedule.take_deliver(route.ports.back(), schedule.add_elements(sources));
    }
  }

  /// Block `slot` of each of `size` kept packets: one list for all batches of that size.
  [[nodiscard]] GatherList list_of(std::uint32_t slot, std::uint32_t size) {
    const auto [known, added] = lists_.try_emplace({slot, size});
    if (added) {
      std::vector<std::uint32_t> parts;
      for (std::uint32_t q = 0; q < size; ++q) parts.push_back(q * packets_.blocks(0) + slot);
      known->second = packets_.schedule().add_list(parts);
    }
    return known->second;
  }

  StarGraph star_;
  StarPackets packets_;
  std::size_t batch_;
  Region kept_[2];
  AlternatingRegions messages_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, GatherList> lists_;
};

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

  [[nodiscard]] Schedule schedule() const {
    if (batch_ > 1) return StarBatchedRedistribution(star_, chain_, batch_).schedule();
    StarPackets packets(star_, chain_);
    for (const StarRoute& route : packets.routes(0)) {              // (2) for i = 1 to N do
      if (packets.blocks(0) == 1 && route.ports.empty()) continue;  // the own block
      const Permutation x = packets.extended(route.end);            // (2i), (2ii)
      distribute(packets, 0, packets.carry(0, packets.load(x), route, x), x);  // (2iii), (2iv)
    }
    return packets.take_schedule();
  }

  [[nodiscard]] GroupedScheduleProgram program() const { return {star_, schedule()}; }

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

}  // namespace lockstep
