// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/cyclic_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep {

void CyclicProduct::add_jumps(std::size_t dimension, std::span<const std::uint64_t> lengths) {
  const std::uint64_t size = coordinates_.size(dimension);
  std::map<std::uint64_t, Port> port_of;
  for (const std::uint64_t length : lengths)
    port_of.emplace(length, port(moves_.size() + port_of.size()));
  expects(port_of.size() == lengths.size(), "the jumps of a cyclic product differ");
  for (const std::uint64_t length : lengths) {
    const auto back = port_of.find(size - length);
    expects(back != port_of.end(), "every jump of a cyclic product has its inverse");
    moves_.push_back({dimension, length, back->second});
  }
}

void CyclicProduct::add_both_ways(std::size_t dimension, std::vector<std::uint64_t> lengths) {
  const std::uint64_t size = coordinates_.size(dimension);
  const std::size_t upwards = lengths.size();
  for (std::size_t i = 0; i < upwards; ++i)
    if (size - lengths[i] != lengths[i]) lengths.push_back(size - lengths[i]);
  add_jumps(dimension, lengths);
}

std::optional<NodeId> CyclicProduct::find(const std::string& label) const {
  const std::optional<std::uint64_t> number = coordinates_.number(label);
  return number ? std::optional(NodeId{*number}) : std::nullopt;
}

std::string CyclicProduct::port_label(NodeId, Port p) const {
  const Move& move = moves_[index(p)];
  const std::uint64_t size = coordinates_.size(move.dimension);
  const std::string jump = move.length * 2 <= size ? fmt::format("+{}", move.length)
                                                   : fmt::format("-{}", size - move.length);
  if (coordinates_.digits() == 1) return "jump " + jump;
  return fmt::format("dimension {}, {}", move.dimension + 1, jump);
}

NodeId CyclicProduct::product(NodeId u, NodeId v) const noexcept {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < coordinates_.digits(); ++i) {
    const std::uint64_t size = coordinates_.size(i);
    const std::uint64_t sum = coordinates_.digit(index(u), i) + coordinates_.digit(index(v), i);
    result += (sum >= size ? sum - size : sum) * coordinates_.stride(i);
  }
  return NodeId{result};
}

/// Every digit replaced by what is left of its size: 0 - u.
NodeId CyclicProduct::inverse(NodeId u) const noexcept {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < coordinates_.digits(); ++i) {
    const std::uint64_t digit = coordinates_.digit(index(u), i);
    result += (digit == 0 ? 0 : coordinates_.size(i) - digit) * coordinates_.stride(i);
  }
  return NodeId{result};
}

std::string product_name(std::string_view family, std::span<const std::uint64_t> sizes) {
  std::string name = fmt::format("{}:{}", family, sizes_text(sizes));
  if (sizes.empty()) throw InvalidParameter(name + ": no size given; expected one or more");
  const std::uint64_t least = *std::min_element(sizes.begin(), sizes.end());
  if (least < 2)
    throw InvalidParameter(fmt::format("{}: size {}; allowed: 2 or more", name, least));
  if (!product_at_most(sizes, CyclicProduct::max_nodes))
    throw InvalidParameter(fmt::format("{}: more than {} nodes, the allowed maximum", name,
                                       grouped(CyclicProduct::max_nodes)));
  return name;
}

}  // namespace lockstep
