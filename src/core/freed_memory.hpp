// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Memory that was freed goes back to the system: allocators keep what lies below what is in use.

#include <cstdint>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lockstep {

/// For planning, which takes `taken` bytes and leaves few of them in use. The system needs about
/// half a millisecond to take memory back and to clear it when it is used again, so little is kept.
inline void give_back_freed_memory([[maybe_unused]] std::uint64_t taken) {
#ifdef __GLIBC__
  constexpr std::uint64_t worthwhile = std::uint64_t{16} << 20U;
  if (taken >= worthwhile) ::malloc_trim(0);
#endif
}

}  // namespace lockstep
