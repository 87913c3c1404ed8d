// SPDX-License-Identifier: Apache-2.0
#include "machine/shared_loops.hpp"

#include <algorithm>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace lockstep {
namespace {

using SpinClock = std::chrono::steady_clock;

/// Tells the core that this thread only looks.
void pause_core() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/// Whether `found` was true before `patience` was over.
template <class Found>
[[nodiscard]] bool look_for(std::chrono::nanoseconds patience, const Found& found) {
  if (found()) return true;
  const SpinClock::time_point latest = SpinClock::now() + patience;
  do {
    for (int i = 0; i < 4; ++i) {
      if (found()) return true;
      pause_core();
    }
  } while (SpinClock::now() < latest);
  return false;
}

}  // namespace

void SharedLoops::for_each(std::size_t count, const Body& body) {
  if (count == 0) return;
  const std::size_t parts = std::min(count, shares_.size());
  begin(count, parts, body);
  try {
    call_helpers(parts - 1);
  } catch (...) {
    end();
    throw;
  }
  end();
}

void SharedLoops::begin(std::size_t count, std::size_t parts, const Body& body) {
  left_.store(count, std::memory_order_relaxed);  // published by the ends, as body_ is
  body_.store(&body, std::memory_order_relaxed);
  for (std::size_t worker = 0; worker < parts; ++worker) {
    Share& share = shares_[worker];
    const std::size_t first = count * worker / parts;
    const std::uint64_t begin = share.end.load(std::memory_order_relaxed);  // written here only
    share.first_index.store(first - begin, std::memory_order_relaxed);
    // release: whoever sees this end sees the index of its items, the body and the number left.
    share.end.store(begin + count * (worker + 1) / parts - first, std::memory_order_release);
  }
  // release: who sees the number of the loop sees its ends.
  loop_.store(loop_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void SharedLoops::call_helpers(std::size_t wanted) {
  // relaxed: a number. A helper that leaves just now is missed for one loop.
  for (std::size_t there = helpers_.load(std::memory_order_relaxed); there < wanted; ++there) {
    call_();
    helpers_.fetch_add(1, std::memory_order_relaxed);
  }
}

void SharedLoops::end() {
  finish(run_items(0));
  // acquire: pairs with the release in finish(), whatever the bodies wrote is seen.
  const auto over = [this] { return left_.load(std::memory_order_acquire) == 0; };
  if (look_for(patience_, over)) return;
  for (std::size_t left; (left = left_.load(std::memory_order_acquire)) != 0;)
    left_.wait(left, std::memory_order_acquire);
}

std::size_t SharedLoops::run_items(std::size_t own) noexcept {
  std::size_t done = 0;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    Share& share = shares_[own + i < shares_.size() ? own + i : own + i - shares_.size()];
    const std::uint64_t end = share.end.load(std::memory_order_acquire);  // pairs with begin()
    // relaxed: the number alone matters. An item below `end` that is not taken belongs to the loop
    // that set this end, and that loop cannot end before the item is done.
    std::uint64_t next = share.next.load(std::memory_order_relaxed);
    while (next < end) {
      if (!share.next.compare_exchange_weak(next, next + 1, std::memory_order_relaxed)) continue;
      (*body_.load(std::memory_order_relaxed))(next +
                                               share.first_index.load(std::memory_order_relaxed));
      ++done;
      ++next;
    }
  }
  return done;
}

void SharedLoops::finish(std::size_t items) noexcept {
  if (items == 0) return;
  // release: what the bodies wrote is seen by the caller; acquire: and what those of others wrote.
  if (left_.fetch_sub(items, std::memory_order_acq_rel) == items) left_.notify_one();
}

void SharedLoops::help(std::size_t number) noexcept {
  constexpr int most_loops = 64;
  const std::size_t own = number % shares_.size();
  std::uint64_t seen = 0;
  const auto next_loop = [&] {
    // acquire: pairs with begin()
    const std::uint64_t loop = loop_.load(std::memory_order_acquire);
    return std::exchange(seen, loop) != loop || closed_.load(std::memory_order_relaxed);
  };
  for (int i = 0; i < most_loops && look_for(patience_, next_loop); ++i) {
    if (closed_.load(std::memory_order_relaxed)) break;
    finish(run_items(own));
  }
  helpers_.fetch_sub(1, std::memory_order_relaxed);  // a number
}

}  // namespace lockstep
