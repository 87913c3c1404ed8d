// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Sends of the broadcasts in EJ_alpha^(n) that serve many ports in one step, and to whom.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/algorithm/broadcast/ej_places.hpp"
#include "lockstep/algorithm/broadcast/root_block.hpp"
#include "lockstep/core/eisenstein.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"

namespace lockstep {

inline constexpr std::size_t ports_per_ej_dimension = eisenstein_units.size();

/// By place, bit k: a child through port k of the place's dimension, in the tree of one dimension.
[[nodiscard]] inline std::vector<std::uint8_t> child_masks(const EjPlaces& places,
                                                           const EisensteinJacobi& alpha) {
  const EisensteinJacobiTree tree(alpha);
  return places.table([&](std::size_t d, NodeId displacement) -> std::uint8_t {
    return d == places.dimensions() ? 0 : tree.child_mask(displacement);
  });
}

/// Through the ports of the dimensions first, first + 1, ..., last - 1, counted from 0.
template <class StepView>
[[gnu::always_inline]] inline void send_in_dimensions(StepView& here, std::size_t first,
                                                      std::size_t last) {
  for (std::size_t p = first * ports_per_ej_dimension; p < last * ports_per_ej_dimension; ++p)
    here.send(port(p), root_block);
}

/// Bit k: through port k of that dimension.
template <class StepView>
[[gnu::always_inline]] inline void send_to_children(StepView& here, std::size_t dimension,
                                                    std::uint8_t child_mask) {
  for (std::uint32_t mask = child_mask; mask != 0; mask &= mask - 1)
    here.send(
        port(dimension * ports_per_ej_dimension + static_cast<std::size_t>(std::countr_zero(mask))),
        root_block);
}

}  // namespace lockstep
