// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/switch_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/joined.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::uint64_t most_leaves = std::uint64_t{1} << 62U;
constexpr unsigned fat_tree_link_bits = 63;

/// "4^3", "4x3x2"; then what was given of the capacities.
std::string name_of(const Numbers& arities, const FatTreeCapacities& capacities) {
  const bool uniform =
      std::ranges::all_of(arities, [&](std::uint64_t k) { return k == arities.front(); });
  const std::string shape = uniform && !arities.empty()
                                ? fmt::format("{}^{}", arities.front(), arities.size())
                                : sizes_text(arities);
  if (capacities.name.empty())
    return fmt::format("fat-tree:{},{}", shape, joined(capacities.list, "."));
  if (capacities.name == "constant") return fmt::format("fat-tree:{}", shape);
  return fmt::format("fat-tree:{},{}", shape, capacities.name);
}

void check_arities(const std::string& name, const Numbers& arities) {
  if (arities.empty()) throw InvalidParameter(name + ": height 0; allowed: 1 or more");
  for (const std::uint64_t arity : arities)
    if (arity < 2)
      throw InvalidParameter(fmt::format("{}: arity {}; allowed: 2 or more", name, arity));
  // With all switches less than twice as many nodes.
  if (!product_at_most(arities, most_leaves))
    throw InvalidParameter(fmt::format("{}: more than 2^62 processors, the allowed maximum", name));
}

Numbers capacities_of(const std::string& name, const FatTreeCapacities& given,
                      const Numbers& arities) {
  constexpr std::array<std::string_view, 5> names{"constant", "exponential", "half", "linear",
                                                  "steep"};
  if (!given.name.empty() && std::ranges::find(names, given.name) == names.end())
    throw InvalidParameter(fmt::format("{}: capacities '{}'; allowed: {}, or a list such as 1.2.4",
                                       name, given.name, joined(names, ", ")));
  Numbers all = given.list;
  if (!given.name.empty()) all.clear();
  std::uint64_t half = 1;
  std::uint64_t below = 1;  // leaves below a node of level i - 1
  for (std::size_t i = 1; !given.name.empty() && i <= arities.size(); ++i) {
    if (i > 2 && i % 2 == 1) half *= arities[i - 2];
    if (given.name == "constant") all.push_back(1);
    if (given.name == "exponential") all.push_back(below);
    if (given.name == "half") all.push_back(half);
    if (given.name == "linear") all.push_back(i);
    if (given.name == "steep") all.push_back(i == 1 ? 1 : below * arities[i - 1]);
    below *= arities[i - 1];
  }
  if (all.size() != arities.size())
    throw InvalidParameter(fmt::format("{}: expected {} capacities, one per level; given: {}", name,
                                       arities.size(), all.size()));
  if (all.front() == 0) throw InvalidParameter(name + ": capacity 0; allowed: 1 or more");
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] < all[i - 1])
      throw InvalidParameter(fmt::format(
          "{}: capacity {} above a level of capacity {}; expected at least the capacity below",
          name, all[i], all[i - 1]));
  return all;
}

void check_ports(const std::string& name, const Numbers& arities, const Numbers& capacities) {
  for (std::size_t i = 1; i <= arities.size(); ++i) {
    const std::uint64_t up = i == arities.size() ? 0 : capacities[i];
    if (up > max_ports_of_a_node || capacities[i - 1] > (max_ports_of_a_node - up) / arities[i - 1])
      throw InvalidParameter(
          fmt::format("{}: a switch of level {} has more than {} ports, the allowed maximum", name,
                      i, grouped(max_ports_of_a_node)));
  }
}

}  // namespace

FatTree::FatTree(const Numbers& arities, const FatTreeCapacities& capacities)
    : SwitchTree(name_of(arities, capacities), checked(arities, capacities), fat_tree_link_bits) {}

SwitchTree::Shape FatTree::checked(const Numbers& arities, const FatTreeCapacities& given) {
  const std::string name = name_of(arities, given);
  check_arities(name, arities);
  const Numbers capacities = capacities_of(name, given, arities);
  check_ports(name, arities, capacities);
  return {arities, Numbers(arities.size(), 1), capacities};
}

std::string FatTree::label(NodeId u) const {
  const Place at = place(u);
  return fmt::format("({},{})", at.level, at.subtree);
}

