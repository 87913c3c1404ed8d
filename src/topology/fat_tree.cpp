// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/fat_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/core/whole_number.hpp"

namespace lockstep {
namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::uint64_t most_links = std::uint64_t{1} << 63U;

/// "4^3", "4x3x2"; then what was given of the capacities.
std::string name_of(const Numbers& arities, const FatTreeCapacities& capacities) {
  const bool uniform = std::all_of(arities.begin(), arities.end(),
                                   [&](std::uint64_t k) { return k == arities.front(); });
  const std::string shape = uniform && !arities.empty()
                                ? fmt::format("{}^{}", arities.front(), arities.size())
                                : sizes_text(arities);
  if (capacities.name.empty())
    return fmt::format("fat-tree:{},{}", shape, fmt::join(capacities.list, "."));
  if (capacities.name == "constant") return fmt::format("fat-tree:{}", shape);
  return fmt::format("fat-tree:{},{}", shape, capacities.name);
}

/// N_0, .., N_h.
Numbers leaves_below(const std::string& name, const Numbers& arities) {
  if (arities.empty()) throw InvalidParameter(name + ": height 0, allowed 1 or more");
  for (const std::uint64_t arity : arities)
    if (arity < 2)
      throw InvalidParameter(fmt::format("{}: arity {}, allowed 2 or more", name, arity));
  // With all switches less than twice as many nodes.
  if (!product_at_most(arities, most_links / 2))
    throw InvalidParameter(fmt::format("{}: more than 2^62 processors, allowed 2^62", name));
  Numbers below{1};
  for (const std::uint64_t arity : arities) below.push_back(below.back() * arity);
  return below;
}

Numbers capacities_of(const std::string& name, const FatTreeCapacities& given,
                      const Numbers& arities, const Numbers& below) {
  constexpr std::array<std::string_view, 5> names{"constant", "exponential", "half", "linear",
                                                  "steep"};
  if (!given.name.empty() && std::find(names.begin(), names.end(), given.name) == names.end())
    throw InvalidParameter(fmt::format("{}: capacities '{}', allowed {}, or a list such as 1.2.4",
                                       name, given.name, fmt::join(names, ", ")));
  Numbers all = given.list;
  if (!given.name.empty()) all.clear();
  std::uint64_t half = 1;
  for (std::size_t i = 1; !given.name.empty() && i <= arities.size(); ++i) {
    if (i > 2 && i % 2 == 1) half *= arities[i - 2];
    if (given.name == "constant") all.push_back(1);
    if (given.name == "exponential") all.push_back(below[i - 1]);
    if (given.name == "half") all.push_back(half);
    if (given.name == "linear") all.push_back(i);
    if (given.name == "steep") all.push_back(i == 1 ? 1 : below[i]);
  }
  if (all.size() != arities.size())
    throw InvalidParameter(fmt::format("{}: {} capacities, allowed one per level: {}", name,
                                       all.size(), arities.size()));
  if (all.front() == 0) throw InvalidParameter(name + ": capacity 0, allowed 1 or more");
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] < all[i - 1])
      throw InvalidParameter(fmt::format("{}: capacity {} above {}, allowed not less than below",
                                         name, all[i], all[i - 1]));
  return all;
}

}  // namespace

FatTree::FatTree(Numbers arities, FatTreeCapacities capacities)
    : name_(name_of(arities, capacities)),
      arities_(std::move(arities)),
      below_(lockstep::leaves_below(name_, arities_)) {
  capacities_ = capacities_of(name_, capacities, arities_, below_);
  const std::uint64_t leaves = below_.back();
  first_.push_back(0);
  for (std::size_t i = 1; i <= height(); ++i) {
    first_.push_back(first_.back() + leaves / below_[i - 1]);
    const std::uint64_t below = i == 1 ? capacity(1) : arity(i - 1) * effective_.back();
    effective_.push_back(i == 1 ? capacity(1) : std::min(capacity(i), below));
    const std::uint64_t branches = leaves / below_[i - 1];
    if (capacity(i) > (most_links - links_) / branches)
      throw InvalidParameter(fmt::format("{}: more than 2^63 links, allowed 2^63", name_));
    links_ += branches * capacity(i);
    const bool root = i == height();
    const std::uint64_t ports = std::numeric_limits<std::uint32_t>::max();
    if (capacity(i) > ports / arity(i) || (!root && capacity(i + 1) > ports) ||
        degree_of_level(i) > max_ports_of_a_node)
      throw InvalidParameter(
          fmt::format("{}: a switch of level {} has more than {} ports, allowed {}", name_, i,
                      max_ports_of_a_node, max_ports_of_a_node));
    max_degree_ = std::max({max_degree_, degree_of_level(i - 1), degree_of_level(i)});
  }
}

std::size_t FatTree::degree_of_level(std::size_t level) const noexcept {
  const std::uint64_t down = level == 0 ? 0 : arity(level) * capacity(level);
  return down + (level == height() ? 0 : capacity(level + 1));
}

NodeId FatTree::neighbor(NodeId u, Port p) const {
  const auto [level, number] = place(u);
  const Port up = parent_port(level);
  if (p >= up) return node({level + 1, number / arities_[level]});
  return node({level - 1, number * arity(level) + index(p) / capacity(level)});
}

Port FatTree::reverse_port(NodeId u, Port p) const {
  const auto [level, number] = place(u);
  const Port up = parent_port(level);
  if (p >= up)
    return port(index(branch_port(level + 1, number % arities_[level])) + (index(p) - index(up)));
  return port(index(parent_port(level - 1)) + index(p) % capacity(level));
}

std::string FatTree::label(NodeId u) const {
  const auto [level, number] = place(u);
  return fmt::format("({},{})", level, number);
}

std::optional<NodeId> FatTree::find(const std::string& label) const {
  const std::size_t comma = label.find(',');
  if (comma == std::string::npos || label.front() != '(' || label.back() != ')') return {};
  const auto level = whole_number(std::string_view(label).substr(1, comma - 1));
  const auto number =
      whole_number(std::string_view(label).substr(comma + 1, label.size() - comma - 2));
  if (!level || !number || *level > height() ||
      *number >= processor_count() / below_[static_cast<std::size_t>(*level)])
    return {};
  return node({static_cast<std::size_t>(*level), *number});
}

std::string FatTree::port_label(NodeId u, Port p) const {
  const std::size_t level = place(u).level;
  const bool up = p >= parent_port(level);
  const std::uint64_t lanes = capacity(up ? level + 1 : level);
  const std::uint64_t lane = (up ? index(p) - index(parent_port(level)) : index(p)) % lanes;
  const std::string end = up ? "parent" : fmt::format("child {}", index(p) / lanes);
  return lanes == 1 ? end : fmt::format("{}, lane {}", end, lane);
}

std::vector<Level> FatTree::levels() const {
  std::vector<Level> all;
  for (std::size_t i = 0; i <= height(); ++i)
    all.push_back({.nodes = processor_count() / below_[i],
                   .children = i == 0 ? 0 : arity(i),
                   .parents = i == height() ? 0U : 1U,
                   .lanes = i == 0 ? 0 : capacity(i)});
  return all;
}

}  // namespace lockstep
