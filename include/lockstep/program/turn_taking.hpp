// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A node-invariant schedule on half-duplex links of a bipartite network: every step becomes two,
/// in the first of which the processors of the even class send, in the second those of the odd one.
/// A link joins the two classes, so that it carries one direction at a time.
///
///     const ClassScheduleProgram program = in_turns(star, table_schedule(star, table));
///     program.step_count() == 2 * table.columns
///
/// What the odd class receives waits until its next turn but one, two steps; what the even class
/// receives goes on at once.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/program/class_schedule.hpp"
#include "lockstep/topology/bipartition.hpp"

namespace lockstep {

/// The schedule's receptions must come first in each of its steps. Throws InvalidParameter if the
/// network is not bipartite.
template <CayleyTopology Group>
[[nodiscard]] ClassScheduleProgram in_turns(const Group& group, NodeInvariantSchedule book) {
  constexpr std::uint32_t even = 0;
  constexpr std::uint32_t odd = 1;
  const Bipartition classes(group);
  std::vector<std::uint32_t> class_of;
  for (std::uint64_t u = 0; u < group.node_count(); ++u)
    class_of.push_back(classes.is_odd(NodeId{u}) ? odd : even);

  const std::uint64_t moves = book.step_count();
  ClassParts parts(2, 2 * moves);
  std::uint64_t begin = 0;  // of a move
  std::uint64_t acts = 0;   // of the odd class, from its first action that is no reception
  for (std::uint64_t move = 0; move <= moves; ++move) {
    const std::span<const Action> actions = book.actions(move);
    const auto sends = std::find_if(actions.begin(), actions.end(), [](const Action& action) {
      return !is_reception(action.kind);
    });
    const std::uint64_t received = begin + static_cast<std::uint64_t>(sends - actions.begin());
    parts(even, 2 * move) = {begin, begin + actions.size()};
    // What the even class sent in its turn is there already when that of the odd class begins.
    if (move != 0) parts(odd, 2 * move - 1) = {acts, received};
    begin += actions.size();
    acts = received;
  }
  book.scale_phases(2);
  return {group, ClassSchedule{std::move(book), std::move(parts)}, std::move(class_of)};
}

}  // namespace lockstep