std::optional<NodeId> FatTree::find(const std::string& label) const {
  if (label.empty()) return {};
  return SwitchTree::find(label.substr(0, label.size() - 1) + ",0" + label.back());
}

std::string FatTree::port_label(NodeId u, Port p) const {
  const std::size_t level = place(u).level;
  const bool up = level != height() && p >= parent_port(level);
  const std::uint64_t lanes = capacity(up ? level + 1 : level);
  const std::uint64_t lane = (up ? index(p) - index(parent_port(level)) : index(p)) % lanes;
  const std::string end = up ? "parent" : fmt::format("child {}", index(p) / lanes);
  return lanes == 1 ? end : fmt::format("{}, lane {}", end, lane);
}

namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr unsigned xgft_link_bits = 62;

[[nodiscard]] bool all_are(std::uint64_t number, Numbers::const_iterator first,
                           Numbers::const_iterator last) {
  return std::all_of(first, last, [number](std::uint64_t one) { return one == number; });
}

/// That of a k-ary n-tree where it is one.
[[nodiscard]] std::string name_of(const Numbers& children, const Numbers& parents) {
  const bool whole = !children.empty() && children.size() == parents.size() &&
                     parents.front() == 1 && children.front() > 1 &&
                     all_are(children.front(), children.begin(), children.end()) &&
                     all_are(children.front(), parents.begin() + 1, parents.end());
  if (whole) return fmt::format("kary-tree:{}^{}", children.front(), children.size());
  return fmt::format("xgft:{};{};{}", children.size(), joined(children, ","), joined(parents, ","));
}

void check_xgft(const std::string& name, const Numbers& children, const Numbers& parents) {
  if (children.empty()) throw InvalidParameter(name + ": height 0; allowed: 1 or more");
  if (children.size() != parents.size())
    throw InvalidParameter(
        fmt::format("{}: numbers of parents: {} given; expected {}, one per level", name,
                    parents.size(), children.size()));
  for (const std::uint64_t m : children)
    if (m < 2 || m > max_ports_of_a_node)
      throw InvalidParameter(fmt::format("{}: {} children; allowed: 2..{}", name, grouped(m),
                                         grouped(max_ports_of_a_node)));
  for (const std::uint64_t w : parents)
    if (w < 1 || w > max_ports_of_a_node)
      throw InvalidParameter(fmt::format("{}: {} parents; allowed: 1..{}", name, grouped(w),
                                         grouped(max_ports_of_a_node)));
  for (std::size_t i = 1; i < children.size(); ++i)
    if (children[i - 1] + parents[i] > max_ports_of_a_node)
      throw InvalidParameter(fmt::format("{}: a switch of level {} has {} ports; allowed: up to {}",
                                         name, i, children[i - 1] + parents[i],
                                         max_ports_of_a_node));
  if (!product_at_most(children, std::uint64_t{1} << xgft_link_bits))
    throw InvalidParameter(fmt::format("{}: more than 2^62 processors, the allowed maximum", name));
}

}  // namespace

Xgft::Xgft(const Numbers& children, const Numbers& parents)
    : SwitchTree(name_of(children, parents), checked(children, parents), xgft_link_bits) {}

SwitchTree::Shape Xgft::checked(const Numbers& children, const Numbers& parents) {
  check_xgft(name_of(children, parents), children, parents);
  return {children, parents, Numbers(children.size(), 1)};
}

std::string Xgft::port_label(NodeId u, Port p) const {
  const std::uint64_t down = index(parent_port(place(u).level));
  return index(p) < down ? fmt::format("child {}", index(p))
                         : fmt::format("parent {}", index(p) - down);
}

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
      throw InvalidParameter(
          fmt::format("{}: more than 2^{} links, the allowed maximum", name_, link_bits));
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
  std::string_view rest(label);
  rest = rest.substr(1, rest.size() - 2);
  std::array<std::uint64_t, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t comma = rest.find(',');
    const bool last = i + 1 == numbers.size();
    const auto number = whole_number(rest.substr(0, comma));
    if (!number || (comma == std::string_view::npos) != last) return {};
    numbers.at(i) = *number;
    if (!last) rest.remove_prefix(comma + 1);
  }
  const auto [level, subtree, column] = numbers;
  if (level > height()) return {};
  const auto i = static_cast<std::size_t>(level);
  if (subtree >= processor_count() / leaves_below(i) || column >= columns(i)) return {};
  return node({i, subtree, column});
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
