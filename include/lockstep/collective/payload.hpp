// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The bytes of a block as a formula of (seed, origin, destination, offset), so that any receiver
/// checks any byte with nothing stored (design, section 5).
///
/// Two different blocks agree in an 8-byte word with probability 2^-64; a block that was swapped,
/// shifted, truncated, repeated or left over from an earlier step does not pass. Short blocks agree
/// more often, in a byte with probability 2^-8; the first byte of one is never poison
/// (program/blocks.hpp), so that memory in which nothing was stored never passes for it.
///
///     Payload payload{{.seed = 1, .block_bytes = 64, .personalised = true}};
///     payload.fill(bytes, origin, destination);
///     assert(payload.matches(bytes, origin, destination));

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "lockstep/core/ids.hpp"

namespace lockstep {

class Payload {
 public:
  struct Parameters {
    std::uint64_t seed = 1;
    std::size_t block_bytes = 8;
    bool personalised = true;  ///< false: the block of an origin is the same for all destinations
  };

  explicit Payload(const Parameters& parameters) noexcept
      : seed_(mixed(parameters.seed + golden)),
        block_bytes_(parameters.block_bytes),
        destination_mask_(parameters.personalised ? ~std::uint64_t{0} : 0) {}

  [[nodiscard]] std::size_t block_bytes() const noexcept { return block_bytes_; }

  /// Writes the block of (origin, destination) to `bytes`, block_bytes() long.
  void fill(std::byte* bytes, Origin origin, NodeId destination) const noexcept {
    const std::uint64_t key = key_of(origin, destination);
    if (block_bytes_ == word_bytes) {  // the commonest block, without the loop
      const std::uint64_t expected = word(key, 0);
      std::memcpy(bytes, &expected, word_bytes);
      return;
    }
    const std::size_t whole = block_bytes_ / word_bytes;
    for (std::size_t j = 0; j < whole; ++j) {
      const std::uint64_t expected = word(key, j);
      std::memcpy(bytes + j * word_bytes, &expected, word_bytes);
    }
    if (const std::size_t rest = block_bytes_ % word_bytes; rest != 0) {
      const std::uint64_t expected = last_word(key, whole);
      std::memcpy(bytes + whole * word_bytes, &expected, rest);
    }
  }

  /// Whether `bytes` is exactly the block of (origin, destination).
  [[nodiscard]] bool matches(const std::byte* bytes, Origin origin,
                             NodeId destination) const noexcept {
    const std::uint64_t key = key_of(origin, destination);
    if (block_bytes_ == 1)  // of broadcasts to many processors
      return *bytes == static_cast<std::byte>(last_word(key, 0));
    if (block_bytes_ == word_bytes) {
      std::uint64_t found = 0;
      std::memcpy(&found, bytes, word_bytes);
      return found == word(key, 0);
    }
    if (block_bytes_ == usual_words * word_bytes)  // a loop of constant length becomes vectors
      return difference_of(bytes, key, usual_words) == 0;
    const std::size_t whole = block_bytes_ / word_bytes;
    std::uint64_t difference = difference_of(bytes, key, whole);
    if (const std::size_t rest = block_bytes_ % word_bytes; rest != 0) {
      const std::uint64_t expected = last_word(key, whole);
      difference |=
          static_cast<std::uint64_t>(std::memcmp(bytes + whole * word_bytes, &expected, rest) != 0);
    }
    return difference == 0;
  }

  // Rows: a block each of consecutive nodes, in loops that the compiler turns into vectors.

  /// fill() at bytes + k * stride of the block of (first + k, destinations[k]), for all k.
  void fill_each(std::byte* bytes, std::size_t stride, NodeId first,
                 std::span<const std::uint32_t> destinations) const noexcept;
  /// Whether bytes[k] + offset is the block of (origins[k], first + k), for all k.
  [[nodiscard]] bool match_each(const std::byte* const* bytes, std::size_t offset,
                                std::span<const std::uint32_t> origins,
                                NodeId first) const noexcept;
  /// Whether bytes + k * stride is the block of (origins[k], destination), for all k.
  [[nodiscard]] bool match_run(const std::byte* bytes, std::size_t stride,
                               std::span<const std::uint32_t> origins,
                               NodeId destination) const noexcept;

 private:
  static_assert(std::endian::native == std::endian::little,
                "the byte order of a word is part of the formula");

  static constexpr std::size_t word_bytes = 8;
  static constexpr std::size_t usual_words = 8;       // of blocks of 64 bytes, the default
  static constexpr std::uint64_t poison_byte = 0xA5;  // of program/blocks.hpp, a layer above
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

  static constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93;
    return x ^ (x >> 32);
  }

  [[nodiscard]] std::uint64_t key_of(Origin origin, NodeId destination) const noexcept {
    // The half that depends on the origin alone is hoisted out of a loop over destinations.
    std::uint64_t key = (index(origin) + 1) * golden + seed_;
    key = (key ^ (key >> 32)) * 0xd6e8feb86659fd93;
    key = (key ^ (key >> 29) ^ (index(destination) & destination_mask_)) * 0xbf58476d1ce4e5b9;
    return key ^ (key >> 32);
  }

  static constexpr std::uint64_t word(std::uint64_t key, std::uint64_t j) noexcept {
    // One multiplication a block. Steps of the golden section keep the words of a block apart:
    // scaled after the step, a byte would agree with the one 48 bytes further on in every ninth
    // block.
    const std::uint64_t sum = key * 0x94d049bb133111eb + (j + 1) * golden;
    return sum ^ (sum >> 32);
  }

  /// A part of the last word is used; if it is the only word, its first byte is not poison.
  static constexpr std::uint64_t last_word(std::uint64_t key, std::uint64_t j) noexcept {
    const std::uint64_t last = word(key, j);
    const bool is_poison = (last & 0xFFU) == poison_byte;
    return last ^ static_cast<std::uint64_t>(is_poison && j == 0);
  }

  /// 0 where the words are those of the block.
  [[gnu::always_inline]] static std::uint64_t difference_of(const std::byte* bytes,
                                                            std::uint64_t key,
                                                            std::size_t words) noexcept {
    std::uint64_t difference = 0;
    for (std::size_t j = 0; j < words; ++j) {
      std::uint64_t found = 0;
      std::memcpy(&found, bytes + j * word_bytes, word_bytes);
      difference |= found ^ word(key, j);
    }
    return difference;
  }
  template <std::size_t bytes>
  [[nodiscard]] static std::uint64_t word_in(std::uint64_t key, std::size_t j) noexcept;
  template <std::size_t bytes>
  void fill_blocks(std::byte* to, std::size_t stride, NodeId first,
                   std::span<const std::uint32_t> destinations) const noexcept;
  template <std::size_t bytes, class BytesOf, class DestinationOf>
  [[nodiscard]] bool match_blocks(std::span<const std::uint32_t> origins, const BytesOf& bytes_of,
                                  const DestinationOf& destination_of) const noexcept;
  template <class BytesOf, class DestinationOf>
  [[nodiscard]] bool match_all(std::span<const std::uint32_t> origins, const BytesOf& bytes_of,
                               const DestinationOf& destination_of) const noexcept;

  std::uint64_t seed_;
  std::size_t block_bytes_;
  std::uint64_t destination_mask_;
};

}  // namespace lockstep
