// SPDX-License-Identifier: Apache-2.0
#pragma once

/// FatTreeRounds: all-gather by rounds, in which the children of a node exchange one message each.
/// A timetable says for which levels a message leaves its leaf. A switch on one of them exchanges
/// it with what its other children sent in the same step, in the steps that follow; one below the
/// highest of them passes it to its parent; what comes from the parent goes to all children. All of
/// this at once, or in the steps of the round: no queues, one lane of each branch, column 0.
///
/// A label says where a message is from. Since it moves up in every step, a switch knows when it
/// left. One that comes again while its first copy is still held is not kept twice.
///
/// Dense: but for the first and last steps every leaf and every switch on the way receives in every
/// step.
/// Program: not a schedule: it would list n^2 deliveries, while a run keeps 8 blocks per node. The
///          list would take about n times the memory of the run.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "algorithm/fat_tree/tree_shapes.hpp"
#include "lockstep/core/detail/divisor.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/switch_tree.hpp"

namespace lockstep {

/// When the rounds of each level begin, and which leaf below every child of that level sends in
/// them: the same number for all children.
class FatTreeRoundTimes {
 public:
  struct Round {
    std::uint64_t step = 0;
    std::uint32_t level = 0;
    std::uint32_t leaf = 0;  ///< its number below the child
  };

  /// Rounds in any order, of a run of so many steps.
  FatTreeRoundTimes(const SwitchTree& tree, std::vector<Round> rounds, std::uint64_t steps);

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t rounds, std::uint64_t steps) noexcept {
    return rounds * sizeof(Round) + (steps + 1) * sizeof(std::uint64_t);
  }

  [[nodiscard]] std::uint64_t steps() const noexcept { return begin_.size() - 1; }
  /// Levels for which the leaf sends a message in that step: bit l - 1 for level l.
  [[nodiscard]] std::uint32_t levels(std::uint64_t step, std::uint64_t leaf) const noexcept {
    std::uint32_t levels = 0;
    if (step >= steps()) return levels;
    for (std::uint64_t i = begin_[step]; i < begin_[step + 1]; ++i) {
      const Divisor& below = below_[rounds_[i].level - 1];
      if (leaf - below.quotient(leaf) * below.value() == rounds_[i].leaf)
        levels |= std::uint32_t{1} << (rounds_[i].level - 1);
    }
    return levels;
  }

 private:
  std::vector<Divisor> below_;  ///< leaves below a node of level 0, 1, ..
  std::vector<Round> rounds_;
  std::vector<std::uint64_t> begin_;  ///< of each step
};

class FatTreeRounds {
 public:
  struct Memory {
    std::vector<std::uint8_t> slots{};  // of each child: which of its two was stored last, which
                                        // holds its message of the round
    std::uint32_t substep = 0;          // of the round, from 1; 0: there is none
  };
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::labels | Traits::blocks_of;

  FatTreeRounds(SwitchTree tree, std::shared_ptr<const FatTreeRoundTimes> times)
      : tree_(std::move(tree)), times_(std::move(times)) {}

  [[nodiscard]] std::uint64_t step_count() const noexcept { return times_->steps(); }
  /// Two slots for each branch.
  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    std::uint32_t most = 2;
    for (std::size_t level = 1; level <= tree_.height(); ++level)
      most = std::max(most, slots_of(level));
    return {most};
  }
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region) const {
    const SwitchTree::Place place = tree_.place(node);
    if (place.column != 0) return 0;
    return place.level == 0 ? 2 : slots_of(place.level);
  }

  [[gnu::always_inline]] void operator()(auto& here) const {
    const SwitchTree::Place place = tree_.place(here.node());
    if (place.level == 0)
      exchange(here);
    else if (place.column == 0)
      pass_on(here, place);
  }

 private:
  static constexpr Region room{0};
  static constexpr std::uint8_t stored_last = 1;
  static constexpr std::uint8_t of_round = 2;

  [[nodiscard]] std::uint32_t slots_of(std::size_t level) const {
    return static_cast<std::uint32_t>(2 * (tree_.arity(level) + 1));
  }

  [[gnu::always_inline]] void exchange(auto& here) const {
    const Port up{0};
    if (const auto arrival = here.take(up)) here.deliver(arrival, 0, Origin{arrival.word(0)});
    if (times_->levels(here.step(), index(here.node())) != 0) {
      const Blocks block{room, static_cast<std::uint32_t>(here.step() % 2), 1};
      here.load(room, block.first, here.node());
      here.set_word(room, block.first, index(here.node()));
      here.send(up, block);
    }
  }

  [[gnu::always_inline]] void pass_on(auto& here, SwitchTree::Place place) const {
    const std::size_t level = place.level;
    const std::size_t children = tree_.arity(level);
    const std::uint64_t lanes = tree_.lanes(level);
    bool starts_round = false;
    for (std::size_t child = 0; child < children; ++child)
      if (const auto arrival = here.take(port(child * lanes)))
        starts_round = gather(here, level, child, arrival) || starts_round;
    if (level != tree_.height())
      if (const auto arrival = here.take(tree_.parent_port(level))) {
        const auto slot = static_cast<std::uint32_t>(2 * children + here.step() % 2);
        here.store(arrival, {room, slot, 1});
        for (std::size_t child = 0; child < children; ++child)
          here.send(port(child * lanes), Blocks{room, slot, 1});
      }
    if (starts_round) here.memory().substep = 1;
    if (here.memory().substep != 0) exchange_round(here, level);
  }

  /// Keeps what came from a child, and passes it up; whether it is of a round of this level.
  [[gnu::always_inline]] bool gather(auto& here, std::size_t level, std::size_t child,
                                     const auto& arrival) const {
    Memory& memory = here.memory();
    if (memory.slots.empty()) memory.slots.resize(tree_.arity(level));
    std::uint8_t& slots = memory.slots[child];
    const std::uint64_t source = arrival.word(0);
    const std::uint32_t levels = times_->levels(here.step() - level, source);
    std::uint32_t slot = slot_of_round(memory, child);
    if (memory.substep == 0 || here.word(room, slot) != source) {
      slots ^= stored_last;
      slot = static_cast<std::uint32_t>(2 * child + (slots & stored_last));
      here.store(arrival, {room, slot, 1});
    }
    if (static_cast<std::size_t>(std::bit_width(levels)) > level)
      here.send(tree_.parent_port(level), Blocks{room, slot, 1});
    if ((levels >> (level - 1) & 1U) == 0) return false;
    slots = static_cast<std::uint8_t>((slots & stored_last) | (slot % 2 == 0 ? 0 : of_round));
    return true;
  }

  [[nodiscard]] static std::uint32_t slot_of_round(const Memory& memory, std::size_t child) {
    return static_cast<std::uint32_t>(2 * child + ((memory.slots[child] & of_round) == 0 ? 0 : 1));
  }

  /// In substep q child j gets what child q - 1 sent, where j >= q, else that of child q: of child
  /// c nothing is left to be sent after substep c + 1.
  [[gnu::always_inline]] void exchange_round(auto& here, std::size_t level) const {
    Memory& memory = here.memory();
    const std::size_t children = tree_.arity(level);
    for (std::size_t child = 0; child < children; ++child) {
      const std::size_t from = child >= memory.substep ? memory.substep - 1 : memory.substep;
      here.send(tree_.branch_port(level, child), Blocks{room, slot_of_round(memory, from), 1});
    }
    ++memory.substep;
    if (memory.substep == children) memory.substep = 0;
  }

  SwitchTree tree_;
  std::shared_ptr<const FatTreeRoundTimes> times_;
};

