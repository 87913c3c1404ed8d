// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "lockstep/core/fraction.hpp"
#include "lockstep/program/schedule.hpp"

namespace lockstep {

/// Schedule::work(): counts class by class, turn by turn, after the messages of all steps: how a
/// message is stored depends on whether its blocks lay one behind the other where they were sent.
class Schedule::WorkCount {
 public:
  explicit WorkCount(const Schedule& schedule) : schedule_(schedule) {
    steps_.resize(schedule.steps_ + 1);
    for (std::uint64_t c = 0; c < schedule.classes_; ++c) count_messages(c);
    for (std::uint64_t c = 0; c < schedule.classes_; ++c) count_turns(c);
    if (schedule.is_of_one_class())
      work_.machine.turns = (schedule.steps_ + 1) * schedule.nodes_;
    else
      count_active();
    for (const StepMessages& step : steps_) {
      work_.startups += static_cast<std::uint64_t>(step.any);
      work_.message_times += step.longest;
      work_.control_words += step.most_words;
    }
    work_.machine.copies = static_cast<std::uint64_t>(std::llround(copies_.calls));
    work_.machine.copied = copies_.blocks;
    work_.machine.combines = static_cast<std::uint64_t>(std::llround(combines_.calls));
    work_.machine.combined = combines_.blocks;
  }

  [[nodiscard]] const PlannedWork& work() const noexcept { return work_; }

 private:
  /// Slots from `first` to before `last`, the region being part of the number; or none.
  struct SlotRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;

    [[nodiscard]] static SlotRange of(Blocks blocks) noexcept {
      const std::uint64_t first = (std::uint64_t{index(blocks.region)} << 32U) | blocks.first;
      return {first, first + blocks.count};
    }
    [[nodiscard]] bool meets(SlotRange other) const noexcept {
      return other.first < last && first < other.last;
    }
    void include(SlotRange other) noexcept {
      first = last == 0 ? other.first : std::min(first, other.first);
      last = std::max(last, other.last);
    }
  };

  struct StepMessages {
    bool any = false;
    std::uint64_t longest = 0;
    std::uint64_t most_words = 0;
    std::uint64_t long_blocks = 0;    // in messages of several blocks
    std::uint64_t listed_blocks = 0;  // of these, in messages with a gather list
  };

  /// Copies, or combinations, and the blocks in them.
  struct Calls {
    double calls = 0;
    std::uint64_t blocks = 0;

    void add(std::uint64_t nodes, double calls_of_node, std::uint64_t blocks_of_node) noexcept {
      calls += static_cast<double>(nodes) * calls_of_node;
      blocks += nodes * blocks_of_node;
    }
  };

  /// The slots of a turn that neighbours read in the next step.
  struct Sent {
    std::uint64_t read_in = std::numeric_limits<std::uint64_t>::max();
    SlotRange hull{};
  };

  [[nodiscard]] static bool is_listed(Action::Kind kind) noexcept {
    return kind == Action::Kind::send_list || kind == Action::Kind::send_route_list;
  }
  [[nodiscard]] static bool is_send(Action::Kind kind) noexcept {
    return is_listed(kind) || kind == Action::Kind::send || kind == Action::Kind::send_route;
  }
  [[nodiscard]] std::uint64_t nodes_of(std::uint64_t of_class) const noexcept {
    if (schedule_.is_of_one_class()) return schedule_.nodes_;
    if (schedule_.first_node_.empty()) return 1;
    return schedule_.first_node_[of_class + 1] - schedule_.first_node_[of_class];
  }

  void count_messages(std::uint64_t of_class) {
    const std::uint64_t nodes = nodes_of(of_class);
    for (const Turn& turn : schedule_.turns_of_class(of_class))
      for (const Action& action : schedule_.actions(turn)) {
        if (!is_send(action.kind)) continue;
        const bool listed = is_listed(action.kind);
        const std::uint64_t blocks = listed ? schedule_.list(action).size() : action.blocks.count;
        StepMessages& step = steps_[turn.step];
        step.any = true;
        const bool control = schedule_.is_control(action.blocks.region);
        std::uint64_t& most = control ? step.most_words : step.longest;
        most = std::max(most, blocks);
        work_.messages += nodes;
        if (control) continue;
        work_.blocks_sent += nodes * blocks;
        if (blocks > 1) step.long_blocks += nodes * blocks;
        if (!listed) continue;
        work_.machine.listed += nodes * blocks;
        if (blocks > 1) step.listed_blocks += nodes * blocks;
      }
  }

  void count_turns(std::uint64_t of_class) {
    nodes_ = nodes_of(of_class);
    Sent before;
    for (const Turn& turn : schedule_.turns_of_class(of_class)) {
      before_ = before.read_in == turn.step ? before.hull : SlotRange{};
      now_ = {};
      for (const Action& action : schedule_.actions(turn)) count(action, turn.step);
      before = {turn.step + std::uint64_t{1}, now_};
    }
  }

