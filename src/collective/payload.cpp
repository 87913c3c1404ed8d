// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/payload.hpp"

#include <algorithm>
#include <array>

#include "lockstep/core/detail/constant_size.hpp"

namespace lockstep {
namespace {

/// Rows are worked through in pieces that stay in registers and the nearest cache.
constexpr std::size_t piece = 64;

}  // namespace

/// The words of a block, of which the last may be a part.
template <std::size_t bytes>
constexpr std::size_t words_of = (bytes + 7) / 8;

/// The block's j-th word, or as many bytes of it as there are.
template <std::size_t bytes>
std::uint64_t Payload::word_in(std::uint64_t key, std::size_t j) noexcept {
  constexpr std::size_t rest = bytes % word_bytes;
  if (rest == 0 || j + 1 < words_of<bytes>) return word(key, j);
  return last_word(key, j) & ((std::uint64_t{1} << (8 * rest)) - 1);
}

/// All words of a piece are computed before the first is stored, which might be anybody's memory.
template <std::size_t bytes>
void Payload::fill_blocks(std::byte* to, std::size_t stride, NodeId first,
                          std::span<const std::uint32_t> destinations) const noexcept {
  constexpr std::size_t words = words_of<bytes>;
  const Payload payload = *this;
  for (std::size_t done = 0; done < destinations.size(); done += piece) {
    const std::size_t count = std::min(piece, destinations.size() - done);
    const std::uint32_t* const destination = destinations.data() + done;
    std::array<std::uint64_t, piece> keys;
    for (std::size_t k = 0; k < count; ++k)
      keys[k] = payload.key_of(NodeId{index(first) + done + k}, NodeId{destination[k]});
    std::array<std::uint64_t, piece * words> all;
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t j = 0; j < words; ++j) all[k * words + j] = word_in<bytes>(keys[k], j);
    for (std::size_t k = 0; k < count; ++k)
      std::memcpy(to + (done + k) * stride, all.data() + k * words, bytes);
  }
}

void Payload::fill_each(std::byte* bytes, std::size_t stride, NodeId first,
                        std::span<const std::uint32_t> destinations) const noexcept {
  detail::with_constant_size(block_bytes_, [&]<std::size_t size>() {
    if constexpr (size != 0) return fill_blocks<size>(bytes, stride, first, destinations);
    const Payload payload = *this;
    for (std::size_t k = 0; k < destinations.size(); ++k)
      payload.fill(bytes + k * stride, NodeId{index(first) + k}, NodeId{destinations[k]});
  });
}

template <std::size_t bytes, class BytesOf, class DestinationOf>
bool Payload::match_blocks(std::span<const std::uint32_t> origins, const BytesOf& bytes_of,
                           const DestinationOf& destination_of) const noexcept {
  constexpr std::size_t words = words_of<bytes>;
  const Payload payload = *this;
  std::uint64_t difference = 0;
  for (std::size_t done = 0; done < origins.size(); done += piece) {
    const std::size_t count = std::min(piece, origins.size() - done);
    const std::uint32_t* const from = origins.data() + done;
    std::array<std::uint64_t, piece * words> found;
    for (std::size_t k = 0; k < count; ++k) {
      if constexpr (bytes % word_bytes != 0) found[k * words + words - 1] = 0;
      std::memcpy(found.data() + k * words, bytes_of(done + k), bytes);
    }
    std::array<std::uint64_t, piece> keys;
    for (std::size_t k = 0; k < count; ++k)
      keys[k] = payload.key_of(Origin{from[k]}, destination_of(done + k));
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t j = 0; j < words; ++j)
        difference |= found[k * words + j] ^ word_in<bytes>(keys[k], j);
  }
  return difference == 0;
}

/// bytes_of(k) is the block of origins[k] for destination_of(k).
template <class BytesOf, class DestinationOf>
bool Payload::match_all(std::span<const std::uint32_t> origins, const BytesOf& bytes_of,
                        const DestinationOf& destination_of) const noexcept {
  return detail::with_constant_size(block_bytes_, [&]<std::size_t size>() {
    if constexpr (size != 0) return match_blocks<size>(origins, bytes_of, destination_of);
    bool all_match = true;
    for (std::size_t k = 0; k < origins.size(); ++k)
      all_match = all_match && matches(bytes_of(k), Origin{origins[k]}, destination_of(k));
    return all_match;
  });
}

bool Payload::match_each(const std::byte* const* bytes, std::size_t offset,
                         std::span<const std::uint32_t> origins, NodeId first) const noexcept {
  return match_all(
      origins, [=](std::size_t k) { return bytes[k] + offset; },
      [=](std::size_t k) { return NodeId{index(first) + k}; });
}

bool Payload::match_run(const std::byte* bytes, std::size_t stride,
                        std::span<const std::uint32_t> origins, NodeId destination) const noexcept {
  return match_all(
      origins, [=](std::size_t k) { return bytes + k * stride; },
      [=](std::size_t) { return destination; });
}

}  // namespace lockstep
