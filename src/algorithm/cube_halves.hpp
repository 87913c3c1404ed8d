// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which blocks a processor of the d-cube is left with when, dimension by dimension, it gives one
/// half of them to its neighbour: those whose number agrees with its own in the dimensions done.
/// Slots are numbered by the block's number read backwards, so that halves are consecutive.
///
///     const CubeHalves halves(3);
///     halves.kept(NodeId{0b001}, 1);      // the upper half: slots 4..7, blocks of odd numbers
///     halves.slot_of(0b001) == 4;

#include <cstdint>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"

namespace lockstep {

class CubeHalves {
 public:
  /// More do not fit a region.
  static constexpr std::uint64_t max_dimensions = 19;

  explicit CubeHalves(std::uint64_t dimensions) : dimensions_(dimensions) {}

  [[nodiscard]] std::uint64_t dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] std::uint32_t blocks() const noexcept { return std::uint32_t{1} << dimensions_; }

  /// The number read backwards, and back again.
  [[nodiscard]] std::uint32_t slot_of(std::uint64_t number) const noexcept {
    std::uint32_t slot = 0;
    for (std::uint64_t i = 0; i < dimensions_; ++i)
      slot |= static_cast<std::uint32_t>((number >> i) & 1U) << (dimensions_ - 1 - i);
    return slot;
  }

  /// What u has left when so many dimensions are done, the lowest first. What it gives away in
  /// dimension t is what its neighbour has left then: kept(neighbour, t + 1).
  [[nodiscard]] Blocks kept(NodeId u, std::uint64_t done) const noexcept {
    const std::uint64_t low_bits = index(u) & ((std::uint64_t{1} << done) - 1);
    return {Region{0}, slot_of(low_bits), std::uint32_t{1} << (dimensions_ - done)};
  }

  [[nodiscard]] static NodeId neighbor(NodeId u, std::uint64_t dimension) noexcept {
    return NodeId{index(u) ^ (std::uint64_t{1} << dimension)};
  }
  /// Of the two sides of a dimension the lower one stands left.
  [[nodiscard]] static Operands order(NodeId u, std::uint64_t dimension) noexcept {
    return ((index(u) >> dimension) & 1U) != 0 ? Operands::arrived_first : Operands::own_first;
  }

 private:
  std::uint64_t dimensions_;
};

}  // namespace lockstep
