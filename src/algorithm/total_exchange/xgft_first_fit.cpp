// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/total_exchange/xgft_first_fit.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "algorithm/fat_tree/first_fit.hpp"
#include "lockstep/algorithm/fat_tree/furthest.hpp"

namespace lockstep {
namespace {

using first_fit::Lanes;
using first_fit::Passage;

/// Both directions of all links: of those above the subtrees of a level, subtree by subtree, the
/// one that leads to each column.
class Links {
 public:
  explicit Links(const Xgft& tree) : tree_(tree) {
    for (auto& way : ways_)
      for (std::size_t i = 1; i <= tree.height(); ++i)
        way.emplace_back(tree.processor_count() / tree.leaves_below(i - 1) * tree.columns(i),
                         Lanes(1));
  }

  struct Departure {
    std::uint64_t step = 0;
    std::uint64_t column = 0;
  };
  /// By the column that lets it leave first.
  [[nodiscard]] Departure send(std::uint64_t source, std::uint64_t destination, std::size_t turn) {
    Departure best{.step = std::numeric_limits<std::uint64_t>::max()};
    const std::uint64_t columns = tree_.columns(turn);
    const std::uint64_t first = column_of_digits(tree_, destination);
    for (std::uint64_t i = 0; i < columns && best.step != 0; ++i) {
      const std::uint64_t column = (first + i) % columns;
      lay(source, destination, turn, column);
      const std::uint64_t step = first_fit::earliest(path_, best.step);
      if (step < best.step) best = {step, column};
    }
    lay(source, destination, turn, best.column);
    first_fit::pass(path_, best.step);
    return best;
  }

 private:
  void lay(std::uint64_t source, std::uint64_t destination, std::size_t turn,
           std::uint64_t column) {
    path_.clear();
    for (std::size_t i = 0; i < turn; ++i) {
      path_.push_back({&link(0, i, source, column), i});
      path_.push_back({&link(1, i, destination, column), 2 * turn - 1 - i});
    }
  }
  [[nodiscard]] Lanes& link(std::size_t way, std::size_t level, std::uint64_t leaf,
                            std::uint64_t column) {
    const std::uint64_t columns = tree_.columns(level + 1);
    return ways_[way][level][leaf / tree_.leaves_below(level) * columns + column % columns];
  }

  const Xgft& tree_;
  std::array<std::vector<std::vector<Lanes>>, 2> ways_;  // up, down; by level and link
  std::vector<Passage> path_;
};

[[nodiscard]] WideCount bytes_of_planning(const Xgft& tree) {
  std::vector<first_fit::LevelLinks> levels;
  for (std::size_t i = 1; i <= tree.height(); ++i)
    levels.push_back({tree.processor_count() / tree.leaves_below(i - 1) * tree.columns(i), 1});
  return first_fit::planning_bytes(tree.spanning_tree(), first_fit::full_steps(tree), levels);
}

}  // namespace

XgftFirstFit::XgftFirstFit(Xgft tree, const Settings&) : tree_(std::move(tree)), ways_(tree_) {
  (void)countable_tree(tree_);
  first_fit::check_plan(tree_.name(), bytes_of_planning(tree_));
}

XgftFirstFit::Plan XgftFirstFit::plan() const {
  Links links(tree_);
  return first_fit::plan_of(
      tree_.spanning_tree(),
      [&](std::uint64_t from, std::uint64_t to, std::size_t level) -> first_fit::Fitted {
        const auto [step, column] = links.send(from, to, level);
        return {step, ways_.word({to, column})};
      });
}

Footprint XgftFirstFit::footprint() const {
  const std::uint64_t steps = plan_.look([this] { return plan(); }).steps;
  return Program::footprint(tree_, steps);
}

std::uint64_t XgftFirstFit::planning_bytes() const {
  return static_cast<std::uint64_t>(bytes_of_planning(tree_));
}

XgftDelivery XgftFirstFit::program() const {
  return {tree_, plan_.take([this] { return plan(); }).departures};
}

}  // namespace lockstep
