// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/switch_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/invalid.hpp"
#include "core/words.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

SwitchTree::SwitchTree(std::string name, const Shape& shape, unsigned link_bits)
    : name_(std::move(name)), rows_(1) {
  const std::uint64_t leaves = std::accumulate(shape.arities.begin(), shape.arities.end(),
                                               std::uint64_t{1}, std::multiplies<>{});
  node_count_ = leaves;
  for (std::size_t i = 1; i <= shape.arities.size(); ++i) {
    Row& below = rows_.back();
    const std::uint64_t arity = shape.arities[i - 1];
    const std::uint64_t parents = shape.parents[i - 1];
    const std::uint64_t lanes = shape.lanes[i - 1];
    const std::uint64_t subtrees = leaves / below.below.value();
    const std::uint64_t lanes_left =
        ((std::uint64_t{1} << link_bits) - links_) / subtrees / below.columns.value();
    if (lanes > lanes_left / parents)
      throw invalid("{}: more than 2^{} links, the allowed maximum", name_, link_bits);
    below.parents = Divisor(parents);
    below.lanes_up = lanes;
    const std::uint64_t columns = below.columns.value() * parents;
    links_ += subtrees * columns * lanes;
    const std::uint64_t filled = i == 1 ? columns * lanes : below.arity.value() * below.effective;
    rows_.push_back({.first = node_count_,
                     .below = Divisor(below.below.value() * arity),
                     .columns = Divisor(columns),
                     .arity = Divisor(arity),
                     .children = arity,
                     .lanes_down = lanes,
                     .effective = std::min(columns * lanes, filled)});
    // Not more than links below them, of which a node has two at least.
    node_count_ += subtrees / arity * columns;
  }
  for (std::size_t level = 0; level <= height(); ++level)
    max_degree_ = std::max(max_degree_, degree_of_level(level));
}

std::size_t SwitchTree::degree_of_level(std::size_t level) const noexcept {
  const Row& row = rows_[level];
  return row.children * row.lanes_down + row.parents.value() * row.lanes_up;
}

std::size_t SwitchTree::turning_level(std::uint64_t a, std::uint64_t b) const {
  std::size_t level = 0;
  for (; a != b; ++level) {
    a /= arity(level + 1);
    b /= arity(level + 1);
  }
  return level;
}

NodeId SwitchTree::neighbor(NodeId u, Port p) const {
  const auto [level, subtree, column] = place(u);
  const Port up = parent_port(level);
  if (level != height() && p >= up) {
    const std::uint64_t parent = (index(p) - index(up)) / lanes(level + 1);
    return node({level + 1, subtree / arity(level + 1), column + parent * columns(level)});
  }
  const std::uint64_t child = subtree * arity(level) + index(p) / lanes(level);
  return node({level - 1, child, column % columns(level - 1)});
}

Port SwitchTree::reverse_port(NodeId u, Port p) const {
  const auto [level, subtree, column] = place(u);
  const Port up = parent_port(level);
  if (level != height() && p >= up) {
    const Port down = branch_port(level + 1, subtree % arity(level + 1));
    return port(index(down) + (index(p) - index(up)) % lanes(level + 1));
  }
  const Port back = branch_port(level - 1, branch_up(column, level - 1));
  return port(index(back) + index(p) % lanes(level));
}

std::string SwitchTree::label(NodeId u) const {
  const auto [level, subtree, column] = place(u);
  return fmt::format("({},{},{})", level, subtree, column);
}

std::optional<NodeId> SwitchTree::find(const std::string& label) const {
  if (label.empty() || label.front() != '(' || label.back() != ')') return {};
  const auto numbers = whole_numbers(std::string_view(label).substr(1, label.size() - 2), ',');
  if (!numbers || numbers->size() != 3 || numbers->front() > height()) return {};
  const Place at{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
  if (at.subtree >= processor_count() / leaves_below(at.level) || at.column >= columns(at.level))
    return {};
  return node(at);
}

std::vector<Level> SwitchTree::levels() const {
  std::vector<Level> all;
  for (std::size_t i = 0; i <= height(); ++i)
    all.push_back({.nodes = processor_count() / leaves_below(i) * columns(i),
                   .children = rows_[i].children,
                   .parents = i == height() ? 0 : parents(i + 1),
                   .lanes = rows_[i].lanes_down});
  return all;
}

SwitchTree SwitchTree::spanning_tree() const {
  Shape shape;
  for (std::size_t i = 1; i <= height(); ++i) {
    shape.arities.push_back(arity(i));
    shape.parents.push_back(1);
    shape.lanes.push_back(lanes(i));
  }
  return {name_, shape, 63};
}

std::optional<SwitchTree> switch_tree(const ErasedTopology& network) {
  if (const FatTree* const tree = network.as<FatTree>()) return *tree;
  if (const Xgft* const tree = network.as<Xgft>()) return *tree;
  return std::nullopt;
}

}  // namespace lockstep
