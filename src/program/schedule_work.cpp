// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "lockstep/program/schedule.hpp"

namespace lockstep {

/// Counts class by class, turn by turn, after the messages of all steps: how a message is stored
/// depends on whether its blocks lay one behind the other where they were sent.
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
    work_.machine.copies = static_cast<std::uint64_t>(std::llround(copies_));
    work_.machine.combines += static_cast<std::uint64_t>(std::llround(combines_));
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
  [[nodiscard]] std::span<const std::uint32_t> list_of(const Action& action) const noexcept {
    return schedule_.list(static_cast<GatherList>(action.element_or_list));
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
        const std::uint64_t blocks = listed ? list_of(action).size() : action.blocks.count;
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
    const auto nodes = static_cast<double>(nodes_of(of_class));
    Sent before;
    for (const Turn& turn : schedule_.turns_of_class(of_class)) {
      if (before.read_in != turn.step) before = {};
      Sent now{turn.step + std::uint64_t{1}, {}};
      for (const Action& action : schedule_.actions(turn))
        count(action, turn.step, nodes, before.hull, now.hull);
      before = now;
    }
  }

  /// The nodes that are called in each step, by words of them, which workers do not share.
  void count_active() {
    constexpr std::uint64_t nodes_of_word = 64;
    constexpr std::uint64_t most_counted = 64;
    const std::uint64_t words = quotient_up(schedule_.nodes_, nodes_of_word);
    const std::uint64_t nodes_of_part = nodes_of_word * quotient_up(words, most_counted);
    std::vector<std::uint64_t> parts(quotient_up(schedule_.nodes_, nodes_of_part));
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
  [[nodiscard]] static constexpr std::uint64_t quotient_up(std::uint64_t a, std::uint64_t b) {
    return a / b + static_cast<std::uint64_t>(a % b != 0);
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

  void count(const Action& action, std::uint64_t step, double nodes, SlotRange before,
             SlotRange& now) {
    const auto times = static_cast<std::uint64_t>(nodes);
    const std::uint64_t blocks = action.blocks.count;
    MachineWork& machine = work_.machine;
    const auto alter = [&](SlotRange range) {
      if (!schedule_.is_of_one_class() && (now.meets(range) || before.meets(range)))
        machine.searches += times;
    };
    const auto alter_list = [&](std::span<const std::uint32_t> slots) {
      for (const std::uint32_t slot : slots) alter(SlotRange::of({action.blocks.region, slot, 1}));
    };
    switch (action.kind) {
      case Action::Kind::take_store:
        alter(SlotRange::of(action.blocks));
        copies_ += nodes * calls_of(step, blocks);
        machine.copied += times * blocks;
        return;
      case Action::Kind::take_scatter: {
        const auto slots = list_of(action);
        alter_list(slots);
        copies_ += nodes * static_cast<double>(slots.size());
        machine.copied += times * slots.size();
        machine.listed += times * slots.size();
        return;
      }
      case Action::Kind::take_combine_into:
        alter(SlotRange::of(action.blocks));
        combines_ += nodes * calls_of(step, blocks);
        machine.combined += times * blocks;
        return;
      case Action::Kind::take_combine_list: {
        const auto slots = list_of(action);
        alter_list(slots);
        machine.combines += times * slots.size();
        machine.combined += times * slots.size();
        machine.listed += times * slots.size();
        return;
      }
      case Action::Kind::combine:
        alter(SlotRange::of(action.blocks));
        machine.combines += times * blocks;
        machine.combined += times * blocks;
        return;
      case Action::Kind::copy:
        alter(SlotRange::of(action.blocks));
        copies_ += nodes;
        machine.copied += times * blocks;
        return;
      case Action::Kind::load:
      case Action::Kind::load_pairs:
        alter(SlotRange::of(action.blocks));
        work_.loads += times * blocks;
        return;
      case Action::Kind::take_deliver:
      case Action::Kind::deliver:
        work_.deliveries += times * blocks;
        return;
      case Action::Kind::send_list:
      case Action::Kind::send_route_list:
        for (const std::uint32_t slot : list_of(action))
          now.include(SlotRange::of({action.blocks.region, slot, 1}));
        return;
      case Action::Kind::send:
      case Action::Kind::send_route:
        now.include(SlotRange::of(action.blocks));
        return;
      case Action::Kind::take:
        return;
    }
  }

  /// Copies, or combinations, that store a message of the step before: one, or one a block where it
  /// was gathered. If a step has messages of both kinds, their mean.
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
  double copies_ = 0;
  double combines_ = 0;
};

PlannedWork Schedule::work() const { return WorkCount(*this).work(); }

}  // namespace lockstep
