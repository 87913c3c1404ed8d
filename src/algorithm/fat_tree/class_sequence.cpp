// SPDX-License-Identifier: Apache-2.0

/// Total exchange in a fat tree of exponential capacities, in a k-ary n-tree, or in any XGFT whose
/// switches have as many links up as down, all leaves alike.
/// Model:   all-port.
/// Idea:    in a step either nobody starts a message or every leaf x sends to x (+) d, digit by
///          digit modulo the arities: no branch has more messages than lanes. What is left to
///          choose is the order of the offsets d, of which only the level counts: messages that
///          arrive together must have left together. Digitwise: furthest first. Class sequence: a
///          search, depth first, the highest level first, for a sequence without a lost step. In an
///          XGFT a message takes the port of the destination's digit on its way up: sources below
///          one subtree have destinations of different lower digits, so that no two meet on a link
///          up, and each link down leads to one destination.
/// Cost:    digitwise n + 2h - 2 start-ups and message times; class sequence one less for k = 2,
///          h >= 3, which is optimal (n + 2h - 2 is for k >= 3).
/// Source:  digitwise: Dimakopoulos 1996, section 6.3.3.1, in a simpler form.
/// Differs: the class sequence is not in the thesis, whose conjecture (section 6.3.4) it refutes
///          for k = 2 (tests/papers/fat_tree_exchange_test.cpp). Neither are XGFTs: the thesis's
///          switches pair any incoming with any outgoing link.

#include <algorithm>
#include <utility>

#include "algorithm/fat_tree/delivered_exchanges.hpp"
#include "algorithm/fat_tree/deliveries.hpp"
#include "algorithm/fat_tree/fat_tree_counts.hpp"
#include "algorithm/fat_tree/tree_shapes.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t most_choices = 3'000'000;

/// Messages of class l that leave in step t, counted from 1, arrive in step t + 2l - 1.
class Search {
 public:
  Search(const SwitchTree& tree, std::uint64_t steps)
      : height_(tree.height()), steps_(steps), left_(height_ + 1), arrives_(steps + 2) {
    for (std::size_t l = 1; l <= height_; ++l)
      left_[l] = tree.leaves_below(l) - tree.leaves_below(l - 1);
    remaining_ = tree.processor_count() - 1;
    holes_left_ = steps - std::min(steps, tree.processor_count());
  }

  [[nodiscard]] std::optional<FatTreeClasses> result() {
    std::size_t highest = height_;
    for (std::uint64_t choices = 0; remaining_ != 0; ++choices) {
      if (choices == most_choices) return std::nullopt;
      if (choose(highest)) {
        highest = height_;
        continue;
      }
      do {
        if (chosen_.empty()) return std::nullopt;
        highest = take_back();
      } while (highest == 0);
      --highest;
    }
    return chosen_;
  }

 private:
  [[nodiscard]] std::uint64_t now() const { return chosen_.size() + 1; }

  /// The highest class up to `highest` that may leave now.
  [[nodiscard]] bool choose(std::size_t highest) {
    for (std::size_t l = highest + 1; l-- > 0;) {
      const std::uint64_t arrival = now() + 2 * l - 1;
      if (l != 0 && (left_[l] == 0 || arrival > steps_ || arrives_[arrival])) continue;
      place(l);
      if (all_can_leave()) return true;
      (void)take_back();
    }
    return false;
  }

  void place(std::size_t l) {
    if (l != 0) {
      --left_[l];
      --remaining_;
      arrives_[now() + 2 * l - 1] = true;
    }
    chosen_.push_back(static_cast<std::uint8_t>(l));
    // Nothing that leaves later arrives in the next step.
    holes_ += static_cast<std::uint64_t>(!arrives_[chosen_.size() + 1]);
  }

  std::size_t take_back() {
    holes_ -= static_cast<std::uint64_t>(!arrives_[chosen_.size() + 1]);
    const std::size_t l = chosen_.back();
    chosen_.pop_back();
    if (l != 0) {
      ++left_[l];
      ++remaining_;
      arrives_[now() + 2 * l - 1] = false;
    }
    return l;
  }

  /// As far as counting tells: steps without an arrival, and time for each class and those above.
  [[nodiscard]] bool all_can_leave() const {
    if (holes_ > holes_left_) return false;
    std::uint64_t at_or_above = 0;
    for (std::size_t l = height_; l >= 1; --l) {
      at_or_above += left_[l];
      if (at_or_above != 0 && at_or_above + 2 * l - 1 + chosen_.size() > steps_) return false;
    }
    return true;
  }

