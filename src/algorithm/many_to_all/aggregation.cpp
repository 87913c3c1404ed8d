// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/many_to_all/aggregation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "lockstep/algorithm/torus_rings.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

constexpr std::uint32_t words_of_a_node = 8;
constexpr std::uint64_t blocks_of_a_startup = 100;

/// Throws InvalidParameter where there are no two sides, of 3 nodes or more.
[[nodiscard]] AggregationShape shape_of(const Torus& torus) {
  constexpr std::uint64_t least_side = 3;
  constexpr std::uint64_t most_nodes = std::uint64_t{1} << 28U;
  const std::vector<TorusRing> rings = rings_of(torus);
  const bool sides =
      rings.size() == 2 && rings[0].side >= least_side && rings[1].side >= least_side;
  if (!sides || torus.node_count() > most_nodes)
    throw InvalidParameter(fmt::format(
        "aggregation on {}: allowed a torus of two sides, both 3 or more, of up to 2^28 nodes",
        torus.name()));
  return {.rows = static_cast<std::uint32_t>(rings[0].side),
          .columns = static_cast<std::uint32_t>(rings[1].side)};
}

[[nodiscard]] std::shared_ptr<const AggregationPlan> plan_for(AggregationShape shape,
                                                              const Settings& settings,
                                                              std::uint64_t h) {
  if (h == 0 || shape.common() % h != 0)
    throw InvalidParameter(fmt::format("h: {} given, allowed a divisor of both sides, {} and {}", h,
                                       shape.rows, shape.columns));
  shape.h = static_cast<std::uint32_t>(h);
  return std::make_shared<const AggregationPlan>(
      AggregationSchedule(shape),
      homes_of(settings, {.rows = shape.rows, .columns = shape.columns, .block = h}));
}

[[nodiscard]] std::uint64_t time_of(const AggregationPlan& plan) {
  return plan.schedule.steps().size() * blocks_of_a_startup +
         plan.load.cost.message_times.rounded_up() + plan.load.cost.control_words;
}

/// Half the way round, but inside a block, and two down a column of three.
[[nodiscard]] std::uint64_t links_at_most(const AggregationShape& shape) {
  const std::uint64_t in_a_block = shape.confined ? shape.h : 2;
  return std::max<std::uint64_t>({2, shape.rows / 2, shape.columns / 2, in_a_block});
}

}  // namespace

AggregationPlan::AggregationPlan(AggregationSchedule moves, std::vector<NodeId> makers)
    : schedule(std::move(moves)), load(load_of(schedule, makers)), homes(std::move(makers)) {
  const AggregationShape& shape = schedule.shape();
  made_begin.assign(std::size_t{shape.rows} * shape.columns + 1, 0);
  for (const NodeId home : homes) ++made_begin[index(home) + 1];
  std::partial_sum(made_begin.begin(), made_begin.end(), made_begin.begin());
  std::vector<std::uint32_t> next(made_begin.begin(), made_begin.end() - 1);
  made.resize(homes.size());
  for (std::uint32_t block = 0; block < homes.size(); ++block)
    made[next[index(homes[block])]++] = block;
  for (std::uint64_t links = 1; links <= links_at_most(shape); ++links)
    for (std::size_t way = 0; way < 4; ++way) routes.add(std::vector<Port>(links, port(way)));
}

std::vector<std::uint32_t> AggregationProgram::regions() const {
  const AggregationLoad& load = plan_->load;
  return {*std::max_element(load.gathered.begin(), load.gathered.end()),
          *std::max_element(load.regrouped.begin(), load.regrouped.end()), 2 * load.pack, load.pack,
          words_of_a_node};
}

std::uint32_t AggregationProgram::blocks_of(NodeId node, Region region) const {
  const AggregationLoad& load = plan_->load;
  if (region == gathered) return load.gathered[index(node)];
  if (region == regrouped) return load.regrouped[index(node)];
  if (region == words) return words_of_a_node;
  return region == pack && class_of(node) == 0 ? 2 * load.pack : load.pack;
}

Aggregation::Aggregation(const Torus& torus, const Settings& settings) {
  AggregationShape shape = shape_of(torus);
  shape.confined = settings.text("confined") == "yes";
  const Setting* const asked = settings.find("h");
  if (asked != nullptr && std::holds_alternative<std::uint64_t>(*asked)) {
    plan_ = plan_for(shape, settings, settings.number("h"));
  } else {
    for (std::uint32_t h = 1; h <= shape.common(); ++h) {
      if (shape.common() % h != 0) continue;
      auto plan = plan_for(shape, settings, h);
      if (plan_ == nullptr || time_of(*plan) < time_of(*plan_)) plan_ = std::move(plan);
    }
  }
  const std::vector<std::uint32_t> blocks = Program(plan_).regions();
  const std::uint32_t most = *std::max_element(blocks.begin(), blocks.end());
  if (most > max_region_blocks)
    throw InvalidParameter(
        fmt::format("aggregation of {} messages: {} of them in one place of a "
                    "node's memory, allowed {}",
                    plan_->homes.size(), most, max_region_blocks));
}

Footprint Aggregation::footprint() const {
  const AggregationLoad& load = plan_->load;
  const std::uint64_t nodes = load.gathered.size();
  const std::uint64_t uneven =
      std::accumulate(load.gathered.begin(), load.gathered.end(), std::uint64_t{0}) +
      std::accumulate(load.regrouped.begin(), load.regrouped.end(), std::uint64_t{0});
  const std::uint64_t links = links_at_most(plan_->schedule.shape());
  return {.steps = plan_->schedule.steps().size(),
          .blocks_per_processor = 3 * std::uint64_t{load.pack} + uneven / nodes + 1,
          .plan_bytes = nodes * (words_of_a_node * word_bytes + 3 * sizeof(std::uint32_t)) +
                        plan_->homes.size() * (sizeof(NodeId) + sizeof(std::uint32_t)) +
                        2 * links * (links + 1) * sizeof(Port)};
}

Settings Aggregation::chosen() const {
  return {{"messages", std::uint64_t{plan_->homes.size()}},
          {"h", std::uint64_t{plan_->schedule.shape().h}}};
}

}  // namespace lockstep
