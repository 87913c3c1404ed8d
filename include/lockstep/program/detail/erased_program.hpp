// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A type-erased program and the step that its rule receives, for machines that are compiled once
/// and may be slow.
///
///     const ErasedProgramOf program(StarPacking(star, {}).program());
///     program.run(step, memory_of_the_node);      // step: the machine's StepInterface

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/detail/group_of_one.hpp"
#include "lockstep/program/memory_moves.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/program/routes.hpp"

namespace lockstep {

/// The step that the rule of an ErasedProgram is handed, whatever machine runs it
/// (program/erased_program.hpp).
class StepInterface;

/// One by one.
[[nodiscard]] inline std::vector<std::uint32_t> slots_of(Blocks blocks) {
  std::vector<std::uint32_t> slots(blocks.count);
  for (std::uint32_t i = 0; i < blocks.count; ++i) slots[i] = blocks.first + i;
  return slots;
}

/// A message that arrived, or none. In one step it is known by its port.
struct ErasedArrival {
  Port through{};
  std::uint32_t block_count = 0;
  StepInterface* step = nullptr;

  [[nodiscard]] explicit operator bool() const noexcept { return block_count != 0; }
  [[nodiscard]] std::uint32_t blocks() const noexcept { return block_count; }
  [[nodiscard]] Port port() const noexcept { return through; }
  [[nodiscard]] inline std::span<const std::byte> bytes(SlotNumber i) const;
  [[nodiscard]] inline std::uint64_t word(SlotNumber i) const;
  [[nodiscard]] inline std::optional<Route> route() const;
};

/// The calls of a processor in a step; program.hpp defines each of them. Blocks are listed one by
/// one, however the program names them.
class StepInterface {
 public:
  using Slots = std::span<const std::uint32_t>;

  [[nodiscard]] virtual NodeId node() const = 0;
  [[nodiscard]] virtual std::uint64_t step() const = 0;
  [[nodiscard]] virtual bool last_call() const = 0;
  [[nodiscard]] virtual std::size_t degree() const = 0;
  [[nodiscard]] virtual ErasedArrival take(Port port) = 0;
  [[nodiscard]] virtual ErasedArrival take_first() = 0;
  virtual void store(ErasedArrival arrival, Region region, Slots slots) = 0;
  /// Slots of a region of the own memory.
  struct Places {
    Region region{};
    Slots slots{};
  };
  virtual void combine(ErasedArrival arrival, Places own, Places into, Operands order) = 0;
  virtual void perform(const MemoryMove& move) = 0;
  virtual void deliver(ErasedArrival arrival, std::uint32_t i, Origin origin) = 0;
  virtual void deliver(Region region, std::uint32_t slot, Origin origin) = 0;
  virtual void load(Region region, std::uint32_t slot, Origin origin, NodeId destination) = 0;
  virtual void send(Port port, Region region, Slots slots) = 0;
  /// `ports`: of the route, one after the other.
  virtual void send(Route route, std::span<const Port> ports, Region region, Slots slots) = 0;
  [[nodiscard]] virtual std::optional<Route> route(ErasedArrival arrival) = 0;
  virtual void stay_active() = 0;
  [[nodiscard]] virtual std::span<const std::byte> bytes(ErasedArrival arrival,
                                                         std::uint32_t i) = 0;
  [[nodiscard]] virtual std::span<const std::byte> bytes(Region region, std::uint32_t slot) = 0;
  [[nodiscard]] virtual std::uint64_t word(ErasedArrival arrival, std::uint32_t i) = 0;
  [[nodiscard]] virtual std::uint64_t word(Region region, std::uint32_t slot) = 0;
  virtual void set_word(Region region, std::uint32_t slot, std::uint64_t word) = 0;

 protected:
  ~StepInterface() = default;
};

std::uint64_t ErasedArrival::word(SlotNumber i) const { return step->word(*this, i); }
std::span<const std::byte> ErasedArrival::bytes(SlotNumber i) const {
  return step->bytes(*this, i);
}
std::optional<Route> ErasedArrival::route() const { return step->route(*this); }

class ErasedProgram {
 public:
  virtual ~ErasedProgram() = default;

  [[nodiscard]] virtual Activity activity() const = 0;
  [[nodiscard]] virtual std::vector<std::uint32_t> regions() const = 0;
  /// Region sizes of one node; none exceeds regions().
  [[nodiscard]] virtual std::vector<std::uint32_t> regions_of(NodeId node) const = 0;
  [[nodiscard]] virtual bool labelled() const = 0;
  [[nodiscard]] virtual std::vector<Region> control_regions() const = 0;
  [[nodiscard]] virtual std::vector<NodeId> starts() const = 0;
  /// Empty: see CalendarProgram.
  [[nodiscard]] virtual std::span<const std::uint32_t> starts_in(std::uint64_t step) const = 0;
  [[nodiscard]] virtual std::uint64_t last_start() const = 0;
  /// Empty: see CountedProgram.
  [[nodiscard]] virtual std::optional<std::uint64_t> step_count() const = 0;
  /// Empty: see PhasedProgram.
  [[nodiscard]] virtual std::vector<Phase> phases() const = 0;
  /// Variables of a processor.
  [[nodiscard]] virtual std::shared_ptr<void> memory(NodeId node) const = 0;
  /// The step rule, once.
  virtual void run(StepInterface& step, void* memory) const = 0;
};

/// Keeps the program.
template <Program P>
class ErasedProgramOf final : public ErasedProgram {
  using Memory = typename P::Memory;

