// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Schedules in files: version 1 states what the identity of a Cayley graph sends, version 2 the
/// actions of every node. tools/docs/schedule-format.md describes both.
///
///     const ScheduleFile file = parse_schedule_by_node("mine.txt", text, network);
///
/// Readers throw InvalidParameter "FILE:LINE: step N: what is wrong" (steps are counted from 0).
/// The machine, not the reader, checks the port model; the report of a violation names the line.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// A schedule that was read. Numbers are short, because there may be millions of steps.
struct UserSchedule {
  struct Entry {
    std::uint32_t block = 0;        ///< node number of its name in the file
    std::uint32_t at_receiver = 0;  ///< the same there: other than `block` in an all-gather
    bool last_send = false;         ///< the sender does not need it any more
    bool delivered = false;         ///< by the receiver
    bool kept = false;              ///< by the receiver, which sends it on
  };
  struct Message {
    Port port{};
    std::uint32_t first = 0;  ///< of its entries
    std::uint32_t count = 0;
  };
  struct Step {
    std::uint32_t line = 0;
    std::uint32_t first = 0;  ///< of its messages
    std::uint32_t count = 0;
  };

  std::string file{};
  Operation operation = Operation::total_exchange;
  PortModel model = port_models::single_port;
  bool states_model = false;  ///< the file has the line 'port-model'
  std::vector<Step> steps{};
  std::vector<Message> messages{};
  std::vector<Entry> entries{};

  [[nodiscard]] std::span<const Message> messages_of(const Step& step) const {
    return {messages.data() + step.first, step.count};
  }
  [[nodiscard]] std::span<const Entry> entries_of(const Message& message) const {
    return {entries.data() + message.first, message.count};
  }
  /// "FILE:14", where that step is in the file.
  [[nodiscard]] std::string place_of(std::uint64_t step) const {
    return file + ":" + std::to_string(steps.at(std::min(step, steps.size() - 1)).line);
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return steps.size() * sizeof(Step) + messages.size() * sizeof(Message) +
           entries.size() * sizeof(Entry);
  }
};

/// `file` is used in messages only. Throws InvalidParameter, also for another operation than the
/// run's.
[[nodiscard]] UserSchedule parse_schedule(const std::string& file, std::string_view text,
                                          const AnyCayley& group,
                                          std::optional<Operation> of_run = {});
/// Throws InvalidParameter where the file cannot be read, too.
[[nodiscard]] UserSchedule read_schedule(const std::string& file, const AnyCayley& group);

/// For all processors of the network that it was read for.
[[nodiscard]] NodeInvariantSchedule schedule_of(const UserSchedule& user, const AnyCayley& group);

/// Steps of a schedule in a file: some hundred megabytes of memory for idle steps alone.
inline constexpr std::uint64_t max_schedule_steps = std::uint64_t{1} << 24U;

/// A schedule, and what it is for.
struct ScheduleFile {
  std::string topology{};
  Operation operation{};
  PortModel model = port_models::single_port;
  bool states_model = false;  ///< the file has the line 'port-model'
  NodeId root{};
  std::vector<NodeId> homes{};  ///< sources of the blocks of a many-to-all
  std::uint64_t parts_per_block = 1;
  std::shared_ptr<const Schedule> schedule{};
  std::string file{};        ///< where it was read
  ErasedTopology network{};  ///< for names of nodes; none: their numbers
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

/// Throws InvalidParameter, "FILE:LINE: what is wrong", if the text does not fit the network or is
/// for another operation than the run's. The
/// machine, not the reader, checks port model, memory and delivery.
[[nodiscard]] ScheduleFile parse_schedule_by_node(const std::string& file, std::string_view text,
                                                  const ErasedTopology& network,
                                                  std::optional<Operation> of_run = {});

[[nodiscard]] std::string text_of(const ScheduleFile& schedule);

}  // namespace lockstep
