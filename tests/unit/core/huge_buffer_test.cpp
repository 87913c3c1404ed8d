// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/detail/huge_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

namespace lockstep::test {
namespace {

constexpr std::size_t large = std::size_t{5} << 20U;

/// The address of a buffer of that size, which is written and given back.
std::byte* used_once(std::size_t size) {
  const HugeBuffer buffer(size);
  std::memset(buffer.data(), 0x5C, size);
  return buffer.data();
}

TEST(HugeBuffer, HasTheSizeThatWasAskedFor) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, large})
    EXPECT_EQ(HugeBuffer(size).size(), size);
  EXPECT_EQ(HugeBuffer(0).data(), nullptr);
}

TEST(HugeBuffer, ZeroedIsZeroInMemoryThatWasUsed) {
  const KeptBuffers kept;
  for (const std::size_t size : {std::size_t{100}, large, large + 77}) {
    (void)used_once(size);
    const HugeBuffer buffer = HugeBuffer::zeroed(size);
    EXPECT_TRUE(std::ranges::all_of(std::span(buffer.data(), size),
                                    [](std::byte byte) { return byte == std::byte{0}; }));
  }
}

TEST(KeptBuffers, GiveTheMemoryToTheNextBufferOfItsSize) {
  const KeptBuffers kept;
  std::byte* const first = used_once(large);
  const HugeBuffer again(large);
  EXPECT_EQ(again.data(), first);
  const HugeBuffer another(large);  // the memory is in use
  EXPECT_NE(another.data(), first);
  std::memset(another.data(), 0, large);
}

/// Two buffers of a repetition find theirs, in whatever order they were given back.
TEST(KeptBuffers, KeepAllBuffersOfARepetition) {
  const KeptBuffers kept;
  std::byte* small = nullptr;
  std::byte* big = nullptr;
  {
    const HugeBuffer one(large);
    const HugeBuffer two(2 * large);
    small = one.data();
    big = two.data();
  }
  for (int repetition = 0; repetition < 3; ++repetition) {
    const HugeBuffer one(large);
    const HugeBuffer two(2 * large);
    EXPECT_EQ(one.data(), small);
    EXPECT_EQ(two.data(), big);
  }
}

TEST(KeptBuffers, FreeWhatWaitsForABufferOfAnotherSize) {
  const KeptBuffers kept;
  {
    const HugeBuffer one(large);
    const HugeBuffer two(large);
  }
  EXPECT_GE(KeptBuffers::bytes(), 2 * large);
  {
    const HugeBuffer longer(2 * large);
    EXPECT_EQ(KeptBuffers::bytes(), 0U);
  }
  EXPECT_GE(KeptBuffers::bytes(), 2 * large);
}

TEST(KeptBuffers, FreeWhatWaitsAtTheEndOfTheLastOne) {
  {
    const KeptBuffers kept;
    {
      const KeptBuffers inner;
      (void)used_once(large);
    }
    EXPECT_GE(KeptBuffers::bytes(), large);
  }
  EXPECT_EQ(KeptBuffers::bytes(), 0U);
  (void)used_once(large);
  EXPECT_EQ(KeptBuffers::bytes(), 0U);
}

TEST(KeptBuffers, MayBeUsedByAllThreads) {
  const KeptBuffers kept;
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      for (int repetition = 0; repetition < 20; ++repetition) (void)used_once(large + i % 2);
    });
}

}  // namespace
}  // namespace lockstep::test
