// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Signs of life of the processes on this host. Each of them counts in shared memory, by a thread
/// of its own, so that a long step does not look like a process that is stopped.

#include <chrono>
#include <cstddef>
#include <memory>
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

  static constexpr std::chrono::seconds patience{4};

  /// The first of these processes that has not counted for as long as `patience`. Those of other
  /// hosts never seem silent. To be called once a second or so.
  [[nodiscard]] std::optional<std::size_t> first_silent(std::span<const std::size_t> processes);

 private:
  class Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace lockstep::cli
