// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/torus.hpp"

#include <utility>

#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

[[nodiscard]] CyclicProduct::Definition definition(const std::vector<std::uint64_t>& sizes) {
  MixedRadix coordinates = product_sizes("torus", sizes);
  const std::vector<std::vector<std::uint64_t>> steps(sizes.size(), std::vector<std::uint64_t>{1});
  return {"torus:" + coordinates.sizes_text(), std::move(coordinates),
          CyclicProduct::both_ways(sizes, steps)};
}

}  // namespace

Torus::Torus(const std::vector<std::uint64_t>& sizes) : CyclicProduct(definition(sizes)) {}

std::uint64_t Torus::diameter() const noexcept {
  std::uint64_t sum = 0;
  for (const std::uint64_t size : coordinates().sizes()) sum += size / 2;
  return sum;
}

std::vector<std::uint64_t> Torus::level_sizes() const {
  if (diameter() > max_levels) return {};
  std::vector<std::uint64_t> levels{1};
  for (const std::uint64_t size : coordinates().sizes()) {
    std::vector<std::uint64_t> ring(size / 2 + 1, 2);
    ring.front() = 1;
    if (size % 2 == 0) ring.back() = 1;
    levels = product_level_sizes(levels, ring);
  }
  return levels;
}

}  // namespace lockstep
