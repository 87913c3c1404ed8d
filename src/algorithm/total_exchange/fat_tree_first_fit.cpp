// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/total_exchange/fat_tree_first_fit.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "algorithm/fat_tree/first_fit.hpp"
#include "lockstep/algorithm/fat_tree/furthest.hpp"

namespace lockstep {
namespace {

using first_fit::Lanes;

/// Both directions of all branches.
class Branches {
 public:
  explicit Branches(const FatTree& tree) : tree_(tree) {
    for (auto& way : ways_)
      for (std::size_t i = 1; i <= tree.height(); ++i)
        way.emplace_back(tree.processor_count() / tree.leaves_below(i - 1),
                         Lanes(tree.capacity(i)));
  }

  /// The step in which the message leaves.
  [[nodiscard]] std::uint64_t send(std::uint64_t source, std::uint64_t destination,
                                   std::size_t turn) {
    path_.clear();
    for (std::size_t i = 0; i < turn; ++i) {
      path_.push_back({&ways_[0][i][source / tree_.leaves_below(i)], i});
      path_.push_back({&ways_[1][i][destination / tree_.leaves_below(i)], 2 * turn - 1 - i});
    }
    const std::uint64_t step =
        first_fit::earliest(path_, std::numeric_limits<std::uint64_t>::max());
    first_fit::pass(path_, step);
    return step;
  }

 private:
  const FatTree& tree_;
  std::array<std::vector<std::vector<Lanes>>, 2> ways_;  // up, down; by level and branch
  std::vector<first_fit::Passage> path_;
};

[[nodiscard]] WideCount bytes_of_planning(const FatTree& tree) {
  std::vector<first_fit::LevelLinks> levels;
  for (std::size_t i = 1; i <= tree.height(); ++i)
    levels.push_back({tree.processor_count() / tree.leaves_below(i - 1), tree.capacity(i)});
  return first_fit::planning_bytes(tree, first_fit::full_steps(tree), levels);
}

}  // namespace

FatTreeFirstFit::FatTreeFirstFit(FatTree tree, const Settings&) : tree_(std::move(tree)) {
  check_countable(tree_);
  first_fit::check_plan(tree_.name(), bytes_of_planning(tree_));
}

FatTreeFirstFit::Plan FatTreeFirstFit::plan() const {
  Branches branches(tree_);
  return first_fit::plan_of(
      tree_, [&](std::uint64_t from, std::uint64_t to, std::size_t level) -> first_fit::Fitted {
        return {branches.send(from, to, level), to};
      });
}

Footprint FatTreeFirstFit::footprint() const {
  const std::uint64_t leaves = tree_.processor_count();
  const std::uint64_t steps = plan_.look([this] { return plan(); }).steps;
  return Program::footprint(tree_, steps, leaves * (leaves - 1), leaves * hops_from(tree_));
}

std::uint64_t FatTreeFirstFit::planning_bytes() const {
  return static_cast<std::uint64_t>(bytes_of_planning(tree_));
}

FatTreeDelivery FatTreeFirstFit::program() const {
  return {tree_, plan_.take([this] { return plan(); }).departures};
}

}  // namespace lockstep
