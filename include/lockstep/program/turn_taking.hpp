// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A node-invariant schedule on half-duplex links of a bipartite network: every step becomes two,
/// in the first of which the processors of the even class send, in the second those of the odd one.
/// A link joins the two classes, so that it carries one direction at a time.
///
///     TurnTakingProgram program(star, table_schedule(star, table));     // 2 table.columns steps
///
/// What the odd class receives waits until its next turn but one, two steps; what the even class
/// receives goes on at once.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/program/group_of_one.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/bipartition.hpp"

namespace lockstep {

/// The schedule's receptions must come first in each of its steps.
class TurnTakingProgram {
 public:
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;

  /// Throws InvalidParameter if the network is not bipartite.
  template <CayleyTopology Group>
  TurnTakingProgram(const Group& group, NodeInvariantSchedule schedule)
      : moves_(group, std::move(schedule)), classes_(group) {}

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return moves_.regions(); }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return 2 * moves_.step_count(); }
  [[nodiscard]] std::vector<Phase> phases() const {
    std::vector<Phase> phases = moves_.phases();
    for (Phase& phase : phases) phase.first_step *= 2;
    return phases;
  }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList list) const noexcept {
    return moves_.gather_list(list);
  }

  template <class StepView>
  void operator()(StepView& here) const {
    const bool odd_turn = here.step() % 2 != 0;
    if (classes_.is_odd(here.node()) != odd_turn) return;
    const std::uint64_t move = here.step() / 2;
    // What the even class sent in its turn is there already when that of the odd class begins.
    if (odd_turn) {
      perform_some(move, here, [](Action::Kind kind) { return !is_reception(kind); });
      perform_some(move + 1, here, is_reception);
    } else {
      perform_some(move, here, [](Action::Kind) { return true; });
    }
  }

 private:
  template <class StepView, class Chosen>
  void perform_some(std::uint64_t move, StepView& here, Chosen chosen) const {
    GroupOfOne<StepView> alone(here);
    NodeInvariantProgram::Addresses<GroupOfOne<StepView>> addresses;
    for (const Action& action : moves_.schedule().actions(move))
      if (chosen(action.kind)) moves_.perform(action, alone, addresses);
  }

  NodeInvariantProgram moves_;
  Bipartition classes_;
};

}  // namespace lockstep
