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
#include <span>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"

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

namespace detail {

/// With the further parts of the last block, where a block of the user is `parts` of them.
[[nodiscard]] constexpr Blocks with_parts(Blocks blocks, std::uint32_t parts) noexcept {
  if (blocks.count == 0) return blocks;
  const std::uint64_t count = std::uint64_t{blocks.count} + parts - 1;
  constexpr std::uint64_t most = ~std::uint32_t{0};
  return {blocks.region, blocks.first, static_cast<std::uint32_t>(count < most ? count : most)};
}

/// Calls `visit` with each range of consecutive slots of the list, in its order.
template <class Visit>
constexpr void for_ranges(Region region, std::span<const std::uint32_t> slots, Visit visit) {
  for (std::size_t i = 0; i < slots.size();) {
    std::uint32_t count = 1;
    while (i + count < slots.size() && slots[i + count] == slots[i] + count) ++count;
    visit(Blocks{region, slots[i], count});
    i += count;
  }
}

}  // namespace detail

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

/// A run of consecutive entries of Schedule::elements().
struct Elements {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// One thing that a processor does in a step. Where nodes share turns, elements are relative
/// addresses: `u element`. Otherwise they are nodes as they are, and a load or delivery without
/// elements means the node itself.
struct Action {
  enum class Kind : std::uint8_t {
    take_store,         ///< arrival through `port` -> blocks
    take_scatter,       ///< arrival through `port` -> gather list `list` of blocks.region
    take_deliver,       ///< arrival through `port`: block i from u elements[i]
    take_combine_list,  ///< gather list `list` of blocks.region o arrival -> the same slots
    take,               ///< arrival through `port`: not used
    take_combine_into,  ///< blocks <- as many from slot `list` of their region o arrival
    combine,            ///< blocks <- as many from slot elements.first o as many from slot `list`
    load,       ///< block i <- own block for elements[i]; relative: for u `element` elements[i]
    deliver,    ///< own block i, from u elements[i]
    send,       ///< blocks through `port`
    send_list,  ///< gather list `list` of blocks.region through `port`
    // The following occur only if every node is a class.
    load_pairs,      ///< block i <- own block of origin elements[2i] for node elements[2i + 1]
    copy,            ///< blocks <- as many from slot `list` of region elements.first
    send_route,      ///< blocks over route elements.first
    send_route_list  ///< gather list `list` of blocks.region over route elements.first
  };
  Kind kind : 8;  // one word with the port: plans have millions of actions
  Port port : 24;
  Blocks blocks;
  Elements elements;
  std::uint32_t element_or_list;

  constexpr Action(Kind what, Port through, Blocks own, Elements addresses,
                   std::uint32_t number) noexcept
      : kind(what), port(through), blocks(own), elements(addresses), element_or_list(number) {}
};

/// Whether the action is the reception of a message of the step before.
[[nodiscard]] constexpr bool is_reception(Action::Kind kind) noexcept {
  return kind <= Action::Kind::take_combine_into;
}

}  // namespace lockstep
