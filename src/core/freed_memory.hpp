// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Memory that was freed goes back to the system: allocators keep what lies below what is in use.

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lockstep {

/// After what took much memory and left little: planning.
inline void give_back_freed_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace lockstep
