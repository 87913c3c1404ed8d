// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A schedule of one class of nodes on half-duplex links of a bipartite network: every step becomes
/// two, in the first of which the processors of the even class send, in the second those of the odd
/// one. A link joins the two classes, so that it carries one direction at a time.
///
///     const ScheduleProgram program = in_turns(star, table_schedule(star, table));
///     program.step_count() == 2 * table.columns
///
/// A block that the odd class receives waits two steps, until its next turn but one; a block that
/// the even class receives goes on at once.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/program/schedule.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/bipartition.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// Receptions come first in each step. Throws InvalidParameter if the network is not bipartite.
template <CayleyTopology Group>
[[nodiscard]] ScheduleProgram in_turns(const Group& group, Schedule at_once) {
  constexpr std::uint32_t even = 0;
  constexpr std::uint32_t odd = 1;
  const Bipartition sides(group);
  std::vector<std::uint32_t> class_of;
  for (std::uint64_t u = 0; u < group.node_count(); ++u)
    class_of.push_back(sides.is_odd(NodeId{u}) ? odd : even);
  at_once.close();
  Schedule schedule = at_once.without_turns(std::move(class_of));
  const std::uint64_t moves = at_once.step_count();
  const auto sends = [&](std::uint64_t move) {
    const std::span<const Action> actions = at_once.actions(move);
    const auto first = std::ranges::find_if_not(
        actions, [](const Action& action) { return is_reception(action.kind); });
    return static_cast<std::size_t>(first - actions.begin());
  };
  for (std::uint64_t move = 0; move <= moves; ++move) {
    schedule.begin_turn_of_class(2 * move, even);
    schedule.repeat(at_once.actions(move));
    if (move == moves) break;
    // Messages that the even class sent in its turn have arrived when that of the odd class begins.
    schedule.begin_turn_of_class(2 * move + 1, odd);
    schedule.repeat(at_once.actions(move).subspan(sends(move)));
    schedule.repeat(at_once.actions(move + 1).first(sends(move + 1)));
  }
  std::vector<Phase> phases = at_once.phases();
  for (Phase& phase : phases) phase.first_step *= 2;
  schedule.close(2 * moves, std::move(phases));
  return {group, std::make_shared<const Schedule>(std::move(schedule))};
}

}  // namespace lockstep
