// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A UniformProgram states its moves for many processors at once (program/program.hpp); here one
/// processor makes them by itself.

#include <cstddef>
#include <cstdint>
#include <span>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/memory_moves.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep {

/// `View`: what the rule of one processor is handed.
template <class View>
class GroupOfOne : public MemoryMoves<GroupOfOne<View>> {
 public:
  static constexpr std::size_t max_size = 1;

  [[gnu::always_inline]] explicit GroupOfOne(View& here) noexcept : here_(here) {}

  [[nodiscard]] NodeId first() const { return here_.node(); }
  [[nodiscard]] static constexpr std::size_t size() noexcept { return 1; }
  [[nodiscard]] std::uint64_t step() const { return here_.step(); }

  [[gnu::always_inline]] void take_and_store(Port port, Blocks into) {
    here_.store(here_.take(port), into);
  }
  [[gnu::always_inline]] void take_and_store(Port port, Region region,
                                             std::span<const std::uint32_t> slots) {
    here_.store(here_.take(port), region, slots);
  }
  void take_and_combine(Port port, Blocks into, Operands order) {
    here_.combine(here_.take(port), into, order);
  }
  void take_and_combine(Port port, Region region, std::span<const std::uint32_t> slots,
                        Operands order) {
    here_.combine(here_.take(port), region, slots, order);
  }
  template <class Move>
  void perform(const Move& move) {
    here_.perform(move);
  }
  template <class SourcesOf>
  [[gnu::always_inline]] void take_and_deliver(Port port, std::uint32_t blocks,
                                               SourcesOf sources_of) {
    const auto arrival = here_.take(port);
    for (std::uint32_t i = 0; i < blocks; ++i) here_.deliver(arrival, i, NodeId{sources_of(i)[0]});
  }
  template <class SourcesOf>
  [[gnu::always_inline]] void deliver(Blocks own, SourcesOf sources_of) {
    for (std::uint32_t i = 0; i < own.count; ++i)
      here_.deliver(own.region, own.first + i, NodeId{sources_of(i)[0]});
  }
  template <class DestinationsOf>
  [[gnu::always_inline]] void load(Blocks into, DestinationsOf destinations_of) {
    for (std::uint32_t i = 0; i < into.count; ++i)
      here_.load(into.region, into.first + i, NodeId{destinations_of(i)[0]});
  }
  [[gnu::always_inline]] void send(Port port, Blocks blocks) { here_.send(port, blocks); }
  [[gnu::always_inline]] void send(Port port, Region region, GatherList list) {
    here_.send(port, region, list);
  }

 private:
  View& here_;
};

/// The rule of one processor, however the program states it.
template <Program P, class View>
[[gnu::always_inline]] inline void run_rule(const P& program, View& here) {
  if constexpr (UniformProgram<P>) {
    GroupOfOne<View> alone(here);
    program.step_all(alone);
  } else if constexpr (requires { program(here); }) {  // else program_check.hpp has said it
    program(here);
  }
}

}  // namespace lockstep
