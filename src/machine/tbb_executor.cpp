// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <sys/syscall.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/shared_heap.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/new_thread.hpp"
#include "lockstep/machine/executor.hpp"
#include "machine/shared_loops.hpp"

namespace lockstep {
namespace {

/// oneTBB makes its threads when it needs them, in one another, and the program is terminated where
/// the host refuses one. So as many threads as it will make, with stacks of the same size, are made
/// here first, all there at once, and are gone again before oneTBB begins.
class ThreadTrial {
 public:
  /// Throws ResourceExhausted where the host refuses one of them, std::bad_alloc where it refuses
  /// what they take beside their stacks.
  static void pass(std::size_t threads) {
    static std::atomic<std::size_t> passed{0};
    // relaxed: a number; oneTBB keeps its threads, which count against a limit themselves.
    if (!share_heap_under_a_limit() && threads <= passed.load(std::memory_order_relaxed)) return;
    ThreadTrial trial;
    for (std::size_t i = 0; i < threads; ++i) trial.add();
    trial.end();
    passed.store(threads, std::memory_order_relaxed);
  }

 private:
  struct Thread {
    pthread_t handle{};
    std::atomic<bool>* over = nullptr;
    std::atomic<long> id{0};
    std::unique_ptr<std::byte[]> memory{};
  };

  ThreadTrial() {
    (void)pthread_attr_init(&attributes_);
    (void)pthread_attr_setstacksize(
        &attributes_, tbb::global_control::active_value(tbb::global_control::thread_stack_size));
  }
  ThreadTrial(const ThreadTrial&) = delete;
  ThreadTrial& operator=(const ThreadTrial&) = delete;
  ~ThreadTrial() {
    end();
    (void)pthread_attr_destroy(&attributes_);
  }

  void add() {
    constexpr std::size_t beside_its_stack = std::size_t{1} << 20U;
    auto thread = std::make_unique<Thread>();
    thread->over = &over_;
    thread->memory = std::make_unique_for_overwrite<std::byte[]>(beside_its_stack);
    threads_.reserve(threads_.size() + 1);
    if (pthread_create(&thread->handle, &attributes_, &ThreadTrial::wait, thread.get()) != 0)
      throw ResourceExhausted(thread_refused);
    threads_.push_back(std::move(thread));
  }

  static void* wait(void* argument) {
    auto& thread = *static_cast<Thread*>(argument);
    thread.id.store(::syscall(SYS_gettid), std::memory_order_relaxed);  // read after a join
    thread.over->wait(false, std::memory_order_acquire);  // pairs with the store in end()
    return nullptr;
  }

  /// A thread counts against the limits until the kernel has forgotten it, which is after the join.
  void end() {
    over_.store(true, std::memory_order_release);  // pairs with the wait in wait()
    over_.notify_all();
    for (const std::unique_ptr<Thread>& thread : threads_) {
      (void)pthread_join(thread->handle, nullptr);
      const std::string task =
          "/proc/self/task/" + std::to_string(thread->id.load(std::memory_order_relaxed));
      for (int i = 0; i < 10'000 && ::access(task.c_str(), F_OK) == 0; ++i)
        std::this_thread::yield();
    }
    threads_.clear();
  }

  pthread_attr_t attributes_{};
  std::atomic<bool> over_{false};
  std::vector<std::unique_ptr<Thread>> threads_;
};

/// The loops of one job. A helper is a task, and has the share of its thread's slot in the arena:
/// it runs the same blocks in every step, so that their memory stays in its cache.
class Team {
 public:
  Team(std::size_t workers, std::chrono::nanoseconds patience)
      : loops_(workers, patience, [this] { call(); }) {}
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    loops_.close();
    helpers_.wait();
  }

  [[nodiscard]] SharedLoops& loops() noexcept { return loops_; }

 private:
  void call() {
    helpers_.run([this] {
      loops_.help(static_cast<std::size_t>(tbb::this_task_arena::current_thread_index()));
    });
  }

  SharedLoops loops_;
  tbb::task_group helpers_;
};

class TbbExecutor final : public Executor {
 public:
  explicit TbbExecutor(std::size_t workers)
      : control_(tbb::global_control::max_allowed_parallelism, workers),
        arena_(static_cast<int>(workers)),
        patience_(std::cmp_less_equal(workers, tbb::info::default_concurrency())
                      ? longest_patience
                      : std::chrono::microseconds(0)) {
    try {
      wake();
    } catch (const std::runtime_error&) {  // somebody else took the threads meanwhile
      throw ResourceExhausted(thread_refused);
    }
  }

  [[nodiscard]] std::string_view name() const noexcept override { return "tbb"; }
  [[nodiscard]] std::size_t worker_count() const noexcept override {
    return static_cast<std::size_t>(arena_.max_concurrency());
  }

  void run(const std::function<void()>& job) override {
    const auto with_team = [&] {
      Team team(worker_count(), patience_);
      const Restored at_end{std::exchange(own_team, &team)};
      job();
    };
    // isolated: who waits for the helpers of a job does not become a helper of another one.
    arena_.execute([&] { tbb::this_task_arena::isolate(with_team); });
  }

  void for_each(std::size_t count, const Body& body) override {
    if (count == 1) return body(0);
    if (own_team == nullptr) return run([&] { for_each(count, body); });
    const Restored at_end{std::exchange(own_team, nullptr)};  // a body's loop gets its own team
    at_end.team->loops().for_each(count, body);
  }

 private:
  /// A helper that looks for the next step takes its share within a fifth of a microsecond; oneTBB
  /// gives it a task within one. After a break that is longer than the patience, this microsecond
  /// does not matter.
  static constexpr std::chrono::microseconds longest_patience{5};

  struct Restored {
    Team* team;
    ~Restored() { own_team = team; }
  };

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

  static thread_local constinit Team* own_team;  // of the job of this thread

  tbb::global_control control_;
  tbb::task_arena arena_;
  const std::chrono::nanoseconds patience_;
};

thread_local constinit Team* TbbExecutor::own_team = nullptr;

}  // namespace

std::unique_ptr<Executor> detail::make_tbb_executor(std::size_t workers) {
  ThreadTrial::pass(workers - 1);
  return std::make_unique<TbbExecutor>(workers);
}

}  // namespace lockstep
