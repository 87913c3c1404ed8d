// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The packets of the packing algorithms: what is in them, in which order, and how they travel.
/// Part of star_packing.hpp and star_batched_redistribution.hpp, which say what is sent when.

#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/core/permutation.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/star_routing.hpp"

namespace lockstep {

/// The two places a message alternates between on its way: one is read by the next node while the
/// other is written.
class AlternatingRegions {
 public:
  AlternatingRegions(NodeInvariantSchedule& schedule, std::uint32_t blocks)
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
  [[nodiscard]] NodeInvariantSchedule& schedule() { return schedule_; }
  [[nodiscard]] NodeInvariantSchedule take_schedule() { return std::move(schedule_); }

  /// Where the next packet of this level goes.
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
  NodeInvariantSchedule schedule_;
  std::vector<std::vector<StarRoute>> routes_;  // by level
  std::vector<std::uint32_t> blocks_;           // by level
  std::vector<AlternatingRegions> places_;      // by level
  Elements addresses_;
};

}  // namespace lockstep
