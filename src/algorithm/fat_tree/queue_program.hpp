// SPDX-License-Identifier: Apache-2.0
#pragma once

/// FatTreeQueues: switches that keep what they cannot send at once, first in, first out. What
/// arrives in one step is queued by child, then from the parent. A message is kept in one slot of a
/// switch's memory; a queue is a place in the list of slots, which passes over those that are not
/// for it. Messages use column 0 only.
///
/// A label says where a message is from, and, of one that is not for all, where it goes.
/// Program: not a schedule, since what a switch sends depends on what waits in its queues.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "lockstep/collective/collective.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {

/// The behaviour of switches and leaves.
enum class FatTreeDiscipline : std::uint8_t {
  flooding,          ///< broadcast, all-gather: all ports, a queue for every branch
  parent_first,      ///< broadcast: one send, to the parent, then to the children in order
  children_in_turn,  ///< all-gather: one send, up until all from below have gone, then in turn
  up_first,          ///< total exchange: one send, what goes up before what goes down
  greedy,            ///< gather: one send, a queue towards the destination
  greedy_all_port    ///< gather: the same by all lanes
};

/// The word that goes with a message: its source and its destination.
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

class FatTreeQueues {
 public:
  struct Memory {
    std::vector<std::uint32_t> next{};  // of a switch: where each queue goes on
    std::uint32_t stored = 0;           // of a switch: slots in use; of a leaf: messages sent
    std::uint32_t gone_up = 0;
    std::uint32_t turn = 0;
  };
  static constexpr Activity activity = Activity::sparse;
  static constexpr Traits traits = Traits::labels | Traits::blocks_of;

  /// `root`: source of a broadcast, sink of a gather.
  FatTreeQueues(SwitchTree tree, FatTreeDiscipline discipline, Operation operation,
                std::uint64_t root = 0)
      : tree_(std::move(tree)), discipline_(discipline), operation_(operation), root_(root) {}

