// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/payload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "lockstep/program/blocks.hpp"
#include "support/cases.hpp"

namespace lockstep::test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t sizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 200};

Payload payload(std::size_t bytes, std::uint64_t seed = 1, bool personalised = true) {
  return Payload({.seed = seed, .block_bytes = bytes, .personalised = personalised});
}

Bytes block(const Payload& payload, std::uint64_t source, std::uint64_t destination) {
  Bytes bytes(payload.block_bytes());
  payload.fill(bytes.data(), NodeId{source}, NodeId{destination});
  return bytes;
}

bool matches(const Payload& payload, const Bytes& bytes, std::uint64_t source,
             std::uint64_t destination) {
  return payload.matches(bytes.data(), NodeId{source}, NodeId{destination});
}

TEST(Payload, ABlockMatchesItself) {
  for (const std::size_t size : sizes)
    for (std::uint64_t s = 0; s < 20; ++s)
      for (std::uint64_t d = 0; d < 20; ++d) {
        const Payload formula = payload(size);
        EXPECT_TRUE(matches(formula, block(formula, s, d), s, d)) << size;
      }
}

TEST(Payload, WritesNoByteBeyondTheBlock) {
  for (const std::size_t size : sizes) {
    Bytes bytes(size + 16, std::byte{0x77});
    payload(size).fill(bytes.data(), NodeId{3}, NodeId{4});
    for (std::size_t i = size; i < bytes.size(); ++i) EXPECT_EQ(bytes[i], std::byte{0x77});
  }
}

TEST(Payload, LooksAtNoByteBeyondTheBlock) {
  for (const std::size_t size : sizes) {
    Bytes bytes(size + 16, std::byte{0});
    payload(size).fill(bytes.data(), NodeId{3}, NodeId{4});
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(size), bytes.end(), std::byte{0xFF});
    EXPECT_TRUE(matches(payload(size), bytes, 3, 4));
  }
}

TEST(Payload, AnyAlteredBitIsNoticed) {
  for (const std::size_t size : sizes) {
    const Payload formula = payload(size);
    Bytes bytes = block(formula, 5, 6);
    for (std::size_t i = 0; i < size; ++i)
      for (int bit = 0; bit < 8; ++bit) {
        bytes[i] ^= std::byte{1} << bit;
        EXPECT_FALSE(matches(formula, bytes, 5, 6)) << "byte " << i << " of " << size;
        bytes[i] ^= std::byte{1} << bit;
      }
    EXPECT_TRUE(matches(formula, bytes, 5, 6));
  }
}

/// For any seed: of one byte every 256th block was poison.
TEST(Payload, ShortBlocksAreNeverPoison) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed)
    for (const std::size_t size : {1U, 2U, 7U})
      EXPECT_NE(block(payload(size, seed), seed % 7, 8).front(), poison) << "seed " << seed;
}

TEST(Payload, SwappedBytesAreNoticed) {
  const Payload formula = payload(65);
  Bytes bytes = block(formula, 5, 6);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (std::size_t j = i + 1; j < bytes.size(); ++j) {
      if (bytes[i] == bytes[j]) continue;  // then nothing changed
      std::swap(bytes[i], bytes[j]);
      EXPECT_FALSE(matches(formula, bytes, 5, 6)) << i << " " << j;
      std::swap(bytes[i], bytes[j]);
    }
}

TEST(Payload, ShiftedBlocksAreNoticed) {
  for (const std::size_t shift : {1U, 3U, 8U, 16U, 64U}) {
    const Payload formula = payload(64);
    const Bytes whole = block(payload(64 + shift), 5, 6);
    EXPECT_FALSE(matches(
        formula, Bytes(whole.begin() + static_cast<std::ptrdiff_t>(shift), whole.end()), 5, 6));
    Bytes late(shift, std::byte{0xA5});
    late.insert(late.end(), whole.begin(),
                whole.begin() + 64 - static_cast<std::ptrdiff_t>(std::min<std::size_t>(shift, 64)));
    late.resize(64);
    EXPECT_FALSE(matches(formula, late, 5, 6));
  }
}

