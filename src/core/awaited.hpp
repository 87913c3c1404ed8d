// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Work that is waited for only so long: a plan, a group, a search, which know no step at which
/// they could stop.
///
///     const auto text = awaited([topology] { return text_of(topology); }, {.stop = session.stop});
///     if (!text) return code(Exit::interrupted);
///
/// The work has a thread of its own, which goes on where nobody waits any more: so it owns all that
/// it needs, and the program ends without destroying anything, as leave_if_given_up() does.

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/instrumented.hpp"
#include "lockstep/core/new_thread.hpp"

namespace lockstep {

struct Patience {
  static constexpr std::chrono::milliseconds forever = std::chrono::hours(24 * 365);

  std::stop_token stop{};
  /// Work that looks at the token has this time to end.
  std::chrono::milliseconds after_stop{400 * slowness};
  std::chrono::milliseconds at_most = forever;
  /// Asked after that time: whether to wait on, without a limit. None: no.
  std::function<bool()> goes_on{};
};

namespace detail {

/// The state that the waiting thread and the working thread share.
template <class Result>
struct Awaited {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::optional<Result> result;
  std::exception_ptr failure;

  [[nodiscard]] bool is_done() const { return result.has_value() || failure != nullptr; }
};

void note_given_up() noexcept;

}  // namespace detail

/// The result of the work; empty if the caller gave it up. Throws the exception of the work.
template <class Work>
[[nodiscard]] auto awaited(Work work, const Patience& patience)
    -> std::optional<std::invoke_result_t<Work&>> {
  using Shared = detail::Awaited<std::invoke_result_t<Work&>>;
  const auto shared = std::make_shared<Shared>();
  std::thread worker = new_thread<std::thread>([shared, work = std::move(work)]() mutable {
    try {
      auto result = work();
      const std::lock_guard lock(shared->mutex);
      shared->result = std::move(result);
    } catch (...) {
      const std::lock_guard lock(shared->mutex);
      shared->failure = std::current_exception();
    }
    shared->changed.notify_all();
  });
  std::unique_lock lock(shared->mutex);
  const auto is_done = [&] { return shared->is_done(); };
  shared->changed.wait_for(lock, patience.stop, patience.at_most, is_done);
  if (!is_done() && !patience.stop.stop_requested() && patience.goes_on && patience.goes_on())
    shared->changed.wait_for(lock, patience.stop, Patience::forever, is_done);
  if (!is_done() && patience.stop.stop_requested())
    shared->changed.wait_for(lock, patience.after_stop, is_done);
  const bool done = is_done();
  lock.unlock();
  if (!done) {
    detail::note_given_up();
    worker.detach();
    return std::nullopt;
  }
  worker.join();
  if (shared->failure) std::rethrow_exception(shared->failure);
  return std::move(shared->result);
}

/// Ends the program with that exit code, if some work may still run; else does nothing.
void leave_if_given_up(int exit_code);

}  // namespace lockstep
