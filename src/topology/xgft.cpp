// SPDX-License-Identifier: Apache-2.0

/// Extended generalized fat trees: every switch is a node of its own.

#include <fmt/format.h>

#include <algorithm>
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

[[nodiscard]] SwitchTree::Shape xgft_shape(const Numbers& children, const Numbers& parents) {
  const std::string name = name_of(children, parents);
  if (children.empty()) throw InvalidParameter(name + ": height 0; allowed: 1 or more");
  if (children.size() != parents.size())
    throw invalid("{}: numbers of parents: {} given; expected {}, one per level", name,
                  parents.size(), children.size());
  const auto check_each = [&](const Numbers& numbers, std::string_view noun, std::uint64_t least) {
    for (const std::uint64_t number : numbers)
      if (number < least || number > max_ports_of_a_node)
        throw invalid("{}: {} {}; allowed: {}..{}", name, grouped(number), noun, least,
                      grouped(max_ports_of_a_node));
  };
  check_each(children, "children", 2);
  check_each(parents, "parents", 1);
  for (std::size_t i = 1; i < children.size(); ++i)
    if (children[i - 1] + parents[i] > max_ports_of_a_node)
      throw invalid("{}: a switch of level {} has {} ports; allowed: up to {}", name, i,
                    children[i - 1] + parents[i], max_ports_of_a_node);
  if (!product_at_most(children, std::uint64_t{1} << xgft_link_bits))
    throw invalid("{}: more than 2^62 processors, the allowed maximum", name);
  return {children, parents, Numbers(children.size(), 1)};
}

}  // namespace

Xgft::Xgft(const Numbers& children, const Numbers& parents)
    : SwitchTree(name_of(children, parents), xgft_shape(children, parents), xgft_link_bits) {}

std::string Xgft::port_label(NodeId u, Port p) const {
  const std::uint64_t down = index(parent_port(place(u).level));
  return index(p) < down ? fmt::format("child {}", index(p))
                         : fmt::format("parent {}", index(p) - down);
}

}  // namespace lockstep
