// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/fat_tree/furthest.hpp"

#include <fmt/format.h>

#include "lockstep/core/errors.hpp"

namespace lockstep {

namespace {

void check_count(const std::string& name, std::uint64_t processors) {
  constexpr std::uint64_t most = std::uint64_t{1} << 28U;  // 8 h n^2 fit 64 bits
  if (processors > most)
    throw ResourceExhausted(fmt::format("{}: {} processors, allowed {}", name, processors, most));
}

}  // namespace

void check_countable(const FatTree& tree) { check_count(tree.name(), tree.processor_count()); }

const FatTree& countable_tree(const Xgft& tree) {
  check_count(tree.name(), tree.processor_count());
  return tree.spanning_tree();
}

}  // namespace lockstep
