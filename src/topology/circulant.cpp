// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/circulant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

[[nodiscard]] std::string circulant_name(std::uint64_t node_count,
                                         const std::vector<std::uint64_t>& jumps) {
  std::string name = fmt::format("circulant:{}", node_count);
  for (const std::uint64_t jump : jumps) name += fmt::format(",{}", jump);
  return name;
}

void check_jumps(const std::string& name, std::uint64_t node_count,
                 const std::vector<std::uint64_t>& jumps) {
  std::map<std::uint64_t, std::uint64_t> shortest;  // a jump the shorter way round -> as given
  for (const std::uint64_t jump : jumps) {
    if (jump < 1 || jump >= node_count)
      throw InvalidParameter(fmt::format("{}: jump {}, allowed 1..{}", name, jump, node_count - 1));
    const auto [other, added] = shortest.emplace(std::min(jump, node_count - jump), jump);
    if (!added)
      throw InvalidParameter(
          fmt::format("{}: jumps {} and {} lead to the same nodes modulo {}, allowed one of them",
                      name, other->second, jump, node_count));
  }
}

[[nodiscard]] CyclicProduct::Definition definition(std::uint64_t node_count,
                                                   const std::vector<std::uint64_t>& jumps) {
  std::string name = circulant_name(node_count, jumps);
  if (node_count < Circulant::min_nodes || node_count > Circulant::max_nodes)
    throw InvalidParameter(fmt::format("{}: {} nodes, allowed {}..{}", name, node_count,
                                       Circulant::min_nodes, Circulant::max_nodes));
  if (jumps.empty() || jumps.size() > Circulant::max_jumps)
    throw InvalidParameter(
        fmt::format("circulant:{}: {} jumps, allowed 1..{}: circulant:N,s1,s2,..", node_count,
                    jumps.size(), Circulant::max_jumps));
  check_jumps(name, node_count, jumps);
  std::uint64_t divisor = node_count;
  for (const std::uint64_t jump : jumps) divisor = std::gcd(divisor, jump);
  if (divisor != 1)
    throw InvalidParameter(fmt::format(
        "{}: not connected: {} divides the nodes and every jump, allowed jumps that share no "
        "divisor with {}",
        name, divisor, node_count));
  return {std::move(name), MixedRadix({node_count}),
          CyclicProduct::both_ways(std::array{node_count}, std::array{jumps})};
}

}  // namespace

Circulant::Circulant(std::uint64_t node_count, std::vector<std::uint64_t> jumps)
    : CyclicProduct(definition(node_count, jumps)), jumps_(std::move(jumps)) {}

}  // namespace lockstep
