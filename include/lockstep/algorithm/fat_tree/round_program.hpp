// SPDX-License-Identifier: Apache-2.0
#pragma once

/// FatTreeRounds: all-gather by rounds, in which the children of a node exchange one message each.
/// The schedule says for which levels a message leaves its leaf. A switch on one of them exchanges
/// it with what its other children sent in the same step, in the steps that follow; one below the
/// highest of them passes it to its parent; what comes from the parent goes to all children. All of
/// this at once, or in the steps of the round: no queues, one lane of each branch.
///
/// A label says where a message is from. Since it moves up in every step, a switch knows when it
/// left. One that comes again while its first copy is still held is not kept twice.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "lockstep/algorithm/fat_tree/departures.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/fat_tree.hpp"

namespace lockstep {

class FatTreeRounds : public LeavesByCalendar {
 public:
  struct Memory {
    std::vector<std::uint8_t> flipped{};    // of each branch: which of its two slots comes next
    std::vector<std::uint32_t> gathered{};  // of each child: the slot of its message of the round
    std::uint32_t substep = 0;              // of the round, from 1; 0: there is none
  };
  static constexpr Activity activity = Activity::sparse;
  static constexpr bool labelled = true;

  /// What leaves is a set of levels: bit l - 1 for level l.
  FatTreeRounds(FatTree tree, std::shared_ptr<const Departures> plan)
      : LeavesByCalendar(std::move(plan)), tree_(std::move(tree)) {}

  /// Two slots for each branch.
  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    std::uint32_t most = 0;
    for (const std::uint64_t arity : tree_.arities())
      most = std::max(most, static_cast<std::uint32_t>(2 * (arity + 1)));
    return {most};
  }
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region) const {
    const std::size_t level = tree_.place(node).level;
    return level == 0 ? 2 : static_cast<std::uint32_t>(2 * (tree_.arity(level) + 1));
  }

  void operator()(auto& here) const {
    const FatTree::Place place = tree_.place(here.node());
    if (place.level == 0)
      exchange(here);
    else
      pass_on(here, place.level);
  }

 private:
  static constexpr Region room{0};

  void exchange(auto& here) const {
    const Port up{0};
    if (const auto arrival = here.take(up)) here.deliver(arrival, 0, Origin{arrival.word(0)});
    if (!departures().of(here.step(), here.node()).empty()) {
      const Blocks block{room, static_cast<std::uint32_t>(here.step() % 2), 1};
      here.load(room, block.first, here.node());
      here.set_word(room, block.first, index(here.node()));
      here.send(up, block);
    }
  }

  void pass_on(auto& here, std::size_t level) const {
    Memory& memory = here.memory();
    const std::size_t children = tree_.arity(level);
    if (memory.flipped.empty()) {
      memory.flipped.resize(children + 1);
      memory.gathered.resize(children);
    }
    bool starts_round = false;
    for (std::size_t child = 0; child < children; ++child) {
      const auto arrival = here.take(tree_.branch_port(level, child));
      if (!arrival) continue;
      const std::uint64_t source = arrival.word(0);
      const auto left_for = departures().of(here.step() - level, NodeId{source});
      const std::uint32_t levels = left_for.empty() ? 0 : left_for.front();
      std::uint32_t slot = memory.gathered[child];
      if (memory.substep == 0 || here.word(room, slot) != source) slot = kept(here, arrival, child);
      if (static_cast<std::size_t>(std::bit_width(levels)) > level)
        here.send(tree_.parent_port(level), Blocks{room, slot, 1});
      if ((levels >> (level - 1) & 1U) == 0) continue;
      memory.gathered[child] = slot;
      starts_round = true;
    }
    if (level != tree_.height())
      if (const auto arrival = here.take(tree_.parent_port(level))) {
        const std::uint32_t slot = kept(here, arrival, children);
        for (std::size_t child = 0; child < children; ++child)
          here.send(tree_.branch_port(level, child), Blocks{room, slot, 1});
      }
    if (starts_round) memory.substep = 1;
    exchange_round(here, level);
  }

  /// In the slot of the branch that was not used last.
  [[nodiscard]] static std::uint32_t kept(auto& here, const auto& arrival, std::size_t branch) {
    std::uint8_t& flipped = here.memory().flipped[branch];
    flipped ^= 1U;
    const auto slot = static_cast<std::uint32_t>(2 * branch + flipped);
    here.store(arrival, {room, slot, 1});
    return slot;
  }

  /// In substep q child j gets what child q - 1 sent, where j >= q, else that of child q: of child
  /// c nothing is left to be sent after substep c + 1.
  void exchange_round(auto& here, std::size_t level) const {
    std::uint32_t& substep = here.memory().substep;
    if (substep == 0) return;
    const std::size_t children = tree_.arity(level);
    for (std::size_t child = 0; child < children; ++child) {
      const std::uint32_t from = child >= substep ? substep - 1 : substep;
      here.send(tree_.branch_port(level, child), Blocks{room, here.memory().gathered[from], 1});
    }
    ++substep;
    if (substep == children)
      substep = 0;
    else
      here.stay_active();
  }

  FatTree tree_;
};

static_assert(CalendarProgram<FatTreeRounds>);

}  // namespace lockstep
