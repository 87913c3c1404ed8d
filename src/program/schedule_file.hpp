// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A user's node-invariant schedule: a text file that states what the identity sends, step by step.
/// Every processor makes the same moves relative to its own address.
///
///     lockstep-schedule 1
///     topology ring:5
///     operation total-exchange
///     0: 1              # step 0: block 1 through port 0
///     0: 2
///     0: 2              # block 2 again: its second hop
///     1: 4
///     1: 3
///     1: /1/1           # the same block, named by a path
///
/// Header, before the first step, in this order or another but for the first line:
///   lockstep-schedule 1   the format and its version
///   topology NAME         the network, as `lockstep show` names it
///   operation NAME        total-exchange or all-gather
///   port-model NAME       optional: under which it is run; single-port where it is not given
///   steps N               optional: how many steps follow; checked
/// Then a line for every step:
///   PORT: BLOCK ...       one message through that port, of these blocks, in this order
///   PORT: BLOCK ...; PORT: BLOCK ...        several messages
///   -                     nothing is sent
/// BLOCK is a relative address: where u a is for processor u. It is written as the label of a, the
/// node as `lockstep show` prints it, if that has no blank, ';' or '#'; or, always, as a path of
/// ports from the identity: /0/1 is a hop through port 0, then one through port 1; / is the
/// processor itself. Empty lines, and what stands behind a '#', are remarks.
///
///     total-exchange  BLOCK is the destination as its source sees it, wherever the block is by
///                     now. A processor has one block of each name, at first its own; sent on, it
///                     has moved by the port. It is delivered where it meets its destination, and
///                     is not sent on from there.
///     all-gather      BLOCK is its source as the processor that sends it sees it: / is its own. A
///                     processor keeps what it receives. No block comes twice, or back to its
///                     source.
///
/// The reader checks all this, and that every block arrives at every destination. It throws
/// InvalidParameter "FILE:LINE: step N: what is wrong" (steps are counted from 0). The machine, not
/// the reader, checks the port model; the report of a violation names the line of the
/// file.

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

/// The file format of schedules by node, version 2 of `lockstep-schedule`: for any network and
/// operation. (Version 1, above, states what one node of a Cayley graph sends;
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
  std::string file{};  ///< where it was read
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

/// Throws InvalidParameter, "FILE:LINE: what is wrong", if the text does not fit the network. The
/// machine, not the reader, checks port model, memory and delivery.
[[nodiscard]] ScheduleFile parse_schedule_by_node(const std::string& file, std::string_view text,
                                                  const ErasedTopology& network);

[[nodiscard]] std::string text_of(const ScheduleFile& schedule);

}  // namespace lockstep