  std::size_t height_;
  std::uint64_t steps_;
  std::vector<std::uint64_t> left_;  // of each class
  std::vector<bool> arrives_;        // by step
  FatTreeClasses chosen_;
  std::uint64_t remaining_ = 0;
  std::uint64_t holes_ = 0;
  std::uint64_t holes_left_ = 0;
};

/// A leaf's n - 1 messages leave in different steps, and as many arrive in different steps; by how
/// much later, summed over all, is known.
[[nodiscard]] std::uint64_t least_steps(const SwitchTree& tree) {
  const std::uint64_t others = tree.processor_count() - 1;
  const std::uint64_t on_the_way = hops_from(tree) - others;
  return others + (on_the_way + others - 1) / others;
}

[[nodiscard]] FatTreeClasses furthest_first(const SwitchTree& tree) {
  FatTreeClasses classes;
  for (std::size_t l = tree.height(); l >= 1; --l) {
    classes.insert(classes.end(), tree.leaves_below(l) - tree.leaves_below(l - 1),
                   static_cast<std::uint8_t>(l));
    // A message that turns lower arrives two steps earlier.
    if (l != 1) classes.insert(classes.end(), 2, 0);
  }
  return classes;
}

/// The sum of the numbers of two leaves: digit by digit, modulo the arities.
[[nodiscard]] std::uint64_t sum(const SwitchTree& tree, std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  for (std::size_t j = 1; j <= tree.height(); ++j) {
    const std::uint64_t below = tree.leaves_below(j - 1);
    sum += (a / below + b / below) % tree.arity(j) * below;
  }
  return sum;
}

/// The steps of an operation that sends the furthest first.
[[nodiscard]] std::uint64_t most_steps(const SwitchTree& tree) {
  return tree.processor_count() + 2 * tree.height() - 2;
}

/// The timetable that sends the furthest first, or the shortest one of at least `least` steps that
/// the search finds.
[[nodiscard]] FatTreeTimetable by_classes(const SwitchTree& tree,
                                          std::uint64_t (*least)(const SwitchTree& tree)) {
  const FatTreeWays ways(tree, FatTreeColumns::all);
  check_countable(tree);
  FatTreeClasses classes = furthest_first(tree);
  std::uint64_t steps = most_steps(tree);
  for (std::uint64_t fewer = least(tree); fewer < steps; ++fewer)
    if (auto shorter = class_sequence(tree, fewer)) {
      classes = *std::move(shorter);
      steps = fewer;
    }
  const auto inject_all = [=](const InjectionTimes::Inject& inject) {
    std::vector<std::uint64_t> next;  // offset of each class
    for (std::size_t l = 0; l <= tree.height(); ++l)
      next.push_back(tree.leaves_below(l == 0 ? 0 : l - 1));
    for (std::uint64_t step = 0; step < classes.size(); ++step) {
      if (classes[step] == 0) continue;
      const std::uint64_t offset = next[classes[step]]++;
      for (std::uint64_t leaf = 0; leaf < tree.processor_count(); ++leaf) {
        const std::uint64_t to = sum(tree, leaf, offset);
        inject(step, leaf, ways.word({to, column_of_digits(tree, to)}));
      }
    }
  };
  return {.steps = steps, .columns = FatTreeColumns::all, .inject_all = inject_all};
}

}  // namespace

std::optional<FatTreeClasses> class_sequence(const SwitchTree& tree, std::uint64_t steps) {
  return Search(tree, steps).result();
}

constinit const FatTreeDeliveries digitwise_exchange = {
    .info = fat_tree_info("digitwise", Operation::total_exchange, port_models::all_port,
                          "Dimakopoulos, section 6.3.3.1, for fat trees", "N + 2*h - 2", {},
                          "every leaf makes the same moves; furthest destinations first"),
    .plan = [](const SwitchTree& tree, const Settings&) { return by_classes(tree, most_steps); }};

constinit const FatTreeDeliveries class_sequence_exchange = {
    .info = {.name = "class-sequence",
             .operation = Operation::total_exchange,
             .model = port_models::all_port,
             .source = "Lockstep; not in Dimakopoulos",
             .costs = "N + 2h - 2 start-ups and message times, one less for k = 2",
             .claims = with_one_link_per_leaf(least_of_one_block),
             .summary = "every leaf makes the same moves; levels in an order without idle steps"},
    .plan = [](const SwitchTree& tree, const Settings&) { return by_classes(tree, least_steps); }};

}  // namespace lockstep
