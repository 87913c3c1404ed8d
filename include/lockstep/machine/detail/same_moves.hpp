// SPDX-License-Identifier: Apache-2.0
#pragma once

/// SameMoves: tracks once, for all processors of a UniformProgram, what a step does to their
/// memory. If the step follows the memory rules, groups may run. The slots that must not change are
/// known before the step begins. Internal.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/sent_slots.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/memory_moves.hpp"

namespace lockstep::detail {

class SameMoves {
 public:
  /// `parts`: blocks that a load writes and a delivery reads.
  SameMoves(std::vector<std::uint32_t> regions, std::uint32_t parts)
      : regions_(std::move(regions)), parts_(parts) {
    constexpr std::size_t usual_ports = 8;  // no step allocates memory for so many messages
    for (Step& step : steps_) {
      step.sends.reserve(usual_ports);
      step.takes.reserve(usual_ports);
    }
  }

  /// A message that every node sends or takes in a step.
  struct PortMessage {
    Port port;
    std::uint32_t blocks;

    friend bool operator==(const PortMessage&, const PortMessage&) = default;
  };
  struct Step {
    SentSlots sent;       ///< by each
    ListedRanges ranges;  ///< of these slots
    MovesDigest digest;   ///< of all moves of the groups
    /// A bit for each port through which they send; all bits if a port has no bit.
    std::uint64_t ports = 0;
    std::vector<PortMessage> sends;
    std::vector<PortMessage> takes;
    /// Every slot named is there, and none that is altered is still read, be it by the host.
    bool is_lawful = true;
  };
  /// So many steps are known at a time, the last one that was looked at among them.
  static constexpr std::uint64_t known_steps = 128;

  /// Looks at the steps of a run up to this one, one after the other.
  template <class Prog>
  void look_at(const Prog& program, std::uint64_t step) {
    for (; next_ <= step; ++next_) {
      now_ = &steps_[next_ % known_steps];
      before_ = &steps_[(next_ + known_steps - 1) % known_steps];
      now_->sent = {};
      now_->ranges.clear();
      now_->digest = {};
      now_->ports = 0;
      now_->sends.clear();
      now_->takes.clear();
      now_->is_lawful = true;
      delivered_ = {};
      delivered_ranges_.clear();
      Group<Prog> nobody(*this, program, next_);
      program.step_all(nobody);
      now_->sent.mark(NodeId{0}, now_->ranges);
    }
  }

  /// Precondition: the step is known. Of the one before step 0, nothing is sent.
  [[nodiscard]] const Step& at(std::uint64_t step) const noexcept {
    return steps_[step % known_steps];
  }
  [[nodiscard]] Step& at(std::uint64_t step) noexcept { return steps_[step % known_steps]; }

 private:
  /// A group of no processors (program/group_of_one.hpp has one of one), which looks at slots.
  template <class Prog>
  class Group : public MemoryMoves<Group<Prog>> {
   public:
    static constexpr std::size_t max_size = 1;
    using Slots = std::span<const std::uint32_t>;

    Group(SameMoves& moves, const Prog& program, std::uint64_t step)
        : moves_(moves), program_(program), step_(step) {}

