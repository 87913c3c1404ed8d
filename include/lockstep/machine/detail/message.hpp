// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The message that travels through a channel: not the bytes, but their place in the sender's
/// memory. The receiver copies them from there in the next step, once per hop.

#include <cstdint>

#include "lockstep/program/blocks.hpp"

namespace lockstep {

/// Descriptor of a message: consecutive blocks of one region, or a gather list over it. One word,
/// not a struct of four: it stays in a register (as a struct, passing it cost 10 ns a message).
class Message {
 public:
  /// PackedBlocks, with the free bit for "gathered"; what is left of 64 bits is the channel's
  /// stamp.
  static constexpr unsigned packed_bits = PackedBlocks::bits;

  /// No message: no blocks.
  constexpr Message() = default;

  [[nodiscard]] static constexpr Message of(Blocks blocks) { return of(PackedBlocks(blocks)); }
  [[nodiscard]] static constexpr Message of(PackedBlocks blocks) noexcept {
    return unpacked(blocks.word());
  }
  /// A gather list of `blocks` blocks: its number stands in place of the first block.
  [[nodiscard]] static constexpr Message of(Region region, GatherList list, std::uint32_t blocks) {
    return unpacked(PackedBlocks({region, static_cast<std::uint32_t>(list), blocks}).word() |
                    gathered_bit);
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
  [[nodiscard]] constexpr bool gathered() const noexcept { return (word_ & gathered_bit) != 0; }
  /// The first block; of a gathered message: its list.
  [[nodiscard]] constexpr std::uint32_t first() const noexcept {
    return static_cast<std::uint32_t>((word_ >> PackedBlocks::first_shift) & max_region_blocks);
  }
  [[nodiscard]] constexpr std::uint32_t blocks() const noexcept {
    return static_cast<std::uint32_t>((word_ >> PackedBlocks::count_shift) & max_region_blocks);
  }

  friend constexpr bool operator==(Message, Message) = default;

 private:
  static constexpr std::uint64_t gathered_bit = std::uint64_t{1} << 6U;

  std::uint64_t word_ = 0;
};

}  // namespace lockstep
