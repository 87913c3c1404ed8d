// SPDX-License-Identifier: Apache-2.0

/// copy_blocks(): blocks of every size, consecutive and named by lists on either side.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/machine/arrival.hpp"

namespace lockstep::test {
namespace {

using List = std::vector<std::uint32_t>;

constexpr std::byte untouched{0xEE};

/// The memory after the copy, byte by byte.
[[nodiscard]] std::vector<std::byte> expected(const List* into, const std::vector<std::byte>& from,
                                              const List* list, std::size_t count,
                                              std::size_t bytes) {
  std::vector<std::byte> to(from.size(), untouched);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t at = 0; at < bytes; ++at)
      to[(into == nullptr ? i : (*into)[i]) * bytes + at] =
          from[(list == nullptr ? i : (*list)[i]) * bytes + at];
  return to;
}

TEST(CopyBlocks, CopiesBlocksOfEverySizeWhereTheListsSay) {
  const List three{4, 0, 5};
  const List twice{2, 2, 6, 1};
  for (std::size_t bytes = 0; bytes <= 70; ++bytes) {
    std::vector<std::byte> from(8 * bytes);
    for (std::size_t at = 0; at < from.size(); ++at) from[at] = std::byte(at % 251 ^ at / 251);
    for (const List* into : {static_cast<const List*>(nullptr), &three, &twice})
      for (const List* list : {static_cast<const List*>(nullptr), &three, &twice})
        for (std::size_t count = 0; count <= 3; ++count) {
          std::vector<std::byte> to(from.size(), untouched);
          detail::copy_blocks(to.data(), into == nullptr ? nullptr : into->data(), from.data(),
                              list == nullptr ? nullptr : list->data(), count, bytes);
          EXPECT_EQ(to, expected(into, from, list, count, bytes))
              << bytes << " bytes, " << count << " blocks";
        }
  }
}

}  // namespace
}  // namespace lockstep::test
