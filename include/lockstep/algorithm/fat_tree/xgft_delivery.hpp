// SPDX-License-Identifier: Apache-2.0
#pragma once

/// XgftDelivery: messages leave their makers in given steps and then move one link in every step,
/// up to the column that they were told, and down from there: a message that turns at level l has
/// only one way from a switch on top of it. No queues: where two meet on a link, the rules of the
/// machine are broken, and it says so.
///
/// A label says where a message is from, where it goes, and by which column.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "lockstep/algorithm/fat_tree/departures.hpp"
#include "lockstep/algorithm/fat_tree/furthest.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/xgft.hpp"

namespace lockstep {

/// Where a message goes, and from which switch on top of its way it comes down, in 32 bits: a word
/// of Departures.
class XgftWays {
 public:
  struct Way {
    std::uint64_t destination = 0;
    std::uint64_t column = 0;
  };

  /// Throws ResourceExhausted where processors times columns exceed 2^32.
  explicit XgftWays(const Xgft& tree);

  [[nodiscard]] std::uint64_t word(Way way) const noexcept {
    return way.destination + leaves_ * way.column;
  }
  [[nodiscard]] Way of(std::uint64_t word) const noexcept {
    return {word % leaves_, word / leaves_};
  }

 private:
  std::uint64_t leaves_;
};

/// The column whose way up to level j + 1 is digit j of the destination, modulo the parents there:
/// where none are missing, a switch has a link down for each destination below.
[[nodiscard]] std::uint64_t column_of_digits(const Xgft& tree, std::uint64_t destination);

class XgftDelivery : public LeavesByCalendar {
 public:
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::sparse;
  static constexpr bool labelled = true;

  /// What leaves are words of XgftWays.
  XgftDelivery(Xgft tree, std::shared_ptr<const Departures> plan)
      : LeavesByCalendar(std::move(plan)), tree_(std::move(tree)), ways_(tree_) {}

  /// Of algorithms that run it on total exchange.
  [[nodiscard]] static Footprint footprint(const Xgft& tree, std::uint64_t steps) {
    const std::uint64_t leaves = tree.processor_count();
    return {.steps = steps,
            .hops = leaves * hops_from(tree.spanning_tree()),
            .blocks_per_processor = 2 * tree.max_degree(),
            .blocks_of_all = 4 * *tree.link_count(),
            .plan_bytes = Departures::bytes(leaves * (leaves - 1), steps)};
  }

  /// For every port what is sent in a step, and what was sent in the step before.
  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    return {static_cast<std::uint32_t>(2 * tree_.max_degree())};
  }
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region) const {
    return static_cast<std::uint32_t>(2 * tree_.degree(node));
  }

  void operator()(auto& here) const {
    const Xgft::Place place = tree_.place(here.node());
    if (place.level == 0)
      exchange(here);
    else
      pass_on(here, place);
  }

 private:
  static constexpr Region room{0};
  static constexpr std::uint64_t word_mask = 0xFFFF'FFFF;

  [[nodiscard]] static Blocks slot_of(auto& here, Port way) {
    return {room, static_cast<std::uint32_t>(here.step() % 2 * here.degree() + index(way)), 1};
  }

  void exchange(auto& here) const {
    while (const auto arrival = here.take_first())
      here.deliver(arrival, 0, Origin{arrival.word(0) >> 32U});
    for (const std::uint32_t word : departures().of(here.step(), here.node())) {
      const XgftWays::Way way = ways_.of(word);
      const Port up = tree_.port_up(way.column, 0);
      const Blocks block = slot_of(here, up);
      here.load(room, block.first, NodeId{way.destination});
      here.set_word(room, block.first, index(here.node()) << 32U | word);
      here.send(up, block);
    }
  }

  void pass_on(auto& here, Xgft::Place place) const {
    while (const auto arrival = here.take_first()) {
      const auto [to, column] = ways_.of(arrival.word(0) & word_mask);
      const Port next = tree_.is_below(to, place) ? tree_.port_down(to, place.level)
                                                  : tree_.port_up(column, place.level);
      const Blocks block = slot_of(here, next);
      here.store(arrival, block);
      here.send(next, block);
    }
  }

  Xgft tree_;
  XgftWays ways_;
};

static_assert(CalendarProgram<XgftDelivery> && UnevenProgram<XgftDelivery>);

}  // namespace lockstep