    [[nodiscard]] static NodeId first() { return NodeId{0}; }
    [[nodiscard]] static constexpr std::size_t size() noexcept { return 0; }
    [[nodiscard]] std::uint64_t step() const { return step_; }
    void take_and_store(Port port, Blocks into) {
      take(port, into.count);
      alter(into);
    }
    void take_and_store(Port port, Region region, Slots slots) {
      take(port, static_cast<std::uint32_t>(slots.size()));
      now().digest.alter(region, slots);
      for (const std::uint32_t slot : slots) moves_.alter({region, slot, 1});
    }
    void take_and_combine(Port port, Blocks into, Operands) { take_and_store(port, into); }
    void take_and_combine(Port port, Region region, Slots slots, Operands) {
      take_and_store(port, region, slots);
    }
    template <class Move>
    void perform(const Move& move) {
      for (const Blocks& blocks : move.reads())
        if (!moves_.owns(blocks) || blocks.count != move.alters()[0].count) now().is_lawful = false;
      for (const Blocks& blocks : move.alters()) {
        if (blocks.count != move.alters()[0].count) now().is_lawful = false;
        alter(blocks);
      }
    }
    template <class SourcesOf>
    void take_and_deliver(Port port, std::uint32_t blocks, SourcesOf) {
      take(port, blocks * moves_.parts_);
    }
    template <class SourcesOf>
    void deliver(Blocks own, SourcesOf) {
      now().digest.deliver(own);
      moves_.read(with_parts(own, moves_.parts_), moves_.delivered_, moves_.delivered_ranges_);
    }
    template <class DestinationsOf>
    void load(Blocks into, DestinationsOf) {
      now().digest.alter(into);
      moves_.alter(with_parts(into, moves_.parts_));
    }
    void send(Port port, Blocks blocks) {
      moves_.use(port, blocks.count);
      now().digest.send(blocks);
      if (blocks.count == 0) now().is_lawful = false;
      moves_.read(blocks, now().sent, now().ranges);
    }
    void send(Port port, Region region, GatherList list) {
      const Slots slots = program_.gather_list(list);
      moves_.use(port, static_cast<std::uint32_t>(slots.size()));
      now().digest.send(region, list);
      if (slots.empty() || !PackedBlocks::fits({region, static_cast<std::uint32_t>(list), 0}) ||
          slots.size() > max_region_blocks)
        now().is_lawful = false;  // each node runs alone, and is told what is allowed
      moves_.read(region, slots, now().sent, now().ranges);
    }

   private:
    [[nodiscard]] Step& now() const noexcept { return *moves_.now_; }
    void take(Port port, std::uint32_t blocks) { now().takes.push_back({port, blocks}); }
    void alter(Blocks into) {
      now().digest.alter(into);
      moves_.alter(into);
    }

    SameMoves& moves_;
    const Prog& program_;
    std::uint64_t step_;
  };

  void use(Port port, std::uint32_t blocks) {
    now_->ports |= index(port) < 64 ? 1ULL << index(port) : ~0ULL;
    now_->sends.push_back({port, blocks});
  }
  [[nodiscard]] bool owns(Blocks blocks) {
    const bool has = index(blocks.region) < regions_.size() &&
                     std::uint64_t{blocks.first} + blocks.count <= regions_[index(blocks.region)];
    now_->is_lawful = now_->is_lawful && has;
    return has;
  }
  void read(Blocks blocks, SentSlots& by, ListedRanges& ranges) {
    if (owns(blocks) && blocks.count != 0) by.add(SlotRange::of(blocks), NodeId{0}, ranges);
  }
  void read(Region region, std::span<const std::uint32_t> slots, SentSlots& by,
            ListedRanges& ranges) {
    if (!slots.empty() && owns({region, SlotBounds::of(slots).highest, 1}))
      by.add(region, slots, NodeId{0}, ranges);
  }
  void alter(Blocks blocks) {
    if (!owns(blocks)) return;
    const SlotRange range = SlotRange::of(blocks);
    const auto meets = [range](const SentSlots& read, const ListedRanges& ranges) {
      return read.hull().meets(range) && read.lowest_in(range, NodeId{0}, ranges).last != 0;
    };
    if (meets(before_->sent, before_->ranges) || meets(now_->sent, now_->ranges) ||
        meets(delivered_, delivered_ranges_))
      now_->is_lawful = false;
  }

  std::vector<std::uint32_t> regions_;
  std::uint32_t parts_;
  std::vector<Step> steps_ = std::vector<Step>(known_steps);
  std::uint64_t next_ = 0;  // step to look at
  Step* now_ = nullptr;
  const Step* before_ = nullptr;
  SentSlots delivered_;  // in the step that is looked at
  ListedRanges delivered_ranges_;
};

}  // namespace lockstep::detail
