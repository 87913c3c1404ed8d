// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Operations of a processor within its own memory, without a message. Each operation is a type
/// here and a name in MemoryMoves, from which all that a rule may be handed derives. A machine says
/// what the type does (StepView::perform, ReferenceMachine::perform); groups, their checks, and
/// what forwards a step learn the rest from reads() and alters().

#include <array>
#include <variant>

#include "lockstep/program/blocks.hpp"

namespace lockstep {

/// into <- own, with the labels of the blocks.
struct CopyBlocks {
  Blocks own;
  Blocks into;
  [[nodiscard]] constexpr std::array<Blocks, 1> reads() const { return {own}; }
  [[nodiscard]] constexpr std::array<Blocks, 1> alters() const { return {into}; }
};

/// into <- left o right, by the operation of the host.
struct CombineBlocks {
  Blocks left;
  Blocks right;
  Blocks into;
  [[nodiscard]] constexpr std::array<Blocks, 2> reads() const { return {left, right}; }
  [[nodiscard]] constexpr std::array<Blocks, 1> alters() const { return {into}; }
};

using MemoryMove = std::variant<CopyBlocks, CombineBlocks>;

/// `View`: what a rule is handed; it has perform(move) for those moves that its rules make.
template <class View>
class MemoryMoves {
 public:
  [[gnu::always_inline]] void copy(Blocks own, Blocks into) {
    view().perform(CopyBlocks{own, into});
  }
  [[gnu::always_inline]] void combine(Blocks left, Blocks right, Blocks into) {
    view().perform(CombineBlocks{left, right, into});
  }

 private:
  friend View;
  MemoryMoves() = default;
  [[nodiscard, gnu::always_inline]] View& view() { return static_cast<View&>(*this); }
};

}  // namespace lockstep
