// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Invariants of our own code.
///
///     expects(stride > 0, "a message holds at least one block");

#include <cstdio>
#include <cstdlib>

namespace lockstep {

// The builtins name the caller's file and line; one supported compiler lacks <source_location>.
[[noreturn]] inline void invariant_failed(const char* sentence, const char* file = __builtin_FILE(),
                                          int line = __builtin_LINE()) noexcept {
  std::fprintf(stderr, "lockstep: internal error at %s:%d: %s\n", file, line, sentence);
  std::abort();
}

constexpr void expects(bool condition, const char* sentence, const char* file = __builtin_FILE(),
                       int line = __builtin_LINE()) noexcept {
  if (!condition) [[unlikely]]
    invariant_failed(sentence, file, line);
}

/// True in the debug configuration: invariants that cost O(N) or more are checked.
#ifdef LOCKSTEP_HEAVY_CHECKS
inline constexpr bool heavy_checks = true;
#else
inline constexpr bool heavy_checks = false;
#endif

}  // namespace lockstep
