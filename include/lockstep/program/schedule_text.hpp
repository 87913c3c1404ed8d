// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The file format of schedules by node, version 2 of `lockstep-schedule`: for any network and
/// operation. (Version 1, program/schedule_file.hpp, states what one node of a Cayley graph sends;
/// all others do the same.) `lockstep run .. --save-schedule FILE` writes it, `--schedule FILE`
/// reads it.
///
///     lockstep-schedule 2
///     topology ring:4
///     operation broadcast
///     port-model all-port
///     root 0
///     memory 1                # blocks in each region of a node
///     steps 2
///     step 0
///     0: load 0/0 of 0 for 0; send 0 0/0; send 1 0/0
///     step 1
///     1: take 0 store 0/0; take 0 deliver 0 of 0; send 1 0/0
///     3: take 1 store 0/0; take 1 deliver 0 of 0
///     step 2
///     2: take 0 deliver 0 of 0
///
/// Nodes, ports, regions, slots and origins are numbers, as in the program interface
/// (program/program.hpp). A line of a step is a node and its actions, in this order of execution;
/// nodes that do nothing have no line. Lists are numbers and ascending ranges: 3,0-2,7.
///
/// Header lines, before the first step:
///   topology NAME            as `lockstep show` names it
///   operation NAME           any operation
///   port-model NAME          optional; single-port where it is not given
///   root N                   of broadcast, scatter, gather, reduce; 0 where it is not given
///   origins N N ..           of many-to-all: which node makes each block
///   parts N                  optional: parts that a block of the user is divided into
///   memory N N ..            blocks in each region; the largest of all nodes
///   memory-of NODE N N ..    optional: of a node with less
///   control REGION ..        optional: regions of control words
///   steps N                  of the run
///   phase STEP NAME          optional: phases of the run, by their first steps
/// Actions:
///   take PORT                           the message that arrived is not used
///   take PORT store R/SLOTS             several of these in a row use one message
///   take PORT deliver BLOCKS of ORIGINS
///   take PORT combine R/SLOTS [into R/SLOTS] [arrived-first]
///   copy R/SLOTS into R/SLOTS
///   combine R/SLOTS with R/SLOTS into R/SLOTS
///   load R/SLOTS of ORIGINS for NODES   from the host
///   deliver R/SLOTS of ORIGINS          to the host
///   send PORT R/SLOTS
///   send PORT>PORT>.. R/SLOTS           over a route (wormhole switching)

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/erased_topology.hpp"

namespace lockstep {

/// Steps of a schedule in a file: some hundred megabytes of memory for idle steps alone.
inline constexpr std::uint64_t max_schedule_steps = std::uint64_t{1} << 24U;

/// A schedule, and what it is for.
struct ScheduleFile {
  std::string topology{};
  Operation operation{};
  PortModel model = port_models::single_port;
  NodeId root{};
  std::vector<NodeId> homes{};  ///< sources of the blocks of a many-to-all
  std::uint64_t parts_per_block = 1;
  std::shared_ptr<const Schedule> schedule{};
  std::string file{};                       ///< where it was read
  std::vector<std::uint32_t> step_lines{};  ///< of the lines "step N" there; 0: none

  /// "FILE:14", where that step is in the file.
  [[nodiscard]] std::string place_of(std::uint64_t step) const;
};

/// Whether the text begins as a schedule by node.
[[nodiscard]] bool is_schedule_by_node(std::string_view text) noexcept;

/// Throws InvalidParameter, "FILE:LINE: what is wrong", if the text does not fit the network. The
/// machine, not the reader, checks port model, memory and delivery.
[[nodiscard]] ScheduleFile parse_schedule_by_node(const std::string& file, std::string_view text,
                                                  const ErasedTopology& network);

[[nodiscard]] std::string text_of(const ScheduleFile& schedule);

}  // namespace lockstep
