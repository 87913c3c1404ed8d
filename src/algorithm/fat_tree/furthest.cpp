// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/fat_tree/furthest.hpp"

#include <fmt/format.h>

#include "lockstep/core/errors.hpp"

namespace lockstep {

void check_countable(const FatTree& tree) {
  constexpr std::uint64_t most = std::uint64_t{1} << 28U;  // 8 h n^2 fit 64 bits
  if (tree.processor_count() > most)
    throw ResourceExhausted(
        fmt::format("{}: {} processors, allowed {}", tree.name(), tree.processor_count(), most));
}

}  // namespace lockstep
