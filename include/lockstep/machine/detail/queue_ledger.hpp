// SPDX-License-Identifier: Apache-2.0
#pragma once

/// QueueLedger: how many blocks waited in the switches of each level, measured by the machine at
/// every arrival and send of a switch; no program says so itself.
///
///     QueueLedger queues(network, levels);
///     Machine machine(network, program, host, {.queues = &queues, ...});
///     (void)machine.run(executor);
///     queues.largest();                                  // of every level of switches
///
/// A block is in a queue from the step of its arrival to the step in which it is sent. It is
/// counted for all these steps when it is sent; a block that is never sent is in no queue. The
/// result of a combination has the arrival time of the message, or of the left block if both were
/// in memory.
/// Source: thesis, chapter 6, whose queue lengths are
/// `wait_up`, `wait_down`.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep {

class QueueLedger {
 public:
  /// `levels` as known_levels() says. Throws InvalidParameter where there are none.
  QueueLedger(const Network& network, std::span<const Level> levels);

  /// So much is taken where a run has so many steps; and slot_bytes for every slot of memory.
  [[nodiscard]] static std::uint64_t bytes(std::span<const Level> levels, std::uint64_t steps);

  /// Before the nodes of each step run, in the order of the steps; by one thread.
  void begin_step(std::uint64_t step);

  // By the worker whose turn the node is; processors are passed over.

  /// Notes that an arrival through `through` is in that slot, as the node runs in `step`.
  void stored(NodeId node, std::uint64_t slot, Port through, std::uint64_t step);
  void sent(NodeId node, std::uint64_t slot, Port through, std::uint64_t step);
  /// `count` slots from `own` on to those from `into` on: the copies arrived when the originals
  /// did.
  void copied(NodeId node, std::uint64_t own, std::uint64_t into, std::uint64_t count);

  [[nodiscard]] std::vector<LevelQueues> largest() const;

  static constexpr std::size_t slot_bytes = 24;  // a Slot, in an array that grows

 private:
  struct Slot {
    std::uint32_t since = 0;     // the step in which it ran with what arrived; 0: nothing did
    std::uint32_t counted = 0;   // up to that step it is held
    std::uint32_t received = 0;  // the number of the queue that it is in beside
  };
  enum class Kind : std::uint8_t { held, wait_up, wait_down, per_branch };
  /// Switch by switch: all that it holds, then for each branch what waits for it and what came over
  /// it and is held.
  struct Queue {
    std::uint64_t level = 0;
    Kind kind = Kind::held;
    std::uint32_t lanes = 0;  // of the branch for which it waits
  };
  struct Switch {
    std::uint32_t held = 0;        // the number of its first queue
    std::uint32_t first_port = 0;  // in waiting_of_port_
  };

  void add(std::uint64_t queue, std::uint64_t first, std::uint64_t last);
  [[nodiscard]] std::vector<std::int32_t> longest() const;

  std::uint64_t processors_;
  std::vector<Queue> queues_;
  std::vector<Switch> switches_;
  /// By port of all switches: the queue of what waits; the next one is what came over it.
  std::vector<std::uint32_t> waiting_of_port_;
  std::vector<std::vector<Slot>> slots_;  // by switch
  /// By how much each queue is longer at the end of a step than before: step by step, so that the
  /// switches of a range write beside each other.
  std::vector<std::unique_ptr<std::int32_t[]>> changes_;
};

}  // namespace lockstep
