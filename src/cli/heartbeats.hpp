// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Signs of life of the processes, given several times a second by a thread of each, so that a long
/// step does not look like a process that is stopped. The processes of one host count in shared
/// memory, and those of different hosts exchange messages.

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>

#include "cli/remote_heartbeats.hpp"

namespace lockstep::cli {

// Nothing is read through the atomic variables of this class: relaxed order is enough for all.
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
  using Count = std::uint64_t;

  struct Other {
    Count* count = nullptr;  // of processes of this host, in the window
    Count seen = 0;
    std::atomic<unsigned> silent_for = 0;  // beats of this process
  };

  void beat();
  void beat_until(const std::stop_token& stop);
  /// With the lock.
  void exchange();

  MPI_Win window_{};
  Count* own_ = nullptr;         // in the window
  std::map<int, Other> others_;  // by process
  std::optional<RemoteHeartbeats> remote_;
  std::mutex mpi_;
  std::atomic<bool> is_due_ = false;  // a sign of life to other hosts
  std::jthread thread_;
};

}  // namespace lockstep::cli
