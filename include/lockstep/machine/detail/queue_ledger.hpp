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
/// Source: thesis, chapter 6, whose queue lengths are `wait_up`, `wait_down`.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep {

class QueueLedger {
 public:
  /// `levels` as ErasedTopology::levels() says. Throws InvalidParameter where there are none, or a
  /// node has more than 2^26 ports.
  QueueLedger(const Network& network, std::span<const Level> levels);

  /// The memory of a run with so many steps. Slots that arrived and were sent together take
  /// run_bytes beside it.
  [[nodiscard]] static std::uint64_t bytes(std::span<const Level> levels, std::uint64_t steps);

  /// Before the nodes of each step run, in the order of the steps; by one thread.
  void begin_step(std::uint64_t step);

  /// Consecutive slots of a node, by their numbers among all that it has.
  struct Slots {
    std::uint32_t first = 0;
    std::uint32_t count = 1;

    [[nodiscard]] std::uint32_t end() const noexcept { return first + count; }
    friend bool operator==(const Slots&, const Slots&) = default;
  };

  // By the worker whose turn the node is; processors are passed over.

  /// Notes that an arrival through `through` is in those slots, as the node runs in `step`.
  void stored(NodeId node, Slots slots, Port through, std::uint64_t step);
  void sent(NodeId node, Slots slots, Port through, std::uint64_t step);
  /// Copies of the slots `own` are in as many slots from `into` on. They arrived when the originals
  /// did.
  void copied(NodeId node, Slots own, std::uint32_t into);

  [[nodiscard]] std::vector<LevelQueues> largest() const;

  static constexpr std::size_t run_bytes = 24;  // a Run, in an array that grows

 private:
  /// Consecutive slots that arrived in one message and were sent in the same steps.
  class Run {
   public:
    static constexpr unsigned count_bits = 12;
    static constexpr unsigned port_bits = 26;
    static constexpr unsigned slot_bits = 64 - count_bits - port_bits;
    static constexpr std::uint32_t max_count = (1U << count_bits) - 1;

    Run(Slots slots, Port through, std::uint32_t step)
        : since(step), counted(step - 1), word_(index(through)) {
      set_slots(slots);
    }

    [[nodiscard]] Slots slots() const noexcept {
      return {static_cast<std::uint32_t>(word_ >> (port_bits + count_bits)),
              static_cast<std::uint32_t>(word_ >> port_bits) & max_count};
    }
    void set_slots(Slots slots) noexcept {
      word_ = (std::uint64_t{slots.first} << (port_bits + count_bits)) |
              (std::uint64_t{slots.count} << port_bits) | through();
    }
    [[nodiscard]] std::uint32_t end() const noexcept { return slots().end(); }
    /// The port of the arrival.
    [[nodiscard]] std::uint64_t through() const noexcept {
      return word_ & ((std::uint64_t{1} << port_bits) - 1);
    }

    std::uint32_t since;    // the step in which the switch ran with what arrived
    std::uint32_t counted;  // up to that step it is held

   private:
    std::uint64_t word_;  // first slot, number of slots, port
  };
  static_assert(sizeof(Run) == 16);
  static_assert(max_regions * (max_region_blocks + 1) <= std::size_t{1} << Run::slot_bits);
  /// The runs of a switch, in the order of their slots.
  class Runs {
   public:
    /// Replaces what is known of the slots of `run`.
    void set(const Run& run);
    /// Visits each run of the slots. Runs that reach beyond them are divided.
    template <class Visit>
    void for_each(Slots slots, Visit visit);
    void clear(Slots slots) { (void)cleared(slots); }

   private:
    using Place = std::vector<Run>::iterator;

    /// The run of these slots, if it is the run of that number: messages of one block mostly fill
    /// one slot after the other. Null: find() has to look for it.
    [[nodiscard]] Run* known(Slots slots);
    /// The run with the slot, or the next one.
    [[nodiscard]] Place find(std::uint32_t slot);
    /// The run that begins with the slot, if need be by dividing one, or the next one.
    [[nodiscard]] Place divide(std::uint32_t slot);
    /// Clears the slots. The run behind them.
    [[nodiscard]] Place cleared(Slots slots);

    std::vector<Run> runs_;
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

  [[nodiscard]] std::vector<std::int32_t> longest() const;

  std::uint64_t processors_;
  std::vector<Queue> queues_;
  std::vector<Switch> switches_;
  /// By port of all switches: the queue of what waits; the next one is what came over it.
  std::vector<std::uint32_t> waiting_of_port_;
  std::vector<Runs> runs_;  // by switch
  /// By how much each queue is longer at the end of a step than before: step by step, so that the
  /// switches of a range write beside each other.
  std::vector<std::unique_ptr<std::int32_t[]>> changes_;
};

}  // namespace lockstep