static_assert(CountedProgram<FatTreeRounds> && UnevenProgram<FatTreeRounds>);

/// All-gather in a fat tree without queues: rounds in which the subtrees of a node exchange one
/// message each, a phase of them for every level.
/// Model:   all-port, one lane of each branch.
/// Idea:    descending: phases from the root's down, and a leaf sends once in each; ascending: from
///          level 1 up, so that leaves receive from step 2 on without a break, and one message
///          serves all phases whose rounds begin in the same step.
/// Source:  descending: Dimakopoulos 1996, section 6.3.2.2.
/// Differs: ascending is not in the thesis; it answers the question that ends section 6.3.4.
enum class FatTreePhaseOrder : std::uint8_t { ascending, descending };

/// When rounds begin, and who sends in them.
class FatTreeRoundPlan {
 public:
  FatTreeRoundPlan(const SwitchTree& tree, FatTreePhaseOrder order, bool pipelined);

  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] FatTreeRoundTimes times() const;
  /// Size of times().
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  /// The step of a round of a level: its rounds begin every arity - 1 steps.
  [[nodiscard]] std::uint64_t step_of(std::size_t level, std::uint64_t round) const {
    return starts_[level - 1] + round * (tree_.arity(level) - 1);
  }
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> senders() const;

  SwitchTree tree_;
  FatTreePhaseOrder order_;
  std::vector<std::uint64_t> starts_;  ///< of the phase of level 1, 2, .., counted from 0
  std::uint64_t steps_ = 0;
};

template <FatTreePhaseOrder order>
class FatTreeRoundGather final : public Algorithm {
  static constexpr bool ascends = order == FatTreePhaseOrder::ascending;

 public:
  using TopologyType = SwitchTree;
  using Program = FatTreeRounds;
  static constexpr AlgorithmInfo info{
      .name = ascends ? "ascending" : "descending",
      .operation = Operation::all_gather,
      .model = port_models::all_port,
      .source = ascends ? "Lockstep; not in Dimakopoulos" : "Dimakopoulos, section 6.3.2.2",
      .costs = ascends ? "n start-ups and message times, n + 1 for k = 2"
                       : "n + 2h - 2 start-ups and message times; without pipelining n + h^2 - 1",
      .claims = ascends ? with_one_link_per_leaf(least_of_one_block) : Claims{},
      .summary = ascends ? "works in rounds, one phase per level from below; no queues"
                         : "works in rounds, one phase per level from the root; no queues",
      .parameters = std::span<const Parameter>(pipelined_parameters).first(ascends ? 0 : 1)};

  FatTreeRoundGather(const SwitchTree& tree, const Settings& settings)
      : plan_(tree, order, ascends || is_pipelined(settings)), tree_(tree) {}

  [[nodiscard]] std::optional<Cost> promise() const override {
    return Cost{plan_.steps(), plan_.steps()};
  }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = plan_.steps(),
            .hops = 0,
            .blocks_per_processor = 8,
            .blocks_of_all = 4 * tree_.spanning_tree().node_count(),
            .plan_bytes = plan_.bytes() + branch_variables(tree_.spanning_tree())};
  }
  [[nodiscard]] std::vector<Level> levels() const override { return levels_of_column_0(tree_); }
  [[nodiscard]] Program program() const {
    return {tree_, std::make_shared<FatTreeRoundTimes>(plan_.times())};
  }

 private:
  FatTreeRoundPlan plan_;
  SwitchTree tree_;
};

using FatTreeAscending = FatTreeRoundGather<FatTreePhaseOrder::ascending>;
using FatTreeDescending = FatTreeRoundGather<FatTreePhaseOrder::descending>;

}  // namespace lockstep
