// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What travels through a channel: not the bytes, but where in the sender's memory they lie. The
/// receiver copies them from there in the next step, once per hop.

#include <cstdint>

#include "lockstep/program/blocks.hpp"

namespace lockstep {

/// Descriptor of a message: consecutive blocks of one region, or a gather list over it. One word,
/// not a struct of four: it stays in a register (as a struct, passing it cost 10 ns a message).
class Message {
 public:
  /// region 6 | gathered 1 | first 20 | blocks 20: what is left of 64 bits is the channel's stamp.
  static constexpr unsigned packed_bits = 47;

  /// No message: no blocks.
  constexpr Message() = default;

  [[nodiscard]] static constexpr Message of(Blocks blocks) noexcept {
    return {blocks.region, false, blocks.first, blocks.count};
  }
  [[nodiscard]] static constexpr Message of(Region region, GatherList list,
                                            std::uint32_t blocks) noexcept {
    return {region, true, static_cast<std::uint32_t>(list), blocks};
  }
  [[nodiscard]] static constexpr Message unpacked(std::uint64_t word) noexcept {
    Message message;
    message.word_ = word & ((std::uint64_t{1} << packed_bits) - 1);
    return message;
  }

  [[nodiscard]] constexpr std::uint64_t packed() const noexcept { return word_; }
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return word_ != 0; }

  [[nodiscard]] constexpr Region region() const noexcept {
    return static_cast<Region>(word_ & 63U);
  }
  [[nodiscard]] constexpr bool gathered() const noexcept { return ((word_ >> 6U) & 1U) != 0; }
  /// The first block; of a gathered message: its list.
  [[nodiscard]] constexpr std::uint32_t first() const noexcept {
    return static_cast<std::uint32_t>((word_ >> 7U) & max_region_blocks);
  }
  [[nodiscard]] constexpr std::uint32_t blocks() const noexcept {
    return static_cast<std::uint32_t>((word_ >> 27U) & max_region_blocks);
  }

  friend constexpr bool operator==(Message, Message) = default;

 private:
  constexpr Message(Region region, bool gathered, std::uint32_t first,
                    std::uint32_t blocks) noexcept
      : word_(static_cast<std::uint64_t>(region) | (static_cast<std::uint64_t>(gathered) << 6U) |
              (static_cast<std::uint64_t>(first) << 7U) |
              (static_cast<std::uint64_t>(blocks) << 27U)) {}

  std::uint64_t word_ = 0;
};

}  // namespace lockstep
