// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/fat_tree/xgft_delivery.hpp"

#include <fmt/format.h>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {

XgftWays::XgftWays(const Xgft& tree) : leaves_(tree.processor_count()) {
  constexpr WideCount most = WideCount{1} << 32U;
  const std::uint64_t columns = tree.columns(tree.height());
  if (WideCount{leaves_} * columns > most)
    throw ResourceExhausted(
        fmt::format("{}: {} processors times {} columns, allowed 2^32 with a way for every message",
                    tree.name(), leaves_, columns));
}

std::uint64_t column_of_digits(const Xgft& tree, std::uint64_t destination) {
  std::uint64_t column = 0;
  for (std::size_t level = 1; level < tree.height(); ++level) {
    const std::uint64_t digit = index(tree.port_down(destination, level));
    column += digit % tree.parents(level + 1) * tree.columns(level);
  }
  return column;
}

}  // namespace lockstep
