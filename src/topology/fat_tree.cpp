// SPDX-License-Identifier: Apache-2.0

/// Fat trees: a switch of any capacity per subtree.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/topology/switch_tree.hpp"

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
    if (arity < 2) throw invalid("{}: arity {}; allowed: 2 or more", name, arity);
  // With all switches less than twice as many nodes.
  if (!product_at_most(arities, most_leaves))
    throw invalid("{}: more than 2^62 processors, the allowed maximum", name);
}

Numbers capacities_of(const std::string& name, const FatTreeCapacities& given,
                      const Numbers& arities) {
  constexpr std::array<std::string_view, 5> names{"constant", "exponential", "half", "linear",
                                                  "steep"};
  if (!given.name.empty() && std::ranges::find(names, given.name) == names.end())
    throw invalid("{}: capacities '{}'; allowed: {}, or a list such as 1.2.4", name, given.name,
                  joined(names, ", "));
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
    throw invalid("{}: expected {} capacities, one per level; given: {}", name, arities.size(),
                  all.size());
  if (all.front() == 0) throw InvalidParameter(name + ": capacity 0; allowed: 1 or more");
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] < all[i - 1])
      throw invalid(
          "{}: capacity {} above a level of capacity {}; expected at least the capacity below",
          name, all[i], all[i - 1]);
  return all;
}

void check_ports(const std::string& name, const Numbers& arities, const Numbers& capacities) {
  for (std::size_t i = 1; i <= arities.size(); ++i) {
    const std::uint64_t up = i == arities.size() ? 0 : capacities[i];
    if (up > max_ports_of_a_node || capacities[i - 1] > (max_ports_of_a_node - up) / arities[i - 1])
      throw invalid("{}: a switch of level {} has more than {} ports, the allowed maximum", name, i,
                    grouped(max_ports_of_a_node));
  }
}

SwitchTree::Shape fat_tree_shape(const Numbers& arities, const FatTreeCapacities& given) {
  const std::string name = name_of(arities, given);
  check_arities(name, arities);
  const Numbers capacities = capacities_of(name, given, arities);
  check_ports(name, arities, capacities);
  return {arities, Numbers(arities.size(), 1), capacities};
}

}  // namespace

FatTree::FatTree(const Numbers& arities, const FatTreeCapacities& capacities)
    : SwitchTree(name_of(arities, capacities), fat_tree_shape(arities, capacities),
                 fat_tree_link_bits) {}

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

}  // namespace lockstep