  [[nodiscard]] std::vector<NodeId> starts() const;
  [[nodiscard]] std::vector<std::uint32_t> regions() const;
  /// A slot for every message that passes a switch.
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region region) const;
  [[nodiscard]] std::uint64_t blocks_of_all() const;

  void operator()(auto& here) const {
    const SwitchTree::Place place = tree_.place(here.node());
    if (place.level == 0) {
      exchange(here);
    } else {
      store_all(here, place);
      send_some(here, place);
    }
  }

 private:
  static constexpr Region room{0};

  /// Or the root itself.
  [[nodiscard]] SwitchTree::Place above_root(std::size_t level) const {
    return {level, root_ / tree_.leaves_below(level), 0};
  }
  [[nodiscard]] bool is_addressed() const noexcept {
    return operation_ == Operation::total_exchange || operation_ == Operation::gather;
  }

  void exchange(auto& here) const {
    while (const auto arrival = here.take_first())
      here.deliver(arrival, 0, Origin{FatTreeAddress::of(arrival.word(0)).source});
    const std::uint64_t own = index(here.node());
    const bool starts = here.step() == 0 && (operation_ != Operation::broadcast || own == root_) &&
                        (operation_ != Operation::gather || own != root_);
    const bool goes_on = operation_ == Operation::total_exchange;
    std::uint32_t& sent = here.memory().stored;
    if (!starts && !(goes_on && sent + 1 < tree_.processor_count())) return;
    const std::uint64_t to = goes_on ? furthest(tree_, own, sent) : root_;
    const Blocks block{room, sent++ % 2, 1};  // the other is read in this step
    here.load(room, block.first, NodeId{to});
    here.set_word(room, block.first, FatTreeAddress{own, to}.word());
    here.send(Port{0}, block);
    if (goes_on && sent + 1 < tree_.processor_count()) here.stay_active();
  }

  void store_all(auto& here, SwitchTree::Place place) const {
    Memory& memory = here.memory();
    if (memory.next.empty()) memory.next.resize(tree_.arity(place.level) + 1);
    while (const auto arrival = here.take_first()) here.store(arrival, {room, memory.stored++, 1});
  }

  /// Whether what is in the slot is for that queue. Of messages for all there is one for every
  /// branch; of others one for those that go up, 1, and one for those that go down, 0.
  [[nodiscard]] bool is_for(auto& here, SwitchTree::Place place, std::uint32_t slot,
                            std::size_t queue) const {
    const FatTreeAddress address = FatTreeAddress::of(here.word(room, slot));
    if (!is_addressed()) return tree_.branch_towards(address.source, 0, place) != queue;
    return !tree_.is_below(address.destination, place) == (queue == 1);
  }
  /// The first message of a queue.
  [[nodiscard]] std::optional<std::uint32_t> head(auto& here, SwitchTree::Place place,
                                                  std::size_t queue) const {
    Memory& memory = here.memory();
    std::uint32_t& next = memory.next[queue];
    while (next < memory.stored && !is_for(here, place, next, queue)) ++next;
    return next < memory.stored ? std::optional(next) : std::nullopt;
  }
  /// Sends the head, if there is one, through that lane of the branch where it goes.
  bool send_head(auto& here, SwitchTree::Place place, std::size_t queue,
                 std::uint64_t lane = 0) const {
    const std::optional<std::uint32_t> slot = head(here, place, queue);
    if (!slot) return false;
    const std::uint64_t branch =
        is_addressed()
            ? tree_.branch_towards(FatTreeAddress::of(here.word(room, *slot)).destination, 0, place)
            : queue;
    const Port first = tree_.branch_port(place.level, branch);
    here.send(port(index(first) + lane), Blocks{room, *slot, 1});
    ++here.memory().next[queue];
    return true;
  }
  void send_some(auto& here, SwitchTree::Place place) const {
    const bool is_root = place.level == tree_.height();
    const std::size_t children = tree_.arity(place.level);
    switch (discipline_) {
      case FatTreeDiscipline::flooding:
        for (std::size_t branch = 0; branch < children + (is_root ? 0 : 1); ++branch)
          send_by_all_lanes(here, place, branch, branch);
        break;
      case FatTreeDiscipline::parent_first:
        if (is_root || !send_head(here, place, children))
          for (std::size_t child = 0; child < children; ++child)
            if (send_head(here, place, child)) break;
        break;
      case FatTreeDiscipline::children_in_turn:
        take_turn(here, place);
        break;
      case FatTreeDiscipline::up_first:
      case FatTreeDiscipline::greedy:
        if (is_root || !send_head(here, place, 1)) send_head(here, place, 0);
        break;
      case FatTreeDiscipline::greedy_all_port:
        send_by_all_lanes(here, place, 0, tree_.branch_towards(root_, 0, place));
        send_by_all_lanes(here, place, 1, children);
        break;
    }
    if (has_more(here, place)) here.stay_active();
  }

  void send_by_all_lanes(auto& here, SwitchTree::Place place, std::size_t queue,
                         std::uint64_t branch) const {
    if (!head(here, place, queue)) return;
    for (std::uint64_t lane = 0; lane < tree_.lanes(place.level, branch); ++lane)
      if (!send_head(here, place, queue, lane)) return;
  }

  /// The queue of a child whose turn it is may be empty: the turn is lost.
  void take_turn(auto& here, SwitchTree::Place place) const {
    Memory& memory = here.memory();
    const std::size_t children = tree_.arity(place.level);
    if (place.level != tree_.height() && memory.gone_up < tree_.leaves_below(place.level)) {
      memory.gone_up += static_cast<std::uint32_t>(send_head(here, place, children));
      return;
    }
    if (!has_more(here, place)) return;
    send_head(here, place, memory.turn);
    memory.turn = static_cast<std::uint32_t>((memory.turn + 1) % children);
  }

  [[nodiscard]] bool has_more(auto& here, SwitchTree::Place place) const {
    const bool is_root = place.level == tree_.height();
    const std::size_t branches = tree_.arity(place.level) + (is_root ? 0 : 1);
    for (std::size_t queue = 0; queue < (is_addressed() ? 2 : branches); ++queue)
      if (head(here, place, queue)) return true;
    return false;
  }

  SwitchTree tree_;
  FatTreeDiscipline discipline_;
  Operation operation_;
  std::uint64_t root_;
};

static_assert(Program<FatTreeQueues>);

}  // namespace lockstep
