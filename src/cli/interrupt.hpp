// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Ctrl-C as a stop token. A thread of its own waits for the signal, so that no code runs in a
/// signal handler. The first Ctrl-C asks to stop; the second ends the program at once.
///
///     const Interrupt interrupt;                // first in main: threads made later inherit it
///     machine.run({.stop = interrupt.token()});

#include <atomic>
#include <stop_token>
#include <thread>

namespace lockstep::cli {

class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }

 private:
  void wait_for_signals();

  std::stop_source source_;
  std::atomic<bool> closing_{false};
  std::thread thread_;
};

}  // namespace lockstep::cli
