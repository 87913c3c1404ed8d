// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/cyclic_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep {

CyclicProduct::CyclicProduct(Definition definition)
    : name_(std::move(definition.name)), coordinates_(std::move(definition.coordinates)) {
  const std::vector<Jump>& jumps = definition.jumps;
  std::map<std::pair<std::size_t, std::uint64_t>, Port> port_of;
  for (const auto& [dimension, length] : jumps)
    port_of.emplace(std::pair{dimension, length}, port(port_of.size()));
  expects(port_of.size() == jumps.size(), "the jumps of a cyclic product differ");
  moves_.reserve(jumps.size());
  for (const auto& [dimension, length] : jumps) {
    const std::uint64_t size = coordinates_.size(dimension);
    const auto back = port_of.find({dimension, size - length});
    expects(back != port_of.end(), "every jump of a cyclic product has its inverse");
    moves_.push_back({coordinates_.stride(dimension), size, length, dimension, back->second});
  }
}

std::vector<CyclicProduct::Jump> CyclicProduct::both_ways(
    std::span<const std::uint64_t> sizes, std::span<const std::vector<std::uint64_t>> lengths) {
  std::vector<Jump> jumps;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (const std::uint64_t length : lengths[i]) jumps.push_back({i, length});
    for (const std::uint64_t length : lengths[i])
      if (sizes[i] - length != length) jumps.push_back({i, sizes[i] - length});
  }
  return jumps;
}

std::optional<NodeId> CyclicProduct::find(const std::string& label) const {
  const std::optional<std::uint64_t> number = coordinates_.number(label);
  if (!number) return std::nullopt;
  return NodeId{*number};
}

std::string CyclicProduct::port_label(Port p) const {
  const Move& move = moves_[index(p)];
  const std::string jump = move.length * 2 <= move.size
                               ? fmt::format("+{}", move.length)
                               : fmt::format("-{}", move.size - move.length);
  if (coordinates_.digits() == 1) return "jump " + jump;
  return fmt::format("dimension {}, {}", move.dimension + 1, jump);
}

NodeId CyclicProduct::product(NodeId u, NodeId v) const noexcept {
  std::uint64_t one = index(u);
  std::uint64_t other = index(v);
  std::uint64_t result = 0;
  for (std::size_t i = coordinates_.digits(); i-- > 0;) {
    const std::uint64_t size = coordinates_.size(i);
    const std::uint64_t sum = one % size + other % size;
    result += (sum >= size ? sum - size : sum) * coordinates_.stride(i);
    one /= size;
    other /= size;
  }
  return NodeId{result};
}

NodeId CyclicProduct::inverse(NodeId u) const noexcept {
  std::uint64_t rest = index(u);
  std::uint64_t result = 0;
  for (std::size_t i = coordinates_.digits(); i-- > 0;) {
    const std::uint64_t size = coordinates_.size(i);
    const std::uint64_t digit = rest % size;
    result += (digit == 0 ? 0 : size - digit) * coordinates_.stride(i);
    rest /= size;
  }
  return NodeId{result};
}

MixedRadix product_sizes(std::string_view family, std::vector<std::uint64_t> sizes) {
  const std::string name = fmt::format("{}:{}", family, sizes_text(sizes));
  if (sizes.empty()) throw InvalidParameter(name + ": no size, allowed one or more");
  const std::uint64_t least = *std::min_element(sizes.begin(), sizes.end());
  if (least < 2) throw InvalidParameter(fmt::format("{}: size {}, allowed 2 or more", name, least));
  if (!product_at_most(sizes, MixedRadix::max_count))
    throw InvalidParameter(
        fmt::format("{}: more than {} nodes, allowed up to that", name, MixedRadix::max_count));
  return MixedRadix(std::move(sizes));
}

}  // namespace lockstep
