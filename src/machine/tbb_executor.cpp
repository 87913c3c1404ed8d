// SPDX-License-Identifier: Apache-2.0
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "lockstep/machine/executor.hpp"

namespace lockstep {
namespace {

/// The static partitioner gives a worker the same blocks in every step, so that their memory stays
/// in its cache.
class TbbExecutor final : public Executor {
 public:
  explicit TbbExecutor(std::size_t workers)
      : control_(tbb::global_control::max_allowed_parallelism, workers),
        arena_(static_cast<int>(workers)) {
    wake();
  }

  [[nodiscard]] std::string_view name() const noexcept override { return "tbb"; }
  [[nodiscard]] std::size_t worker_count() const noexcept override {
    return static_cast<std::size_t>(arena_.max_concurrency());
  }

  void run(const std::function<void()>& job) override { arena_.execute(job); }

  void for_each(std::size_t count, const Body& body) override {
    if (count == 1) return body(0);
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count),
        [&body](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i < range.end(); ++i) body(i);
        },
        tbb::static_partitioner{});
  }

 private:
  /// Its threads are there before the first step, which would wait for them. Tasks wait for each
  /// other here, but no longer than that: a thread that is not free in time is not needed yet.
  void wake() {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point latest = Clock::now() + std::chrono::milliseconds(2);
    std::atomic<std::size_t> there = 0;
    run([&] {
      for_each(worker_count(), [&](std::size_t) {
        // relaxed: a head count, nothing is read through it.
        there.fetch_add(1, std::memory_order_relaxed);
        while (there.load(std::memory_order_relaxed) < worker_count() && Clock::now() < latest)
          std::this_thread::yield();
      });
    });
  }

  tbb::global_control control_;
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Executor> detail::make_tbb_executor(std::size_t workers) {
  return std::make_unique<TbbExecutor>(workers);
}

}  // namespace lockstep