TEST(Payload, TruncatedAndPoisonedBlocksAreNoticed) {
  for (const std::size_t size : {8U, 9U, 64U, 65U})
    for (std::size_t kept = 0; kept < size; ++kept) {
      const Payload formula = payload(size);
      Bytes bytes = block(formula, 5, 6);
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(kept), bytes.end(), std::byte{0xA5});
      // The last byte may be the poison by chance.
      EXPECT_EQ(matches(formula, bytes, 5, 6), bytes == block(formula, 5, 6)) << kept;
    }
}

/// No block of the exchange among 120 processors passes for another.
TEST(Payload, NoTwoPairsShareABlock) {
  for (const std::uint64_t seed : {0U, 1U, 2U, 77U}) {
    const Payload formula = payload(8, seed);
    std::set<Bytes> blocks;
    for (std::uint64_t s = 0; s < 120; ++s)
      for (std::uint64_t d = 0; d < 120; ++d) blocks.insert(block(formula, s, d));
    EXPECT_EQ(blocks.size(), 120U * 120U);
  }
}

TEST(Payload, SwappedSourceAndDestinationIsAnotherBlock) {
  for (const std::size_t size : {8U, 9U, 64U})
    for (std::uint64_t s = 0; s < 30; ++s)
      for (std::uint64_t d = 0; d < s; ++d) {
        const Payload formula = payload(size);
        EXPECT_FALSE(matches(formula, block(formula, s, d), d, s));
      }
}

TEST(Payload, SeedsMakeOtherBlocks) {
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    EXPECT_NE(block(payload(8, seed), 1, 2), block(payload(8, seed + 1), 1, 2));
}

TEST(Payload, WithoutDestinationOneBlockServesAll) {
  const Payload formula = payload(17, 1, false);
  const Bytes bytes = block(formula, 4, 0);
  for (std::uint64_t d = 0; d < 20; ++d) {
    EXPECT_EQ(block(formula, 4, d), bytes);
    EXPECT_TRUE(matches(formula, bytes, 4, d));
    EXPECT_FALSE(matches(formula, bytes, 5, d));
  }
}

/// Each byte position is a function of its own: as sequences over the pairs, no two positions
/// agree, and each takes every value about equally often.
TEST(Payload, EveryBytePositionIsAnotherFunction) {
  constexpr std::size_t size = 65;
  constexpr std::uint64_t pairs = 64 * 64;
  const Payload formula = payload(size);
  std::vector<Bytes> positions(size);
  for (std::uint64_t s = 0; s < 64; ++s)
    for (std::uint64_t d = 0; d < 64; ++d) {
      const Bytes bytes = block(formula, s, d);
      for (std::size_t i = 0; i < size; ++i) positions[i].push_back(bytes[i]);
    }
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<std::uint64_t> counts(256);
    for (const std::byte value : positions[i]) ++counts[std::to_integer<std::size_t>(value)];
    double chi_square = 0;
    for (const std::uint64_t count : counts) {
      const double difference = static_cast<double>(count) - pairs / 256.0;
      chi_square += difference * difference / (pairs / 256.0);
    }
    EXPECT_LT(chi_square, 400) << "position " << i;  // 255 degrees of freedom: 1 in 10^7 above
    for (std::size_t j = i + 1; j < size; ++j) {
      std::uint64_t equal = 0;
      for (std::size_t k = 0; k < pairs; ++k)
        equal += static_cast<std::uint64_t>(positions[i][k] == positions[j][k]);
      EXPECT_LT(equal, pairs / 64) << i << " and " << j;  // 16 expected
    }
  }
}

TEST(Payload, NeighbouringPairsDifferInHalfOfTheirBits) {
  const auto make = [](Random& random) {
    return std::pair(uniform(random, 0, 1U << 20U), uniform(random, 0, 1U << 20U));
  };
  std::uint64_t different = 0;
  for_all(2'000, make, [&](const auto& pair) {
    const Payload formula = payload(8);
    const Bytes here = block(formula, pair.first, pair.second);
    for (const Bytes& next :
         {block(formula, pair.first + 1, pair.second), block(formula, pair.first, pair.second + 1)})
      for (std::size_t i = 0; i < 8; ++i)
        different +=
            static_cast<std::uint64_t>(std::popcount(std::to_integer<unsigned>(here[i] ^ next[i])));
  });
  EXPECT_NEAR(static_cast<double>(different) / (2 * 2'000), 32.0, 0.5);
}

}  // namespace
}  // namespace lockstep::test
