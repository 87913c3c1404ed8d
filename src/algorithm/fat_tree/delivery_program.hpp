// SPDX-License-Identifier: Apache-2.0
#pragma once

/// FatTreeDelivery: messages are injected in given steps and then move one link in every step. A
/// switch passes on in a step what arrived in the step before: up, where the destination is not
/// below it, to the parent that leads to the message's column; else down towards the destination. A
/// message that turns at level l has only one way down from a switch on top of it. On a branch
/// messages take the lowest lanes that are free. No queues: where a branch has fewer lanes than
/// messages, the program breaks the rules of the machine, which says so.
///
/// A label holds the source of a message and a word of FatTreeWays.
/// Program: not a schedule: the timetable takes 8 bytes per message. A schedule would list actions
///          for each of its up to 2h links, which takes more memory than the blocks in transit.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "lockstep/core/detail/divisor.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {

/// InjectionTimes: which processor injects a message in which step, and a word that says which: a
/// timetable of programs whose messages wait nowhere once they are on their way.
///
///     const InjectionTimes times([&](auto inject) { inject(0, source, destination); });
///     times.in(0).size() == 1;                      // senders in step 0
///     times.of(0, source)[0] == destination;
///
/// 8 bytes per message and 8 per step.
class InjectionTimes {
 public:
  /// Step, counted from 0; sender; word.
  using Inject = std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)>;

  /// `inject_all` injects every message, in any order, the same each time: it is called twice.
  /// Senders and words are below 2^32. Words of one sender and step keep their order.
  explicit InjectionTimes(const std::function<void(const Inject&)>& inject_all);

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t messages, std::uint64_t steps) noexcept {
    return 2 * messages * sizeof(std::uint32_t) + (steps + 1) * sizeof(std::uint64_t);
  }

  /// Steps up to and with the last injection.
  [[nodiscard]] std::uint64_t steps() const noexcept { return begin_.size() - 1; }
  /// The last step with an injection; 0 where there is none.
  [[nodiscard]] std::uint64_t last() const noexcept { return steps() == 0 ? 0 : steps() - 1; }
  /// Senders, ascending; each as often as it sends.
  [[nodiscard]] std::span<const std::uint32_t> in(std::uint64_t step) const noexcept {
    if (step >= steps()) return {};
    return std::span(senders_).subspan(begin_[step], begin_[step + 1] - begin_[step]);
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint64_t step,
                                                  NodeId sender) const noexcept {
    const std::span<const std::uint32_t> all = in(step);
    const auto own = static_cast<std::uint32_t>(index(sender));
    // If every processor sends one message, a sender's place is its number.
    std::size_t first = own;
    if (own >= all.size() || all[own] != own || (own != 0 && all[own - 1] == own))
      first = static_cast<std::size_t>(std::ranges::lower_bound(all, own) - all.begin());
    std::size_t last = first;
    while (last < all.size() && all[last] == own) ++last;
    return std::span(words_).subspan(step < steps() ? begin_[step] + first : 0, last - first);
  }

 private:
  std::vector<std::uint64_t> begin_{0};  ///< of each step
  std::vector<std::uint32_t> senders_;
  std::vector<std::uint32_t> words_;
};

/// The destination of a message, and the column that it goes up to, in 32 bits. In column 0 a word
/// is the destination.
class FatTreeWays {
 public:
  struct Way {
    std::uint64_t destination = 0;
    std::uint64_t column = 0;
  };

  /// Throws ResourceExhausted where processors times columns that are used exceed 2^32.
  FatTreeWays(const SwitchTree& tree, FatTreeColumns columns);

  [[nodiscard]] std::uint64_t word(Way way) const noexcept {
    return way.destination + leaves_.value() * way.column;
  }
  [[nodiscard]] Way of(std::uint64_t word) const noexcept {
    const std::uint64_t column = leaves_.quotient(word);
    return {word - leaves_.value() * column, column};
  }

 private:
  Divisor leaves_;
};

/// The column whose way up to level j + 1 is digit j of the destination, modulo the parents there:
/// where none are missing, a switch has a link down for each destination below.
[[nodiscard]] std::uint64_t column_of_digits(const SwitchTree& tree, std::uint64_t destination);

