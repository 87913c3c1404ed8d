// SPDX-License-Identifier: Apache-2.0
#include "catalog/memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>

namespace lockstep::catalog {
namespace {

TEST(AvailableBytesTest, ThisHostHasSome) {
  EXPECT_GT(available_bytes(), std::uint64_t{1} << 20U);
  EXPECT_LT(available_bytes(), std::uint64_t{1} << 50U);
}

/// Pages of the kernel: an allocator may keep what is given back.
void touch(std::size_t size) {
  void* const pages =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  std::memset(pages, 'x', size);
  const volatile char* const bytes = static_cast<char*>(pages);
  EXPECT_EQ(bytes[size - 1], 'x');
  ASSERT_EQ(::munmap(pages, size), 0);
}

TEST(PeakMemoryTest, CountsWhatWasTouchedSince) {
  constexpr std::size_t large = std::size_t{256} << 20U;
  constexpr std::size_t small = std::size_t{24} << 20U;
  const PeakMemory all;
  touch(large);
  ASSERT_TRUE(all.bytes());
  EXPECT_GT(*all.bytes(), large);
  const PeakMemory later;
  touch(small);
  // Nothing is reported if the kernel does not forget.
  if (!later.bytes()) return;
  EXPECT_GT(*later.bytes(), small);
  EXPECT_LT(*later.bytes(), large);
}

}  // namespace
}  // namespace lockstep::catalog
