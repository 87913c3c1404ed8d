// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How a program names its own memory: regions of blocks.
///
/// A processor's memory is a handful of regions, each an array of blocks. The machine lays out
/// equal regions of all processors next to each other, so that a step touches only the regions it
/// uses.
///
///     const Blocks packet{.region = Region{0}, .first = 6, .count = 2};

#include <cstddef>
#include <cstdint>

#include "lockstep/core/errors.hpp"

namespace lockstep {

/// A named part of a processor's memory; index into Program::regions().
enum class Region : std::uint8_t {};

/// `count` consecutive blocks of the processor's own memory.
struct Blocks {
  Region region{};
  std::uint32_t first = 0;
  std::uint32_t count = 1;

  friend bool operator==(const Blocks&, const Blocks&) = default;
};

/// The left operand when an arrival is combined with own memory.
enum class Operands : std::uint8_t { own_first, arrived_first };

/// The value of memory in which no block was stored, or in which a missing message was to be
/// stored, so that stale bytes cannot pass as a block.
inline constexpr std::byte poison{0xA5};

/// Bytes of a label, and of a control word.
inline constexpr std::size_t word_bytes = 8;

/// Limits of the 8-byte descriptors that travel through channels.
inline constexpr std::size_t max_regions = 64;
inline constexpr std::uint32_t max_region_blocks = (1U << 20) - 1;

/// Blocks in one word, for rules that are prepared once and run for many processors: region 6 bits,
/// one bit left free, first 20, count 20.
class PackedBlocks {
 public:
  static constexpr unsigned first_shift = 7;
  static constexpr unsigned count_shift = 27;
  static constexpr unsigned bits = 47;

  [[nodiscard]] static constexpr bool fits(Blocks blocks) noexcept {
    // One look at all three: this is done for every message.
    return (static_cast<std::uint32_t>(blocks.region) / max_regions |
            (blocks.first | blocks.count) / (max_region_blocks + 1)) == 0;
  }

  /// Throws InvalidParameter.
  explicit constexpr PackedBlocks(Blocks blocks)
      : word_(static_cast<std::uint64_t>(blocks.region) |
              (std::uint64_t{blocks.first} << first_shift) |
              (std::uint64_t{blocks.count} << count_shift)) {
    if (!fits(blocks)) [[unlikely]]
      refuse();
  }

  [[nodiscard]] constexpr std::uint64_t word() const noexcept { return word_; }

 private:
  [[noreturn, gnu::noinline, gnu::cold]] static void refuse() {
    throw InvalidParameter(
        "message: out of range; allowed: regions below 64, blocks and lists below 2^20");
  }

  std::uint64_t word_;
};

/// Blocks of one region in any order: index into the lists all processors share
/// (Program::gather_list). Sending a list is one message, as MPI's indexed types are.
enum class GatherList : std::uint32_t {};

}  // namespace lockstep
