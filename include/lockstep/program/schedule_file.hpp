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

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/node_invariant_schedule.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/any_cayley.hpp"

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
    return file + ":" + std::to_string(steps.at(step).line);
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return steps.size() * sizeof(Step) + messages.size() * sizeof(Message) +
           entries.size() * sizeof(Entry);
  }
};

/// `file` is used in messages only. Throws InvalidParameter.
[[nodiscard]] UserSchedule parse_schedule(const std::string& file, std::string_view text,
                                          const AnyCayley& group);
/// Throws InvalidParameter where the file cannot be read, too.
[[nodiscard]] UserSchedule read_schedule(const std::string& file, const AnyCayley& group);

/// For all processors of the network that it was read for.
[[nodiscard]] NodeInvariantSchedule schedule_of(const UserSchedule& user, const AnyCayley& group);

}  // namespace lockstep
