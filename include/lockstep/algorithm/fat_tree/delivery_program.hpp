// SPDX-License-Identifier: Apache-2.0
#pragma once

/// FatTreeDelivery: messages leave their makers in given steps and then move one link in every
/// step. A switch passes on in a step what arrived in the step before: up, where the destination is
/// not below it, else down towards it, by the lowest lanes that are free. No queues: where a branch
/// has fewer lanes than messages the rules of the machine are broken, and it says so.
///
/// A label says where a message is from, and where it goes.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "lockstep/algorithm/fat_tree/departures.hpp"
#include "lockstep/algorithm/fat_tree/furthest.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/fat_tree.hpp"

namespace lockstep {

/// The word that goes with a message of a tree: its maker and its destination.
struct FatTreeAddress {
  std::uint64_t source = 0;
  std::uint64_t destination = 0;

  [[nodiscard]] static constexpr FatTreeAddress of(std::uint64_t word) noexcept {
    return {word >> 32U, word & 0xFFFF'FFFFU};
  }
  [[nodiscard]] constexpr std::uint64_t word() const noexcept {
    return source << 32U | destination;
  }
};

class FatTreeDelivery : public LeavesByCalendar {
 public:
  struct Memory {
    std::vector<std::uint32_t> lanes{};  // of a switch, taken in the step: to its children, up
  };
  static constexpr Activity activity = Activity::sparse;
  static constexpr bool labelled = true;

  FatTreeDelivery(FatTree tree, std::shared_ptr<const Departures> plan)
      : LeavesByCalendar(std::move(plan)), tree_(std::move(tree)) {}

  /// Of algorithms that run it: so many messages, which go over so many links in all. `planning`:
  /// bytes of what else is kept.
  [[nodiscard]] static Footprint footprint(const FatTree& tree, std::uint64_t steps,
                                           std::uint64_t messages, std::uint64_t hops,
                                           std::uint64_t planning = 0) {
    return {.steps = steps,
            .hops = hops,
            .blocks_per_processor = 2 * tree.max_degree(),
            .blocks_of_all = 4 * *tree.link_count(),
            .plan_bytes = Departures::bytes(messages, steps) + planning + branch_variables(tree)};
  }

  /// What is sent in a step, and what was sent in the step before.
  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    return {static_cast<std::uint32_t>(2 * tree_.max_degree())};
  }
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region) const {
    return static_cast<std::uint32_t>(2 * tree_.degree(node));
  }

  void operator()(auto& here) const {
    const FatTree::Place place = tree_.place(here.node());
    if (place.level == 0)
      exchange(here);
    else
      pass_on(here, place);
  }

 private:
  static constexpr Region room{0};

  [[nodiscard]] static std::uint32_t first_slot(auto& here) {
    return static_cast<std::uint32_t>(here.step() % 2 * here.degree());
  }

  void exchange(auto& here) const {
    while (const auto arrival = here.take_first())
      here.deliver(arrival, 0, Origin{FatTreeAddress::of(arrival.word(0)).source});
    const std::uint64_t own = index(here.node());
    std::uint32_t lane = 0;
    for (const std::uint32_t destination : departures().of(here.step(), here.node())) {
      const auto way = static_cast<std::uint32_t>(lane++ % here.degree());
      const Blocks block{room, first_slot(here) + way, 1};
      here.load(room, block.first, NodeId{destination});
      here.set_word(room, block.first, FatTreeAddress{own, destination}.word());
      here.send(port(way), block);
    }
  }

  void pass_on(auto& here, FatTree::Place place) const {
    const std::size_t level = place.level;
    std::vector<std::uint32_t>& lanes = here.memory().lanes;
    lanes.assign(tree_.arity(level) + 1, 0);
    std::uint32_t slot = first_slot(here);
    while (const auto arrival = here.take_first()) {
      const std::uint64_t to = FatTreeAddress::of(arrival.word(0)).destination;
      const std::uint64_t branch = tree_.branch_towards(to, place);
      const std::uint64_t lane = lanes[branch]++ % tree_.lanes(level, branch);
      const Blocks block{room, slot++, 1};
      here.store(arrival, block);
      here.send(port(index(tree_.branch_port(level, branch)) + lane), block);
    }
  }

  FatTree tree_;
};

static_assert(Program<FatTreeDelivery> && CalendarProgram<FatTreeDelivery>);

}  // namespace lockstep
