// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Schedules by class of nodes: the nodes of one class make the same moves (design, section 3). A
/// node-invariant schedule has one class; the turns of a bipartite network two
/// (below); a linear array, a product or a tree one for every place that differs.
///
///     ClassSchedule schedule{NodeInvariantSchedule(ports), ClassParts(2, 1)};  // one step
///     schedule.add(0, 0, [&](auto& book) { book.send(right, block); });        // class 0 in it
///     schedule.add(1, 1, [&](auto& book) { book.take_deliver(left, sources); });  // class 1 after
///     const ClassScheduleProgram program(rule, std::move(schedule), class_of);
///
/// Unlike in a Schedule (program/schedule.hpp), actions use relative addresses. A class therefore
/// shares actions that a Schedule would repeat for each node. Its program is a separate
/// type, because nodes of different classes make different moves and cannot run in groups.
///
/// All actions are stored in one book, and a class executes one part of it per step. Parts may
/// overlap, so that common actions are written once.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/program/detail/group_of_one.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/bipartition.hpp"

namespace lockstep {

/// Which part of a book each class carries out in each step.
class ClassParts {
 public:
  struct Part {
    std::uint64_t first = 0;  ///< number of an action of the book
    std::uint64_t last = 0;   ///< one more than that of the last
  };

  ClassParts(std::uint64_t classes, std::uint64_t steps)
      : classes_(classes), steps_(steps), parts_(classes * (steps + 1)) {}

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t classes, std::uint64_t steps) noexcept {
    return classes * (steps + 1) * sizeof(Part);
  }
  [[nodiscard]] std::uint64_t classes() const noexcept { return classes_; }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return steps_; }

  /// step == step_count(): what is done with the messages of the last one. Precondition: there are
  /// such a class and step.
  [[nodiscard]] Part& operator()(std::uint64_t of_class, std::uint64_t step) {
    expects(of_class < classes_ && step <= steps_, "the schedule has such a class and step");
    return parts_[of_class * (steps_ + 1) + step];
  }
  [[nodiscard]] const Part& operator()(std::uint64_t of_class, std::uint64_t step) const noexcept {
    return parts_[of_class * (steps_ + 1) + step];
  }

 private:
  std::uint64_t classes_;
  std::uint64_t steps_;
  std::vector<Part> parts_;  // class by class
};

/// A book, and its parts.
struct ClassSchedule {
  NodeInvariantSchedule book;
  ClassParts parts;

  /// `write(book)` adds what `of_class` does in that step.
  template <class Write>
  void add(std::uint64_t of_class, std::uint64_t step, Write write) {
    const std::uint64_t first = book.action_count();
    write(book);
    parts(of_class, step) = {first, book.action_count()};
  }
};

/// Every node carries out what its class does.
class ClassScheduleProgram {
 public:
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count | Traits::gather_list | Traits::phases;

  /// `addresses`: a Cayley graph, or an AddressRule. Throws InvalidParameter where a node is of no
  /// class.
  template <class Addresses>
  ClassScheduleProgram(const Addresses& addresses, ClassSchedule schedule,
                       std::vector<std::uint32_t> class_of)
      : moves_(addresses, std::move(schedule.book)),
        parts_(std::move(schedule.parts)),
        class_of_(std::move(class_of)) {
    for (std::size_t u = 0; u < class_of_.size(); ++u)
      if (class_of_[u] >= parts_.classes())
        throw InvalidParameter("schedule: node " + std::to_string(u) + " is of class " +
                               std::to_string(class_of_[u]) + "; allowed: 0.." +
                               std::to_string(parts_.classes() - 1));
  }

  [[nodiscard]] const NodeInvariantSchedule& book() const noexcept { return moves_.schedule(); }
  [[nodiscard]] const ClassParts& parts() const noexcept { return parts_; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return moves_.regions(); }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return parts_.step_count(); }
  [[nodiscard]] const std::vector<Phase>& phases() const noexcept { return moves_.phases(); }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList list) const noexcept {
    return moves_.gather_list(list);
  }

  template <class StepView>
  void operator()(StepView& here) const {
    GroupOfOne<StepView> alone(here);
    NodeInvariantProgram::Addresses<GroupOfOne<StepView>> addresses;
    const ClassParts::Part& part = parts_(class_of_[index(here.node())], here.step());
    for (const Action& action : moves_.schedule().actions(part.first, part.last))
      moves_.perform(action, alone, addresses);
  }

 private:
  NodeInvariantProgram moves_;
  ClassParts parts_;
  std::vector<std::uint32_t> class_of_;
};

/// A node-invariant schedule on half-duplex links of a bipartite network: every step becomes two,
/// in the first of which the processors of the even class send, in the second those of the odd one.
/// A link joins the two classes, so that it carries one direction at a time.
///
///     const ClassScheduleProgram program = in_turns(star, table_schedule(star, table));
///     program.step_count() == 2 * table.columns
///
/// What the odd class receives waits until its next turn but one, two steps; what the even class
/// receives goes on at once.

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
