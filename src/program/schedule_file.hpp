// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Schedules in files: version 1 states what the identity of a Cayley graph sends, version 2 the
/// actions of every node. tools/docs/schedule-format.md describes both.
///
///     const ScheduleFile file = parse_schedule("mine.txt", text, network);
///
/// Readers throw InvalidParameter "FILE:LINE: step N: what is wrong" (steps are counted from 0).
/// The machine, not the reader, checks the port model; the report of a violation names the line.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/plan/transfers.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// Steps of a schedule in a file: some hundred megabytes of memory for idle steps alone.
inline constexpr std::uint64_t max_schedule_steps = std::uint64_t{1} << 24U;

/// A schedule, or the plan of one, and what it is for.
struct ScheduleFile {
  std::string topology{};
  Operation operation{};
  PortModel model = port_models::single_port;
  bool states_model = false;  ///< the file has the line 'port-model'
  NodeId root{};
  std::vector<NodeId> homes{};  ///< sources of the blocks of a many-to-all
  std::uint64_t parts_per_block = 1;
  std::shared_ptr<const Schedule> schedule{};
  std::optional<Transfers> plan{};  ///< version 1: of one class of nodes, instead of the schedule
  std::string file{};               ///< where it was read
  ErasedTopology network{};         ///< for names of nodes; none: their numbers
  /// A line of the file: a node's actions, or the heading "step N", which has no node.
  struct Line {
    static constexpr std::uint32_t heading = ~std::uint32_t{0};
    std::uint64_t step = 0;
    std::uint32_t node = heading;
    std::uint32_t line = 0;
  };
  std::vector<Line> lines{};  ///< by step, the heading first

  /// "FILE:14": the actions of the node, or else the heading of the step.
  [[nodiscard]] std::string place_of(std::uint64_t step, NodeId node) const;
};

/// The first line of the text that is neither blank nor a comment: "lockstep-schedule 1".
[[nodiscard]] std::string_view schedule_version(std::string_view text) noexcept;

/// `file` is used in messages only. Throws InvalidParameter, "FILE:LINE: what is wrong", if the
/// text does not fit the network or is for another operation than the run's. The machine, not the
/// reader, checks port model, memory and delivery.
[[nodiscard]] ScheduleFile parse_schedule(const std::string& file, std::string_view text,
                                          const ErasedTopology& network,
                                          std::optional<Operation> of_run = {});
/// The same of a text of version 1, with a plan. Blocks that are not delivered are an error, too.
[[nodiscard]] ScheduleFile parse_plan(const std::string& file, std::string_view text,
                                      const AnyCayley& group, std::optional<Operation> of_run);

/// Precondition: there is a schedule.
[[nodiscard]] std::string text_of(const ScheduleFile& schedule);

}  // namespace lockstep
