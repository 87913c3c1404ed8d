// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The step that the rule of an ErasedProgram is handed, whatever machine runs it
/// (program/erased_program.hpp).

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/memory_moves.hpp"
#include "lockstep/program/routes.hpp"

namespace lockstep {

class StepInterface;

/// One by one.
[[nodiscard]] inline std::vector<std::uint32_t> slots_of(Blocks blocks) {
  std::vector<std::uint32_t> slots(blocks.count);
  std::iota(slots.begin(), slots.end(), blocks.first);
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
  [[nodiscard]] inline std::span<const std::byte> bytes(std::uint32_t i) const;
  [[nodiscard]] inline std::uint64_t word(std::uint32_t i) const;
  [[nodiscard]] inline std::optional<Route> route() const;
};

/// What a processor may see and do in a step; program.hpp says what each call means. Blocks are
/// listed one by one, however the program names them.
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

std::uint64_t ErasedArrival::word(std::uint32_t i) const { return step->word(*this, i); }
std::span<const std::byte> ErasedArrival::bytes(std::uint32_t i) const {
  return step->bytes(*this, i);
}
std::optional<Route> ErasedArrival::route() const { return step->route(*this); }

}  // namespace lockstep
