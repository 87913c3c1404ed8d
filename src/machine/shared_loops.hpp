// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Loops that one thread runs one after another, and that helpers share with it. A helper that has
/// nothing to do looks for the next loop for some microseconds before it leaves: it takes a share
/// of a short loop sooner than a thread that has to be woken, or that a scheduler gives a task.
///
///     tbb::task_group tasks;
///     SharedLoops loops(2, 5us, [&] { tasks.run([&] { loops.help(1); }); });
///     loops.for_each(blocks, step_of_block);
///     loops.close();
///     tasks.wait();
///
/// The items of a loop have numbers that are never used again. Each worker has a share of them,
/// whose next number only grows, and whoever moves it on by one runs that item. A helper that is
/// late, and still has the end of an earlier loop in mind, finds the next number at this end or
/// beyond it, and takes nothing. The loop ends when all of its items are done, so that nothing
/// that describes it changes while somebody runs one of them.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "lockstep/machine/executor.hpp"

namespace lockstep {

class SharedLoops {
 public:
  using Body = Executor::Body;

  /// `workers`: the caller of for_each() and at most workers - 1 helpers. A helper leaves when it
  /// has seen no new loop for as long as `patience`. `call` is to bring one helper, sooner or
  /// later.
  SharedLoops(std::size_t workers, std::chrono::nanoseconds patience, std::function<void()> call)
      : patience_(patience), call_(std::move(call)), shares_(workers) {}

  /// body(i) for every i < count; the caller runs what no helper has taken. `body` must not throw.
  /// If `call` throws, so does for_each(), after the loop.
  void for_each(std::size_t count, const Body& body);

  /// Runs items of the loops; those of the share with this number, modulo `workers`, first. To be
  /// called once for each call of `call`. Returns after close(), when the helper has lost patience,
  /// or after some loops, so that its thread also serves others.
  void help(std::size_t number) noexcept;

  /// No loop follows. The object must outlive every help().
  void close() noexcept { closed_.store(true, std::memory_order_relaxed); }

 private:
  /// Items with the numbers from `next` to below `end` have not been taken.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> next{0};
    std::atomic<std::uint64_t> end{0};
    std::atomic<std::uint64_t> first_index{0};  // index of an item less its number, modulo 2^64
  };

  /// Divides the loop among the first `parts` shares, and tells the helpers that are there.
  void begin(std::size_t count, std::size_t parts, const Body& body);
  void call_helpers(std::size_t wanted);
  /// Runs what is left of the loop, and waits for the helpers' items.
  void end();
  /// Takes items until none are left, those of `own` first. Returns how many it ran.
  std::size_t run_items(std::size_t own) noexcept;
  /// Counts items as done. Whoever does the last of a loop wakes the caller.
  void finish(std::size_t items) noexcept;

  const std::chrono::nanoseconds patience_;
  const std::function<void()> call_;
  std::vector<Share> shares_;
  alignas(64) std::atomic<std::uint64_t> loop_{0};  // how many have begun
  std::atomic<const Body*> body_{nullptr};
  std::atomic<bool> closed_{false};
  alignas(64) std::atomic<std::size_t> left_{0};     // items of the loop that are not done
  alignas(64) std::atomic<std::size_t> helpers_{0};  // there or called
};

}  // namespace lockstep
