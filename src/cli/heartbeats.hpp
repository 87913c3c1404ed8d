// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Signs of life of the processes, given several times a second by a thread of each, so that a long
/// step does not look like a process that is stopped. The processes of one host count in shared
/// memory, and those of different hosts exchange messages.

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace lockstep::cli {

class Heartbeats {
 public:
  /// All processes call it, after MPI is ready, and all destroy it together. Throws
  /// ResourceExhausted where the host refuses a thread.
  Heartbeats();
  Heartbeats(const Heartbeats&) = delete;
  Heartbeats& operator=(const Heartbeats&) = delete;
  ~Heartbeats();

  /// MPI admits one thread at a time: whoever calls it holds this lock. The thread does not wait
  /// for it; this function and first_silent() exchange its messages then.
  [[nodiscard]] std::unique_lock<std::mutex> lock_mpi();

  /// The first of these processes that has given no sign of life for 4 s. Time during which this
  /// process was stopped too does not count. To be called with the lock, several times a second in
  /// a long wait.
  [[nodiscard]] std::optional<std::size_t> first_silent(std::span<const std::size_t> processes);

 private:
  class Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace lockstep::cli
