// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A thread of the host, or ResourceExhausted where the host refuses one: every thread of the
/// program but those of the executors is made here.
///
///     std::jthread worker = new_thread<std::jthread>([] { work(); });

#include <system_error>
#include <utility>

#include "lockstep/core/errors.hpp"

namespace lockstep {

/// The one line for every thread that there is not.
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
