// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One heap for all threads where memory is limited (`ulimit -v`). The C library reserves 64 MiB of
/// the address space for the heap of each thread: more than all else of a thread. Where that is
/// refused, it asks again for every block.

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/resource.h>

namespace lockstep {

/// Returns false where there is no such limit: threads keep heaps of their own.
inline bool share_heap_under_a_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY) return false;
#ifdef __GLIBC__
  (void)::mallopt(M_ARENA_MAX, 1);
#endif
  return true;
}

}  // namespace lockstep
