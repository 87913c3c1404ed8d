// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Signs of life of the processes on other hosts: messages of one byte, on a communicator of their
/// own. No function waits, apart from the constructor and end().

#include <mpi.h>

#include <chrono>
#include <functional>
#include <vector>

namespace lockstep::cli {

class RemoteHeartbeats {
 public:
  /// All processes call it. `processes`: those on other hosts, in any order.
  explicit RemoteHeartbeats(const std::vector<int>& processes);
  RemoteHeartbeats(const RemoteHeartbeats&) = delete;
  RemoteHeartbeats& operator=(const RemoteHeartbeats&) = delete;
  ~RemoteHeartbeats() = default;

  /// Sends a sign of life to each of them, unless the one before has not left. `hears` is told the
  /// processes whose signs of life have arrived.
  void exchange(const std::function<void(int process)>& hears);
  /// All processes call it, and it returns when no message is under way; after `at_most` in any
  /// case.
  void end(std::chrono::milliseconds at_most);

 private:
  enum class Sign : char { alive, last };

  struct Process {
    int rank = 0;
    MPI_Request leaving = MPI_REQUEST_NULL;
    Sign sent = Sign::alive;  // must outlive the message
    Sign received = Sign::alive;
  };

  void send(Process& to, Sign sign);
  /// Whether one has arrived.
  bool receive(Process& from);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  std::vector<Process> processes_;
};

}  // namespace lockstep::cli
