// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Memory that was freed goes back to the system: allocators keep what lies below what is in use.

#include <cstdint>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lockstep {

/// After what took `taken` bytes and left little: planning. A little is kept, since the system
/// takes a millisecond to look for it, and as long again to hand it out.
inline void give_back_freed_memory([[maybe_unused]] std::uint64_t taken) {
#ifdef __GLIBC__
  constexpr std::uint64_t worthwhile = std::uint64_t{16} << 20U;
  if (taken >= worthwhile) ::malloc_trim(0);
#endif
}

}  // namespace lockstep
