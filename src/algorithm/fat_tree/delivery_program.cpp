// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/delivery_program.hpp"

#include <fmt/format.h>

#include "core/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {

FatTreeWays::FatTreeWays(const SwitchTree& tree, FatTreeColumns columns)
    : leaves_(tree.processor_count()) {
  constexpr WideCount most = WideCount{1} << 32U;
  const std::uint64_t used = columns == FatTreeColumns::first ? 1 : tree.columns(tree.height());
  if (WideCount{leaves_.value()} * used > most)
    throw ResourceExhausted(fmt::format(
        "{}: {} processors times {} columns; allowed: up to 2^32 if each message has its own route",
        tree.name(), grouped(leaves_.value()), grouped(used)));
}

std::uint64_t column_of_digits(const SwitchTree& tree, std::uint64_t destination) {
  if (tree.has_one_column()) return 0;
  std::uint64_t column = 0;
  for (std::size_t level = 1; level < tree.height(); ++level) {
    const std::uint64_t digit = destination / tree.leaves_below(level - 1) % tree.arity(level);
    column += digit % tree.parents(level + 1) * tree.columns(level);
  }
  return column;
}

FatTreeDelivery::FatTreeDelivery(const SwitchTree& tree, FatTreeColumns columns,
                                 std::shared_ptr<const InjectionTimes> injections)
    : InjectsByTimetable(std::move(injections)),
      tree_(tree),
      columns_(columns),
      ways_(tree, columns) {
  const SwitchTree used = used_tree(tree, columns);
  for (std::size_t level = 0; level <= tree.height(); ++level) {
    slots_.push_back(static_cast<std::uint32_t>(2 * used.degree_of_level(level)));
    has_lanes_.push_back((level != 0 && tree.lanes(level) != 1) ||
                         (level != tree.height() && tree.lanes(level + 1) != 1));
  }
}

Footprint FatTreeDelivery::footprint(const SwitchTree& tree, FatTreeColumns columns,
                                     std::uint64_t steps, std::uint64_t messages,
                                     std::uint64_t hops, std::uint64_t planning) {
  const SwitchTree used = used_tree(tree, columns);
  bool has_lanes = false;
  for (std::size_t i = 1; i <= tree.height(); ++i) has_lanes = has_lanes || tree.lanes(i) != 1;
  return {.steps = steps,
          .hops = hops,
          .blocks_per_processor = 2 * used.max_degree(),
          .blocks_of_all = 4 * *used.link_count(),
          .plan_bytes = InjectionTimes::bytes(messages, steps) + planning +
                        (has_lanes ? branch_variables(used) : 0)};
}

}  // namespace lockstep
