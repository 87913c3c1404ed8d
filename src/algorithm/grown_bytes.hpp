// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Memory of an array that grows element by element while a plan is made.

#include <algorithm>
#include <bit>
#include <cstdint>

namespace lockstep {

/// Most bytes of an array of T that grows to `count` elements: it doubles when it is full, and the
/// full half is copied into the new one before it is given back.
template <class T>
[[nodiscard]] constexpr std::uint64_t grown_bytes(std::uint64_t count) noexcept {
  if (count <= 1) return count * sizeof(T);
  return std::max(count, 2 * std::bit_floor(count - 1)) * sizeof(T);
}

}  // namespace lockstep