  /// The nodes that are called in each step, by words of them, which workers do not share.
  void count_active() {
    constexpr std::uint64_t nodes_of_word = 64;
    constexpr std::uint64_t most_counted = 64;
    const std::uint64_t words = Fraction(schedule_.nodes_, nodes_of_word).rounded_up();
    const std::uint64_t nodes_of_part = nodes_of_word * Fraction(words, most_counted).rounded_up();
    std::vector<std::uint64_t> parts(Fraction(schedule_.nodes_, nodes_of_part).rounded_up());
    work_.longest_turns.resize(std::bit_width(parts.size() - 1) + std::size_t{1});
    for (std::uint64_t step = 0; step <= schedule_.steps_; ++step) {
      const std::span<const std::uint32_t> nodes = schedule_.nodes_in(step);
      if (nodes.empty()) continue;
      work_.machine.turns += nodes.size();
      std::ranges::fill(parts, 0);
      for (const std::uint32_t node : nodes) ++parts[node / nodes_of_part];
      for (std::size_t i = 0; i < work_.longest_turns.size(); ++i)
        work_.longest_turns[i] += most_of(parts, (parts.size() + (1U << i) - 1) >> i);
    }
  }
  [[nodiscard]] static std::uint64_t most_of(std::span<const std::uint64_t> parts,
                                             std::size_t together) {
    std::uint64_t most = 0;
    for (std::size_t first = 0; first < parts.size(); first += together) {
      const auto some = parts.subspan(first, std::min(together, parts.size() - first));
      most = std::max(most, std::accumulate(some.begin(), some.end(), std::uint64_t{0}));
    }
    return most;
  }

  void count(const Action& action, std::uint64_t step) {
    const Blocks& blocks = action.blocks;
    switch (action.kind) {
      case Action::Kind::take_store:
        return alter(blocks, copies_, 1);
      case Action::Kind::take_scatter:
        return alter_list(action, copies_, 1);
      case Action::Kind::take_combine_into:
        return alter(blocks, combines_, calls_of(step, blocks.count));
      case Action::Kind::take_combine_list:
        return alter_list(action, combines_, static_cast<double>(schedule_.list(action).size()));
      case Action::Kind::combine:
        return alter(blocks, combines_, blocks.count);
      case Action::Kind::copy:
        return alter(blocks, copies_, 1);
      case Action::Kind::load:
      case Action::Kind::load_pairs:
        work_.loads += nodes_ * blocks.count;
        return search(blocks);
      case Action::Kind::take_deliver:
      case Action::Kind::deliver:
        work_.deliveries += nodes_ * blocks.count;
        return;
      case Action::Kind::send_list:
      case Action::Kind::send_route_list:
        for (const std::uint32_t slot : schedule_.list(action))
          now_.include(SlotRange::of({blocks.region, slot, 1}));
        return;
      case Action::Kind::send:
      case Action::Kind::send_route:
        return now_.include(SlotRange::of(blocks));
      case Action::Kind::take:
        return;
    }
  }

  void alter(Blocks blocks, Calls& all, double calls) {
    search(blocks);
    all.add(nodes_, calls, blocks.count);
  }
  void alter_list(const Action& action, Calls& all, double calls) {
    const std::span<const std::uint32_t> slots = schedule_.list(action);
    for (const std::uint32_t slot : slots) search({action.blocks.region, slot, 1});
    all.add(nodes_, calls, slots.size());
    work_.machine.listed += nodes_ * slots.size();
  }
  void search(Blocks altered) {
    const SlotRange range = SlotRange::of(altered);
    if (!schedule_.is_of_one_class() && (now_.meets(range) || before_.meets(range)))
      work_.machine.searches += nodes_;
  }

  /// Combinations with a message of the step before: one, or one a block where it was gathered. If
  /// a step has messages of both kinds, their mean.
  [[nodiscard]] double calls_of(std::uint64_t step, std::uint64_t blocks) const {
    if (blocks <= 1 || step == 0) return 1;
    const StepMessages& sent = steps_[step - 1];
    if (sent.long_blocks == 0) return 1;
    return 1 + static_cast<double>(blocks - 1) * static_cast<double>(sent.listed_blocks) /
                   static_cast<double>(sent.long_blocks);
  }

  const Schedule& schedule_;
  PlannedWork work_{};
  std::vector<StepMessages> steps_;
  Calls copies_{};
  Calls combines_{};
  // While a turn is counted: its nodes, and the slots that they sent before and so far.
  std::uint64_t nodes_ = 0;
  SlotRange before_{};
  SlotRange now_{};
};

PlannedWork Schedule::work() const { return WorkCount(*this).work(); }

}  // namespace lockstep
