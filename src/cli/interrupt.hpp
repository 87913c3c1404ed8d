// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Ctrl-C as a stop token. A thread of its own waits for the signal, so that no code runs in a
/// signal handler. The first Ctrl-C asks to stop; where the program does not end soon after it, as
/// in a plan or a search, which know no step at which they could stop, it is ended; so it is by the
/// second one, at once.
///
///     const Interrupt interrupt(last_words);    // first in main: threads made later inherit it
///     machine.run({.stop = interrupt.token()});

#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>

namespace lockstep::cli {

/// Blocks SIGINT and SIGTERM in this thread and in those that it makes.
void block_interrupts();

class Interrupt {
 public:
  /// By the thread that waits, before the program is ended: what is removed, however it ends, and
  /// what is said where it did not end in time. Throws ResourceExhausted where there is no thread.
  Interrupt(std::function<void()> clean_up, std::function<void()> last_words);
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }

 private:
  void wait_for_signals();
  [[noreturn]] void end() const;

  std::function<void()> clean_up_;
  std::function<void()> last_words_;
  std::stop_source source_;
  std::atomic<bool> closing_{false};
  std::thread thread_;
};

}  // namespace lockstep::cli
