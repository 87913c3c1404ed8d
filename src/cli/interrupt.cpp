// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.hpp"

#include <pthread.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX signals
#include <unistd.h>

#include "study/exit.hpp"

namespace lockstep::cli {
namespace {

[[nodiscard]] sigset_t awaited() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

Interrupt::Interrupt() {
  const sigset_t set = awaited();
  (void)pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this] { wait_for_signals(); });
}

Interrupt::~Interrupt() {
  closing_.store(true, std::memory_order_release);  // pairs with the load in wait_for_signals()
  (void)pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

void Interrupt::wait_for_signals() {
  const sigset_t set = awaited();
  for (int signal = 0; sigwait(&set, &signal) == 0;) {
    if (closing_.load(std::memory_order_acquire)) return;  // pairs with the store in ~Interrupt()
    if (!source_.request_stop()) ::_exit(study::code(study::Exit::interrupted));
  }
}

}  // namespace lockstep::cli
