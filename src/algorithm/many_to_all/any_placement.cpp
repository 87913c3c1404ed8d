// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/any_placement.hpp"

#include "algorithm/torus_rings.hpp"

namespace lockstep {
namespace {

/// The torus of the papers' algorithms, on which the same words mean the same nodes.
[[nodiscard]] const Torus* grid_torus(const ErasedTopology& network) {
  constexpr std::uint64_t least_side = 3;
  const Torus* const torus = network.as<Torus>();
  if (torus == nullptr) return nullptr;
  const std::vector<TorusRing> rings = rings_of(*torus);
  const bool is_grid =
      rings.size() == 2 && rings[0].side >= least_side && rings[1].side >= least_side;
  return is_grid ? torus : nullptr;
}

}  // namespace

Pattern homes_on(const ErasedTopology& network, const Settings& settings, const Pattern& fixed) {
  if (const Torus* const torus = grid_torus(network))
    return homes_of(settings, grid_of(*torus, "many-to-all"), fixed);
  return homes_of(settings, {.rows = 1, .columns = network.processor_count(), .block = 1}, fixed);
}

Pattern fixed_homes_on(const ErasedTopology& network, const Settings& settings) {
  if (const Torus* const torus = grid_torus(network)) return fixed_homes(*torus, settings);
  return is_placement_file(settings) ? homes_on(network, settings, {}) : Pattern();
}

Settings messages_of(const Pattern& pattern) {
  if (pattern.homes() == nullptr) return {};
  return {{"messages", pattern.homes()->size() / pattern.parts_per_block()}};
}

}  // namespace lockstep
