// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/generalized_hypercube.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

[[nodiscard]] CyclicProduct::Definition definition(const std::vector<std::uint64_t>& sizes) {
  MixedRadix coordinates = product_sizes("generalized-hypercube", sizes);
  std::string name = "generalized-hypercube:" + coordinates.sizes_text();
  std::uint64_t ports = 0;
  for (const std::uint64_t size : sizes) ports += size - 1;
  if (ports > CyclicProduct::max_ports)
    throw InvalidParameter(fmt::format("{}: {} ports at a node, allowed 1..{}", name, ports,
                                       CyclicProduct::max_ports));
  std::vector<CyclicProduct::Jump> jumps;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (std::uint64_t length = 1; length < sizes[i]; ++length) jumps.push_back({i, length});
  return {std::move(name), std::move(coordinates), std::move(jumps)};
}

}  // namespace

GeneralizedHypercube::GeneralizedHypercube(const std::vector<std::uint64_t>& sizes)
    : CyclicProduct(definition(sizes)) {}

std::vector<std::uint64_t> GeneralizedHypercube::level_sizes() const {
  std::vector<std::uint64_t> levels{1};
  for (const std::uint64_t size : coordinates().sizes())
    levels = product_level_sizes(levels, std::array<std::uint64_t, 2>{1, size - 1});
  return levels;
}

}  // namespace lockstep
