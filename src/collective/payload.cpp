// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/payload.hpp"

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

/// Rows are worked through in pieces that stay in registers and the nearest cache.
constexpr std::size_t piece = 64;

}  // namespace

/// All words of a piece are computed before the first is stored, which might be anybody's memory.
template <std::size_t words>
void Payload::fill_words(std::byte* bytes, std::size_t stride, NodeId first,
                         std::span<const std::uint32_t> destinations) const noexcept {
  const Payload payload = *this;
  for (std::size_t done = 0; done < destinations.size(); done += piece) {
    const std::size_t count = std::min(piece, destinations.size() - done);
    const std::uint32_t* const to = destinations.data() + done;
    std::array<std::uint64_t, piece> keys;
    for (std::size_t k = 0; k < count; ++k)
      keys[k] = payload.key_of(NodeId{index(first) + done + k}, NodeId{to[k]});
    std::array<std::uint64_t, piece * words> all;
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t j = 0; j < words; ++j) all[k * words + j] = word(keys[k], j);
    for (std::size_t k = 0; k < count; ++k)
      std::memcpy(bytes + (done + k) * stride, all.data() + k * words, words * word_bytes);
  }
}

void Payload::fill_each(std::byte* bytes, std::size_t stride, NodeId first,
                        std::span<const std::uint32_t> destinations) const noexcept {
  switch (block_bytes_) {
    case 1 * word_bytes:
      return fill_words<1>(bytes, stride, first, destinations);
    case 2 * word_bytes:
      return fill_words<2>(bytes, stride, first, destinations);
    case 4 * word_bytes:
      return fill_words<4>(bytes, stride, first, destinations);
    case 8 * word_bytes:
      return fill_words<8>(bytes, stride, first, destinations);
    default:
      const Payload payload = *this;
      for (std::size_t k = 0; k < destinations.size(); ++k)
        payload.fill(bytes + k * stride, NodeId{index(first) + k}, NodeId{destinations[k]});
  }
}

template <std::size_t words>
bool Payload::match_words(const std::byte* const* bytes, std::size_t offset,
                          std::span<const std::uint32_t> origins, NodeId first) const noexcept {
  const Payload payload = *this;
  std::uint64_t difference = 0;
  for (std::size_t done = 0; done < origins.size(); done += piece) {
    const std::size_t count = std::min(piece, origins.size() - done);
    const std::uint32_t* const from = origins.data() + done;
    std::array<std::uint64_t, piece * words> found;
    for (std::size_t k = 0; k < count; ++k)
      std::memcpy(found.data() + k * words, bytes[done + k] + offset, words * word_bytes);
    std::array<std::uint64_t, piece> keys;
    for (std::size_t k = 0; k < count; ++k)
      keys[k] = payload.key_of(Origin{from[k]}, NodeId{index(first) + done + k});
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t j = 0; j < words; ++j) difference |= found[k * words + j] ^ word(keys[k], j);
  }
  return difference == 0;
}

bool Payload::match_each(const std::byte* const* bytes, std::size_t offset,
                         std::span<const std::uint32_t> origins, NodeId first) const noexcept {
  switch (block_bytes_) {
    case 1 * word_bytes:
      return match_words<1>(bytes, offset, origins, first);
    case 2 * word_bytes:
      return match_words<2>(bytes, offset, origins, first);
    case 4 * word_bytes:
      return match_words<4>(bytes, offset, origins, first);
    case 8 * word_bytes:
      return match_words<8>(bytes, offset, origins, first);
    default:
      bool all_match = true;
      for (std::size_t k = 0; k < origins.size(); ++k)
        all_match =
            all_match && matches(bytes[k] + offset, Origin{origins[k]}, NodeId{index(first) + k});
      return all_match;
  }
}

}  // namespace lockstep
