// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/xgft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/mixed_radix.hpp"
#include "lockstep/core/whole_number.hpp"

namespace lockstep {
namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::uint64_t most_nodes_or_links = std::uint64_t{1} << 62U;

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
  return fmt::format("xgft:{};{};{}", children.size(), fmt::join(children, ","),
                     fmt::join(parents, ","));
}

[[nodiscard]] FatTree checked_tree(const std::string& name, const Numbers& children,
                                   const Numbers& parents) {
  if (children.empty()) throw InvalidParameter(name + ": height 0, allowed 1 or more");
  if (children.size() != parents.size())
    throw InvalidParameter(fmt::format("{}: {} numbers of parents, allowed one per level: {}", name,
                                       parents.size(), children.size()));
  for (const std::uint64_t m : children)
    if (m < 2 || m > max_ports_of_a_node)
      throw InvalidParameter(
          fmt::format("{}: {} children, allowed 2..{}", name, m, max_ports_of_a_node));
  for (const std::uint64_t w : parents)
    if (w < 1 || w > max_ports_of_a_node)
      throw InvalidParameter(
          fmt::format("{}: {} parents, allowed 1..{}", name, w, max_ports_of_a_node));
  for (std::size_t i = 1; i < children.size(); ++i)
    if (children[i - 1] + parents[i] > max_ports_of_a_node)
      throw InvalidParameter(fmt::format("{}: a switch of level {} has {} ports, allowed {}", name,
                                         i, children[i - 1] + parents[i], max_ports_of_a_node));
  if (!product_at_most(children, most_nodes_or_links))
    throw InvalidParameter(fmt::format("{}: more than 2^62 processors, allowed 2^62", name));
  return {children, {.name = "constant"}};
}

}  // namespace

Xgft::Xgft(const Numbers& children, Numbers parents)
    : name_(name_of(children, parents)),
      tree_(checked_tree(name_, children, parents)),
      parents_(std::move(parents)) {
  const std::uint64_t leaves = processor_count();
  first_.push_back(leaves);
  for (std::size_t i = 1; i <= height(); ++i) {
    const std::uint64_t subtrees = leaves / leaves_below(i - 1);
    const std::uint64_t below = columns_.back();
    if (this->parents(i) > (most_nodes_or_links - links_) / subtrees / below)
      throw InvalidParameter(fmt::format("{}: more than 2^62 links, allowed 2^62", name_));
    columns_.push_back(below * this->parents(i));
    links_ += subtrees * columns_[i];
    const std::uint64_t filled = i == 1 ? columns_[1] : arity(i - 1) * effective_.back();
    effective_.push_back(std::min(columns_[i], filled));
    // Not more than links below them, of which a node has two at least.
    first_.push_back(first_.back() + leaves / leaves_below(i) * columns_[i]);
    max_degree_ = std::max({max_degree_, degree_of_level(i - 1), degree_of_level(i)});
  }
}

std::size_t Xgft::degree_of_level(std::size_t level) const noexcept {
  return (level == 0 ? 0 : arity(level)) + (level == height() ? 0 : parents(level + 1));
}

NodeId Xgft::neighbor(NodeId u, Port p) const {
  const auto [level, subtree, column] = place(u);
  const std::uint64_t children = level == 0 ? 0 : arity(level);
  if (index(p) >= children)
    return node(
        {level + 1, subtree / arity(level + 1), column + (index(p) - children) * columns_[level]});
  return node({level - 1, subtree * children + index(p), column % columns_[level - 1]});
}

Port Xgft::reverse_port(NodeId u, Port p) const {
  const auto [level, subtree, column] = place(u);
  const std::uint64_t children = level == 0 ? 0 : arity(level);
  if (index(p) >= children) return port(subtree % arity(level + 1));
  return port_up(column, level - 1);
}

std::string Xgft::label(NodeId u) const {
  const auto [level, subtree, column] = place(u);
  return fmt::format("({},{},{})", level, subtree, column);
}

std::optional<NodeId> Xgft::find(const std::string& label) const {
  const std::size_t comma = label.find(',');
  const std::size_t second = label.find(',', comma + 1);
  if (comma == std::string::npos || second == std::string::npos || label.front() != '(' ||
      label.back() != ')')
    return {};
  const std::string_view text(label);
  const auto level = whole_number(text.substr(1, comma - 1));
  const auto subtree = whole_number(text.substr(comma + 1, second - comma - 1));
  const auto column = whole_number(text.substr(second + 1, text.size() - second - 2));
  if (!level || !subtree || !column || *level > height()) return {};
  const auto i = static_cast<std::size_t>(*level);
  if (*subtree >= processor_count() / leaves_below(i) || *column >= columns(i)) return {};
  return node({i, *subtree, *column});
}

std::string Xgft::port_label(NodeId u, Port p) const {
  const std::size_t level = place(u).level;
  const std::uint64_t children = level == 0 ? 0 : arity(level);
  return index(p) < children ? fmt::format("child {}", index(p))
                             : fmt::format("parent {}", index(p) - children);
}

std::vector<Level> Xgft::levels() const {
  std::vector<Level> all;
  for (std::size_t i = 0; i <= height(); ++i)
    all.push_back({.nodes = processor_count() / leaves_below(i) * columns(i),
                   .children = i == 0 ? 0 : arity(i),
                   .parents = i == height() ? 0 : parents(i + 1),
                   .lanes = i == 0 ? 0U : 1U});
  return all;
}

}  // namespace lockstep
