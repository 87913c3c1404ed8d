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
#include "lockstep/program/blocks.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep {

class QueueLedger {
 public:
  /// `levels` as known_levels() says. Throws InvalidParameter where there are none.
  QueueLedger(const Network& network, std::span<const Level> levels);

  /// So much is taken where a run has so many steps; and run_bytes for every run of slots that have
  /// the same past.
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
  /// The slots `own` to as many from `into` on: the copies arrived when the originals did.
  void copied(NodeId node, Slots own, std::uint32_t into);

  [[nodiscard]] std::vector<LevelQueues> largest() const;

  static constexpr std::size_t run_bytes = 24;  // a Run, in an array that grows

 private:
  /// Slots to which the same happened.
  struct Run {
    static constexpr std::uint32_t most = (1U << 12U) - 1;  // slots; more are several runs

    Run(Slots slots, Port through, std::uint32_t step)
        : word(index(through)), since(step), counted(step - 1) {
      set_slots(slots);
    }

    [[nodiscard]] Slots slots() const noexcept {
      return {static_cast<std::uint32_t>(word >> 38U),
              static_cast<std::uint32_t>(word >> 26U) & most};
    }
    void set_slots(Slots slots) noexcept {
      word = (std::uint64_t{slots.first} << 38U) | (std::uint64_t{slots.count} << 26U) | through();
    }
    [[nodiscard]] std::uint32_t end() const noexcept { return slots().end(); }
    /// The port of the arrival.
    [[nodiscard]] std::uint64_t through() const noexcept { return word & ((1U << 26U) - 1); }

    std::uint64_t word;     // first slot, slots, port: 26, 12, 26 bits
    std::uint32_t since;    // the step in which the switch ran with what arrived
    std::uint32_t counted;  // up to that step it is held
  };
  static_assert(sizeof(Run) == 16 && max_regions * (max_region_blocks + 1) <= 1U << 26U);
  /// The runs of a switch, in the order of their slots.
  class Runs {
   public:
    /// Instead of what is known of these slots.
    void set(const Run& run);
    /// Each run of the slots. Runs that reach beyond them are divided.
    template <class Visit>
    void for_each(Slots slots, Visit visit);
    void clear(Slots slots);

   private:
    using Place = std::vector<Run>::iterator;

    /// The run of these slots, where it is found at once.
    [[nodiscard]] Run* known(Slots slots);
    /// The run with the slot, or the next one.
    [[nodiscard]] Place find(std::uint32_t slot);
    /// The run that begins with the slot, if need be by dividing one, or the next one.
    [[nodiscard]] Place divide(std::uint32_t slot);

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
