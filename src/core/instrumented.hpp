// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How much longer things take in a build that a sanitizer watches: a factor of patience.

namespace lockstep {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr int slowness = 20;
#else
inline constexpr int slowness = 1;
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int slowness = 20;
#else
inline constexpr int slowness = 1;
#endif

}  // namespace lockstep
