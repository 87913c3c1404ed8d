// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.hpp"

#include <pthread.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX signals
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

#include "core/instrumented.hpp"
#include "lockstep/core/new_thread.hpp"
#include "study/exit.hpp"

namespace lockstep::cli {
namespace {

/// More than a step takes, but for the largest networks; the program is gone within a second.
constexpr std::int64_t patience_ms = std::int64_t{750} * slowness;

[[nodiscard]] sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

void block_interrupts() {
  const sigset_t set = awaited_signals();
  (void)pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Interrupt::Interrupt(std::function<void()> clean_up, std::function<void()> last_words)
    : clean_up_(std::move(clean_up)), last_words_(std::move(last_words)) {
  block_interrupts();
  thread_ = new_thread<std::thread>([this] { wait_for_signals(); });
}

Interrupt::~Interrupt() {
  closing_.store(true, std::memory_order_release);  // pairs with the load in wait_for_signals()
  (void)pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

void Interrupt::wait_for_signals() {
  const sigset_t set = awaited_signals();
  int signal = 0;
  if (sigwait(&set, &signal) != 0) return;
  if (closing_.load(std::memory_order_acquire)) return;  // pairs with the store in ~Interrupt()
  source_.request_stop();
  const timespec patience{.tv_sec = patience_ms / 1'000,
                          .tv_nsec = patience_ms % 1'000 * 1'000'000};
  while (sigtimedwait(&set, nullptr, &patience) < 0) {
    if (errno == EINTR) continue;
    last_words_();
    end();
  }
  if (!closing_.load(std::memory_order_acquire)) end();  // pairs with the store in ~Interrupt()
}

void Interrupt::end() const {
  clean_up_();
  ::_exit(study::code(study::Exit::interrupted));
}

}  // namespace lockstep::cli
