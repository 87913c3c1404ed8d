// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Invariants of our own code.
///
///     expects(stride > 0, "a message holds at least one block");

#include <cstdio>
#include <cstdlib>

namespace lockstep {

// The builtins give the caller's place; <source_location> is missing from one supported compiler.
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

/// Whether invariants that cost O(N) and more are checked (the debug configuration).
#ifdef LOCKSTEP_HEAVY_CHECKS
inline constexpr bool heavy_checks = true;
#else
inline constexpr bool heavy_checks = false;
#endif

}  // namespace lockstep
