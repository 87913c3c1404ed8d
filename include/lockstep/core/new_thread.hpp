// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Creates a thread, or throws ResourceExhausted if the operating system refuses one. All threads
/// except those of the executors are created here.
///
///     std::jthread worker = new_thread<std::jthread>([] { work(); });

#include <system_error>
#include <utility>

#include "lockstep/core/errors.hpp"

namespace lockstep {

/// The message of every refused thread.
inline constexpr const char* thread_refused =
    "the operating system refused a thread because of a limit on processes or memory "
    "(ulimit -u, ulimit -v); use fewer --threads or raise the limit";

template <class Thread, class Work>
[[nodiscard]] Thread new_thread(Work&& work) try {
  return Thread(std::forward<Work>(work));
} catch (const std::system_error&) {
  throw ResourceExhausted(thread_refused);
}

}  // namespace lockstep
