// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/edge_colouring_exchange.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "algorithm/grown_bytes.hpp"
#include "core/edge_colouring.hpp"
#include "lockstep/core/expects.hpp"
#include "program/schedule_file.hpp"

namespace lockstep {
namespace {

/// Blocks with a long way to go choose their steps first: those of one hop fill what is left.
[[nodiscard]] std::vector<std::uint32_t> longest_first(const BalancedRoutes& routes) {
  std::vector<std::uint32_t> lengths;
  for (std::uint64_t g = 0; g < routes.node_count(); ++g) {
    std::uint32_t length = 0;
    for (const Hops& hops : routes.route(NodeId{g})) length += hops.count;
    lengths.push_back(length);
  }
  std::vector<std::uint32_t> blocks(routes.node_count());
  std::iota(blocks.begin(), blocks.end(), 0U);
  std::ranges::stable_sort(blocks, std::ranges::greater(),
                           [&](std::uint32_t block) { return lengths[block]; });
  return blocks;
}

/// As if a user had written it: program/schedule_file.hpp knows what slots and receptions it takes.
[[nodiscard]] UserSchedule written(const std::vector<ColouredHop>& hops,
                                   const BalancedRoutes& routes) {
  std::vector<std::uint64_t> left(routes.node_count());
  for (const ColouredHop& hop : hops) ++left[hop.block];
  UserSchedule schedule;
  schedule.steps.resize(coloured_steps(routes));
  for (const ColouredHop& hop : hops) {
    UserSchedule::Step& step = schedule.steps[hop.step];
    const auto number = static_cast<std::uint32_t>(schedule.messages.size());
    if (step.count++ == 0) step.first = number;
    const bool arrives = --left[hop.block] == 0;
    schedule.messages.push_back({hop.through, number, 1});
    schedule.entries.push_back({.block = hop.block,
                                .at_receiver = hop.block,
                                .last_send = true,
                                .delivered = arrives,
                                .kept = !arrives});
  }
  return schedule;
}

}  // namespace

std::vector<ColouredHop> coloured_timetable(const BalancedRoutes& routes) {
  std::vector<ColouredHop> hops;
  std::vector<BipartiteEdge> edges;
  for (const std::uint32_t block : longest_first(routes)) {
    for (const auto& [through, count] : routes.route(NodeId{block})) {
      hops.insert(hops.end(), count, {block, through, 0});
      edges.insert(edges.end(), count, {block, routes.machine(through)});
    }
  }
  const std::vector<std::uint32_t> colours = edge_colouring(edges);
  for (std::size_t i = 0; i < hops.size(); ++i) hops[i].step = colours[i];
  std::ranges::stable_sort(hops, {}, &ColouredHop::step);
  return hops;
}

std::uint64_t coloured_steps(const BalancedRoutes& routes) {
  return std::max(routes.largest_load(), routes.longest());
}

std::uint64_t coloured_planning_bytes(const BalancedRoutes& routes) {
  const std::uint64_t hops = routes.hops();
  return hops * sizeof(ColouredHop) + grown_bytes<UserSchedule::Message>(hops) +
         grown_bytes<UserSchedule::Entry>(hops) +
         grown_bytes<Action>(2 * hops + routes.node_count() - 1) +
         grown_bytes<std::uint64_t>(coloured_steps(routes) + 1);
}

NodeInvariantSchedule coloured_schedule(const AnyCayley& group, const BalancedRoutes& routes) {
  NodeInvariantSchedule schedule = schedule_of(written(coloured_timetable(routes), routes), group);
  expects(schedule.step_count() == coloured_steps(routes), "a colouring takes its colours");
  return schedule;
}

}  // namespace lockstep