 public:
  explicit ErasedProgramOf(P program) : program_(std::move(program)) {}

  [[nodiscard]] const P& program() const noexcept { return program_; }

  [[nodiscard]] Activity activity() const override { return P::activity; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const override { return program_.regions(); }
  [[nodiscard]] std::vector<std::uint32_t> regions_of([[maybe_unused]] NodeId node) const override {
    std::vector<std::uint32_t> blocks = program_.regions();
    if constexpr (UnevenProgram<P>)
      for (std::size_t r = 0; r < blocks.size(); ++r)
        blocks[r] = static_cast<std::uint32_t>(program_.blocks_of(node, static_cast<Region>(r)));
    return blocks;
  }
  [[nodiscard]] bool labelled() const override { return LabelledProgram<P>; }
  [[nodiscard]] std::vector<Region> control_regions() const override {
    if constexpr (ControlProgram<P>) return program_.control_regions();
    return {};
  }
  [[nodiscard]] std::vector<NodeId> starts() const override {
    if constexpr (StartingProgram<P>) return program_.starts();
    return {};
  }
  [[nodiscard]] std::span<const std::uint32_t> starts_in(
      [[maybe_unused]] std::uint64_t step) const override {
    if constexpr (CalendarProgram<P>) return program_.starts_in(step);
    return {};
  }
  [[nodiscard]] std::uint64_t last_start() const override {
    if constexpr (CalendarProgram<P>) return program_.last_start();
    return 0;
  }
  [[nodiscard]] std::optional<std::uint64_t> step_count() const override {
    if constexpr (CountedProgram<P>) return static_cast<std::uint64_t>(program_.step_count());
    return std::nullopt;
  }
  [[nodiscard]] std::vector<Phase> phases() const override { return phases_of(program_); }
  [[nodiscard]] std::shared_ptr<void> memory([[maybe_unused]] NodeId node) const override {
    return std::make_shared<Memory>(memory_of<P>(node));
  }
  void run(StepInterface& step, void* memory) const override {
    View here(step, program_, *static_cast<Memory*>(memory));
    run_rule(program_, here);
  }

 private:
  /// The step, with what depends on the program's type.
  class View : public MemoryMoves<View> {
   public:
    View(StepInterface& step, const P& program, Memory& memory)
        : step_(step), program_(program), memory_(memory) {}
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    [[nodiscard]] NodeId node() const { return step_.node(); }
    [[nodiscard]] std::uint64_t step() const { return step_.step(); }
    [[nodiscard]] bool last_call() const { return step_.last_call(); }
    [[nodiscard]] std::size_t degree() const { return step_.degree(); }
    [[nodiscard]] Memory& memory() const { return memory_; }
    [[nodiscard]] ErasedArrival take(Port port) { return step_.take(port); }
    [[nodiscard]] ErasedArrival take_first() { return step_.take_first(); }
    void store(ErasedArrival arrival, Blocks into) { store(arrival, into.region, slots_of(into)); }
    void store(ErasedArrival arrival, Region region, StepInterface::Slots slots) {
      step_.store(arrival, region, slots);
    }
    void combine(ErasedArrival arrival, Blocks blocks, Operands order = {}) {
      combine(arrival, blocks, blocks, order);
    }
    void combine(ErasedArrival arrival, Blocks own, Blocks into, Operands order = {}) {
      step_.combine(arrival, {own.region, slots_of(own)}, {into.region, slots_of(into)}, order);
    }
    void combine(ErasedArrival arrival, Region region, StepInterface::Slots slots,
                 Operands order = {}) {
      step_.combine(arrival, {region, slots}, {region, slots}, order);
    }
    using MemoryMoves<View>::combine;
    void perform(const MemoryMove& move) { step_.perform(move); }
    void deliver(ErasedArrival arrival, SlotNumber i, Origin origin) {
      step_.deliver(arrival, i, origin);
    }
    void deliver(Region region, SlotNumber slot, Origin origin) {
      step_.deliver(region, slot, origin);
    }
    void load(Region region, SlotNumber slot, NodeId destination) {
      step_.load(region, slot, node(), destination);
    }
    void load(Region region, SlotNumber slot, Origin origin, NodeId destination) {
      step_.load(region, slot, origin, destination);
    }
    void send(Port port, Blocks blocks) { step_.send(port, blocks.region, slots_of(blocks)); }
    void send(Port port, Region region, GatherList list) {
      step_.send(port, region, program_.gather_list(list));
    }
    void send(Route route, Blocks blocks) {
      step_.send(route, program_.routes().ports(route), blocks.region, slots_of(blocks));
    }
    void send(Route route, Region region, GatherList list) {
      step_.send(route, program_.routes().ports(route), region, program_.gather_list(list));
    }
    void stay_active() { step_.stay_active(); }
    [[nodiscard]] std::span<const std::byte> bytes(Region region, SlotNumber slot) const {
      return step_.bytes(region, slot);
    }
    [[nodiscard]] std::uint64_t word(Region region, SlotNumber slot) const {
      return step_.word(region, slot);
    }
    void set_word(Region region, SlotNumber slot, std::uint64_t word) {
      step_.set_word(region, slot, word);
    }

   private:
    StepInterface& step_;
    const P& program_;
    Memory& memory_;
  };

  P program_;
};

}  // namespace lockstep
