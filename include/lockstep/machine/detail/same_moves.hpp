// SPDX-License-Identifier: Apache-2.0
#pragma once

/// SameMoves: tracks once, for all processors of a UniformProgram, what a step does to their
/// memory. If the step follows the memory rules, groups may run. The slots that must not change are
/// known before the step begins. Internal.

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
      : regions_(std::move(regions)), parts_(parts) {}

  /// The steps of a run, one after the other.
  template <class Prog>
  void begin_step(const Prog& program, std::uint64_t step) {
    before_ = std::exchange(sent_, {});
    std::swap(ranges_before_, ranges_);
    ranges_.clear();
    delivered_ = {};
    delivered_ranges_.clear();
    is_lawful_ = true;
    digest_ = {};
    ports_ = 0;
    Group<Prog> nobody(*this, program, step);
    program.step_all(nobody);
    sent_.close(ranges_);
    delivered_.close(delivered_ranges_);
  }

  /// Whether every slot named is there, and none that is altered is still read, be it by the host.
  [[nodiscard]] bool is_lawful() const noexcept { return is_lawful_; }
  /// Whether they send anything in this step.
  [[nodiscard]] bool sends() const noexcept { return !sent_.empty(); }
  /// A bit for each port through which they send in this step; all bits if a port has no bit.
  [[nodiscard]] std::uint64_t ports() const noexcept { return ports_; }
  /// The digest of all moves of the groups in this step.
  [[nodiscard]] const MovesDigest& digest() const noexcept { return digest_; }
  /// The slots that each sent in the step before.
  [[nodiscard]] SentSlots& before() noexcept { return before_; }
  [[nodiscard]] const ListedRanges& ranges_before() const noexcept { return ranges_before_; }

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
    void take_and_store(Port, Blocks into) { alter(into); }
    void take_and_store(Port, Region region, Slots slots) {
      moves_.digest_.alter(region, slots);
      for (const std::uint32_t slot : slots) moves_.alter({region, slot, 1});
    }
    void take_and_combine(Port, Blocks into, Operands) { alter(into); }
    void take_and_combine(Port port, Region region, Slots slots, Operands) {
      take_and_store(port, region, slots);
    }
    template <class Move>
    void perform(const Move& move) {
      for (const Blocks& blocks : move.reads())
        if (!moves_.owns(blocks) || blocks.count != move.alters()[0].count)
          moves_.is_lawful_ = false;
      for (const Blocks& blocks : move.alters()) {
        if (blocks.count != move.alters()[0].count) moves_.is_lawful_ = false;
        alter(blocks);
      }
    }
    template <class SourcesOf>
    void take_and_deliver(Port, std::uint32_t, SourcesOf) {}
    template <class SourcesOf>
    void deliver(Blocks own, SourcesOf) {
      moves_.digest_.deliver(own);
      moves_.read(with_parts(own, moves_.parts_), moves_.delivered_, moves_.delivered_ranges_);
    }
    template <class DestinationsOf>
    void load(Blocks into, DestinationsOf) {
      moves_.digest_.alter(into);
      moves_.alter(with_parts(into, moves_.parts_));
    }
    void send(Port port, Blocks blocks) {
      moves_.use(port);
      moves_.digest_.send(blocks);
      if (blocks.count == 0) moves_.is_lawful_ = false;
      moves_.read(blocks, moves_.sent_, moves_.ranges_);
    }
    void send(Port port, Region region, GatherList list) {
      moves_.use(port);
      const Slots slots = program_.gather_list(list);
      moves_.digest_.send(region, list);
      if (slots.empty() || !PackedBlocks::fits({region, static_cast<std::uint32_t>(list), 0}) ||
          slots.size() > max_region_blocks)
        moves_.is_lawful_ = false;  // by itself each is told what is allowed
      for (const std::uint32_t slot : slots)
        moves_.read({region, slot, 1}, moves_.sent_, moves_.ranges_);
    }

   private:
    void alter(Blocks into) {
      moves_.digest_.alter(into);
      moves_.alter(into);
    }

    SameMoves& moves_;
    const Prog& program_;
    std::uint64_t step_;
  };

  void use(Port port) noexcept { ports_ |= index(port) < 64 ? 1ULL << index(port) : ~0ULL; }
  [[nodiscard]] bool owns(Blocks blocks) {
    const bool has = index(blocks.region) < regions_.size() &&
                     std::uint64_t{blocks.first} + blocks.count <= regions_[index(blocks.region)];
    is_lawful_ = is_lawful_ && has;
    return has;
  }
  void read(Blocks blocks, SentSlots& by, ListedRanges& ranges) {
    if (owns(blocks) && blocks.count != 0) by.add(SlotRange::of(blocks), NodeId{0}, ranges);
  }
  void alter(Blocks blocks) {
    if (!owns(blocks)) return;
    const SlotRange range = SlotRange::of(blocks);
    const auto meets = [range](const SentSlots& read, const ListedRanges& ranges) {
      return read.hull().meets(range) && read.lowest_in(range, NodeId{0}, ranges).last != 0;
    };
    if (meets(before_, ranges_before_) || meets(sent_, ranges_) ||
        meets(delivered_, delivered_ranges_))
      is_lawful_ = false;
  }

  std::vector<std::uint32_t> regions_;
  std::uint32_t parts_;
  SentSlots before_;
  SentSlots sent_;
  SentSlots delivered_;
  ListedRanges ranges_before_;
  ListedRanges ranges_;
  ListedRanges delivered_ranges_;
  MovesDigest digest_;
  std::uint64_t ports_ = 0;
  bool is_lawful_ = true;
};

}  // namespace lockstep::detail