class FatTreeDelivery {
 public:
  struct Memory {
    std::vector<std::uint32_t> lanes{};  // of a switch, taken in the step, by branch
  };
  static constexpr Activity activity = Activity::sparse;
  static constexpr Traits traits = Traits::starts_in | Traits::labels | Traits::blocks_of;

  /// The words of the timetable are those of FatTreeWays.
  FatTreeDelivery(const SwitchTree& tree, FatTreeColumns columns,
                  std::shared_ptr<const InjectionTimes> injections);

  /// The footprint of an algorithm that sends so many messages, over so many links in all.
  /// `planning`: bytes of whatever else is kept.
  [[nodiscard]] static Footprint footprint(const SwitchTree& tree, FatTreeColumns columns,
                                           std::uint64_t steps, std::uint64_t messages,
                                           std::uint64_t hops, std::uint64_t planning = 0);

  [[nodiscard]] std::vector<NodeId> starts() const {
    std::vector<NodeId> all;
    for (const std::uint32_t u : injections_->in(0)) all.push_back(NodeId{u});
    return all;
  }
  [[nodiscard]] std::span<const std::uint32_t> starts_in(std::uint64_t step) const {
    return injections_->in(step);
  }
  [[nodiscard]] std::uint64_t last_start() const { return injections_->last(); }
  /// For every port a message of the step, and one of the step before.
  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    return {*std::ranges::max_element(slots_)};
  }
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region) const {
    const SwitchTree::Place place = tree_.place(node);
    return columns_ == FatTreeColumns::first && place.column != 0 ? 0 : slots_[place.level];
  }

  [[gnu::always_inline]] void operator()(auto& here) const {
    const SwitchTree::Place place = tree_.place(here.node());
    if (place.level == 0)
      exchange(here);
    else
      pass_on(here, place);
  }

 private:
  static constexpr Region room{0};
  static constexpr std::uint64_t word_mask = 0xFFFF'FFFF;

  [[nodiscard]] std::uint32_t first_slot(std::uint64_t step, std::size_t level) const {
    return step % 2 == 0 ? 0 : slots_[level] / 2;
  }

  [[gnu::always_inline]] void exchange(auto& here) const {
    while (const auto arrival = here.take_first())
      here.deliver(arrival, 0, Origin{arrival.word(0) >> 32U});
    const std::uint64_t lanes = tree_.lanes(1);
    std::uint32_t sent = 0;
    for (const std::uint32_t word : injections_->of(here.step(), here.node())) {
      const FatTreeWays::Way way = ways_.of(word);
      const Port first = tree_.branch_port(0, tree_.branch_up(way.column, 0));
      const Blocks block{room, first_slot(here.step(), 0) + sent % (slots_[0] / 2), 1};
      here.load(room, block.first, NodeId{way.destination});
      here.set_word(room, block.first, index(here.node()) << 32U | word);
      here.send(port(index(first) + sent % lanes), block);
      ++sent;
    }
  }

  [[gnu::always_inline]] void pass_on(auto& here, SwitchTree::Place place) const {
    const std::size_t level = place.level;
    const bool has_lanes = has_lanes_[level];
    if (has_lanes) here.memory().lanes.assign(tree_.branches(level), 0);
    std::uint32_t slot = first_slot(here.step(), level);
    while (const auto arrival = here.take_first()) {
      const auto [to, column] = ways_.of(arrival.word(0) & word_mask);
      const std::uint64_t branch = tree_.branch_towards(to, column, place);
      std::uint64_t next = index(tree_.branch_port(level, branch));
      if (has_lanes) next += here.memory().lanes[branch]++ % tree_.lanes(level, branch);
      const Blocks block{room, slot++, 1};
      here.store(arrival, block);
      here.send(port(next), block);
    }
  }

  std::shared_ptr<const InjectionTimes> injections_;
  SwitchTree tree_;
  FatTreeColumns columns_;
  FatTreeWays ways_;
  std::vector<std::uint32_t> slots_;  ///< of a node of each level
  std::vector<bool> has_lanes_;       ///< whether a branch of a node of each level has several
};

static_assert(CalendarProgram<FatTreeDelivery> && UnevenProgram<FatTreeDelivery>);

}  // namespace lockstep
