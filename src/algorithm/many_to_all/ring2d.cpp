// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/ring2d.hpp"

namespace lockstep {

Ring2dPlan::Ring2dPlan(const PlacementGrid& sides, Pattern homes)
    : grid(sides),
      makers(std::move(homes), sides.rows * sides.columns, sides.rows * sides.columns),
      lines{std::vector<std::uint32_t>(sides.rows), std::vector<std::uint32_t>(sides.columns)} {
  for (std::uint64_t u = 0; u < grid.rows * grid.columns; ++u)
    for (const std::size_t half : {0U, 1U}) {
      const std::uint32_t own = share(NodeId{u}, half);
      std::uint32_t& line = lines[half][half == 0 ? u / grid.columns : u % grid.columns];
      line += own;
      largest_own[half] = std::max(largest_own[half], own);
      largest_line[half] = std::max(largest_line[half], line);
    }
}

std::uint32_t Ring2dPlan::share(NodeId node, std::size_t half) const noexcept {
  const std::uint64_t place = index(node) / grid.columns + index(node) % grid.columns;
  const std::uint64_t more = (place + half) % 2 == 0 ? 1 : 0;
  return static_cast<std::uint32_t>((makers.made_by(node).size() + more) / 2);
}

std::vector<std::uint32_t> Ring2d::Program::regions() const {
  const auto& [rows, columns] = plan_->largest_line;
  return {rows, columns, 2 * rows, 2 * rows, 2 * columns, 2 * columns};
}

std::uint32_t Ring2d::Program::blocks_of(NodeId node, Region region) const {
  if (region == held_in(0)) return plan_->lines[0][index(node) / plan_->grid.columns];
  if (region == held_in(1)) return plan_->lines[1][index(node) % plan_->grid.columns];
  return 2 * plan_->largest_line[index(region) < 4 ? 0 : 1];
}

Ring2d::Ring2d(const Torus& torus, const Settings& settings, const Pattern& fixed) {
  const PlacementGrid grid = grid_of(torus, info.name);
  plan_ = std::make_shared<const Ring2dPlan>(grid, homes_of(settings, grid, fixed));
  plan_->makers.check_room(info.name, 2 * std::ranges::max(plan_->largest_line));
}

/// In every step of a ring somebody passes on what the busiest maker of it made.
std::optional<Cost> Ring2d::promise() const {
  Cost cost;
  for (const std::uint64_t stage : {0U, 1U})
    for (std::uint64_t step = 0; step < plan_->steps_of_a_stage(); ++step) {
      std::uint64_t largest = 0;
      for (const std::size_t half : {0U, 1U})
        if (step < plan_->ring(half, stage) / 2)
          largest = std::max<std::uint64_t>(
              largest, stage == 0 ? plan_->largest_own[half] : plan_->largest_line[half]);
      cost = cost + Cost{largest == 0 ? 0U : 1U, largest};
    }
  return cost;
}

Footprint Ring2d::footprint() const {
  const std::uint64_t lines = std::uint64_t{plan_->largest_line[0]} + plan_->largest_line[1];
  return {.steps = 2 * plan_->steps_of_a_stage(),
          .blocks_per_processor = 5 * lines,
          .plan_bytes = plan_->makers.bytes()};
}

}  // namespace lockstep
