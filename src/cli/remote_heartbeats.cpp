// SPDX-License-Identifier: Apache-2.0
#include "cli/remote_heartbeats.hpp"

#include <algorithm>
#include <thread>

namespace lockstep::cli {

RemoteHeartbeats::RemoteHeartbeats(const std::vector<int>& processes) {
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
  for (const int rank : processes) processes_.push_back({.rank = rank});
}

void RemoteHeartbeats::exchange(const std::function<void(int process)>& hears) {
  for (Process& process : processes_) {
    send(process, Sign::alive);
    if (receive(process)) hears(process.rank);
  }
}

void RemoteHeartbeats::end(std::chrono::milliseconds at_most) {
  const auto has_ended = [this](Process& process) {
    if (process.sent != Sign::last) send(process, Sign::last);
    (void)receive(process);
    int has_left = 0;
    MPI_Test(&process.leaving, &has_left, MPI_STATUS_IGNORE);
    return has_left != 0 && process.sent == Sign::last && process.received == Sign::last;
  };
  using Clock = std::chrono::steady_clock;
  const Clock::time_point latest = Clock::now() + at_most;
  while (std::ranges::count_if(processes_, has_ended) != std::ssize(processes_) &&
         Clock::now() < latest)
    std::this_thread::yield();
  MPI_Comm_free(&communicator_);
}

void RemoteHeartbeats::send(Process& to, Sign sign) {
  int has_left = 0;
  MPI_Test(&to.leaving, &has_left, MPI_STATUS_IGNORE);
  if (has_left == 0) return;
  to.sent = sign;
  MPI_Isend(&to.sent, 1, MPI_CHAR, to.rank, 0, communicator_, &to.leaving);
}

bool RemoteHeartbeats::receive(Process& from) {
  bool has_arrived = false;
  while (from.received != Sign::last) {
    int is_there = 0;
    MPI_Message message{};
    MPI_Improbe(from.rank, 0, communicator_, &is_there, &message, MPI_STATUS_IGNORE);
    if (is_there == 0) break;
    MPI_Mrecv(&from.received, 1, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    has_arrived = true;
  }
  return has_arrived;
}

}  // namespace lockstep::cli
