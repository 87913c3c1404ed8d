// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The executor of W threads that meet at a std::barrier. In a header, so that ThreadSanitizer sees
/// the barrier of a program that it instruments, whatever the library was compiled with:
///
///     ThreadExecutor executor(4);
///     const RunReport report = run(network, program, collective, {.run_on = &executor});

#include <atomic>
#include <barrier>
#include <cstddef>
#include <string_view>
#include <thread>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/new_thread.hpp"
#include "lockstep/machine/executor.hpp"

namespace lockstep {

/// W workers, the caller among them. The barrier counts workers, never tasks, so that it cannot
/// hang however many blocks there are.
class ThreadExecutor final : public Executor {
 public:
  /// Throws InvalidParameter for 0 workers, ResourceExhausted where the host refuses a thread.
  explicit ThreadExecutor(std::size_t workers)
      : workers_(workers != 0
                     ? workers
                     : throw InvalidParameter("thread executor: 0 workers; expected at least 1")),
        barrier_(static_cast<std::ptrdiff_t>(workers)) {
    threads_.reserve(workers - 1);
    try {
      for (std::size_t worker = 1; worker < workers; ++worker)
        threads_.push_back(new_thread<std::jthread>([this, worker] { serve(worker); }));
    } catch (const ResourceExhausted&) {
      // The others wait at the barrier for those that never came.
      for (std::size_t came = threads_.size() + 1; came < workers; ++came)
        barrier_.arrive_and_drop();
      dismiss();
      throw;
    }
  }

  ThreadExecutor(const ThreadExecutor&) = delete;
  ThreadExecutor& operator=(const ThreadExecutor&) = delete;

  ~ThreadExecutor() override { dismiss(); }

  [[nodiscard]] std::string_view name() const noexcept override { return "thread"; }
  [[nodiscard]] std::size_t worker_count() const noexcept override { return workers_; }

  /// Throws InvalidParameter while another thread's job runs here: bodies of two jobs would mix.
  void run(const std::function<void()>& job) override {
    // acquire, with the release below: what the job before left behind is seen.
    if (busy_.exchange(true, std::memory_order_acquire))
      throw InvalidParameter("thread executor: a run is already in progress");
    const Idle at_end{busy_};
    job();
  }

  void for_each(std::size_t count, const Body& body) override {
    if (count == 1) return body(0);
    body_ = &body;
    count_ = count;
    barrier_.arrive_and_wait();  // lets the workers start; publishes body_ and count_
    work(0);
    barrier_.arrive_and_wait();  // all blocks are done
  }

 private:
  void dismiss() {
    body_ = nullptr;  // published by the barrier
    barrier_.arrive_and_wait();
  }

  struct Idle {
    std::atomic<bool>& busy;
    ~Idle() { busy.store(false, std::memory_order_release); }  // pairs with the acquire in run()
  };

  void serve(std::size_t worker) {
    while (true) {
      barrier_.arrive_and_wait();
      if (body_ == nullptr) return;
      work(worker);
      barrier_.arrive_and_wait();
    }
  }

  void work(std::size_t worker) {
    const std::size_t end = count_ * (worker + 1) / workers_;
    for (std::size_t i = count_ * worker / workers_; i < end; ++i) (*body_)(i);
  }

  std::size_t workers_;
  std::barrier<> barrier_;
  std::atomic<bool> busy_ = false;
  const Body* body_ = nullptr;
  std::size_t count_ = 0;
  std::vector<std::jthread> threads_;  // last: joined before the rest is destroyed
};

}  // namespace lockstep
