// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Executors: what runs the blocks of processors of one step. The return of for_each() is the
/// barrier between steps; no body ever waits for another (style, 5.6).
///
///   serial   for (i) body(i)
///   tbb      tasks of oneTBB in an arena of W workers; the default
///   thread   W threads that meet at a std::barrier (thread_executor.hpp); the default where
///            ThreadSanitizer watches: a stock oneTBB is not instrumented, and raises false alarms
///
///     const auto executor = make_executor(ExecutorKind::tbb, 2);
///     executor->run([&] { executor->for_each(blocks, step_of_block); });

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "lockstep/core/detail/std_basics.hpp"

namespace lockstep {

enum class ExecutorKind : std::uint8_t { tbb, thread, serial };

namespace detail {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool watches_threads = true;
#elif defined(__has_feature)
inline constexpr bool watches_threads = __has_feature(thread_sanitizer);
#else
inline constexpr bool watches_threads = false;
#endif

inline constexpr std::array all_executors{ExecutorKind::tbb, ExecutorKind::thread,
                                          ExecutorKind::serial};

}  // namespace detail

/// The executors that raise no false alarms in this build, the default first.
inline constexpr std::span<const ExecutorKind> executor_kinds =
    std::span(detail::all_executors).subspan(detail::watches_threads ? 1 : 0);
inline constexpr ExecutorKind default_executor = executor_kinds.front();

class Executor {
 public:
  using Body = std::function<void(std::size_t)>;

  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  [[nodiscard]] virtual std::size_t worker_count() const noexcept = 0;

  /// Runs `job` where for_each() is cheap to call many times. Exceptions of `job` pass through.
  virtual void run(const std::function<void()>& job) { job(); }

  /// body(i) for every i < count, on any worker, in any order; returns when all are done.
  /// `body` must not throw. To be called from within run().
  virtual void for_each(std::size_t count, const Body& body) = 0;
};

/// `workers` 1..max_workers, else InvalidParameter; serial has one whatever was asked for.
[[nodiscard]] std::unique_ptr<Executor> make_executor(ExecutorKind kind, std::size_t workers);

inline constexpr std::size_t max_workers = 1024;

namespace detail {
[[nodiscard]] std::unique_ptr<Executor> make_tbb_executor(std::size_t workers);
}  // namespace detail

}  // namespace lockstep
