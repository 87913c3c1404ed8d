// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A program with its type forgotten: what the catalogue knows of one when it prepares and carries
/// out a run. program_of.hpp makes one of any program.

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "lockstep/catalog/detail/program_machines.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/program/detail/queue_figures.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {
class ErasedTopology;
class GroupedScheduleProgram;
class ReceiveOnceScheduleProgram;
class RoutedScheduleProgram;
template <bool over_routes>
class BasicScheduleProgram;
}  // namespace lockstep

namespace lockstep::catalog {

/// The cost of a step depends on the work of a processor in it.
struct StepClass {
  std::uint64_t sent_blocks = 0;
  std::uint64_t other_blocks = 0;  ///< fetched from, or handed to, the host
  std::uint64_t port = 0;

  friend auto operator<=>(const StepClass&, const StepClass&) = default;
};

/// The class of every step, in order.
template <class Prog>
[[nodiscard]] std::vector<StepClass> classes_of(const Prog&, std::uint64_t steps) {
  return std::vector<StepClass>(steps);
}

/// Receives the port and the number of blocks of a message.
using SendVisitor = std::function<void(Port port, std::uint64_t blocks)>;

/// Visits the messages that every node sends in the step. False if the program does not know them
/// to be equal.
template <class Prog>
[[nodiscard]] bool visit_equal_sends(const Prog&, std::uint64_t, const SendVisitor&) {
  return false;
}

/// The largest queue of a total exchange; empty if the program cannot compute it.
template <class Prog>
[[nodiscard]] std::optional<QueueFigures> queue_of(const Prog& program, std::uint64_t own_blocks) {
  if constexpr (requires { program.largest_queue(own_blocks); })
    return program.largest_queue(own_blocks);
  else
    return std::nullopt;
}

class AnyProgram {
 public:
  AnyProgram() = default;
  AnyProgram(const AnyProgram&) = delete;
  AnyProgram& operator=(const AnyProgram&) = delete;
  virtual ~AnyProgram() = default;

  [[nodiscard]] virtual const ProgramMachines& machines() const = 0;
  /// The classes of all steps, from which the time of a run is estimated.
  [[nodiscard]] virtual std::vector<StepClass> step_classes(std::uint64_t steps) const = 0;
  /// visit_equal_sends()
  [[nodiscard]] virtual bool visit_sends(std::uint64_t step, const SendVisitor& visit) const = 0;
  /// Empty where the program is no schedule.
  [[nodiscard]] virtual std::optional<QueueFigures> largest_queue(
      std::uint64_t own_blocks) const = 0;
  /// For machines that do without the type.
  [[nodiscard]] virtual const ErasedProgram& erased() const = 0;
};

/// Forgets the type. `network`: the formula that the algorithm goes by.
template <Topology Net, Program Prog>
[[nodiscard]] std::unique_ptr<AnyProgram> any_program(const Net& network, Prog program);

// For schedules. Defined in the library, so that users of this header do not include theirs.
[[nodiscard]] std::vector<StepClass> classes_of(const GroupedScheduleProgram& program,
                                                std::uint64_t steps);
[[nodiscard]] bool visit_equal_sends(const GroupedScheduleProgram& program, std::uint64_t step,
                                     const SendVisitor& visit);
[[nodiscard]] std::optional<QueueFigures> queue_of(const GroupedScheduleProgram& program,
                                                   std::uint64_t own_blocks);
[[nodiscard]] std::optional<QueueFigures> queue_of(const BasicScheduleProgram<false>& program,
                                                   std::uint64_t own_blocks);
[[nodiscard]] std::unique_ptr<ProgramMachines> machines_of(const GroupedScheduleProgram& program);
[[nodiscard]] std::unique_ptr<ProgramMachines> machines_of(
    const BasicScheduleProgram<false>& program);
[[nodiscard]] std::unique_ptr<AnyProgram> any_program(const ErasedTopology& network,
                                                      RoutedScheduleProgram program);
[[nodiscard]] std::unique_ptr<AnyProgram> any_program(const ErasedTopology& network,
                                                      ReceiveOnceScheduleProgram program);

}  // namespace lockstep::catalog
