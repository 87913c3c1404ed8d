// SPDX-License-Identifier: Apache-2.0
#include "cli/heartbeats.hpp"

#include <mpi.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "lockstep/core/new_thread.hpp"

namespace lockstep::cli {

using Clock = std::chrono::steady_clock;
using Count = std::uint64_t;

class Heartbeats::Shared {
 public:
  Shared() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm host{};
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    int count = 0;
    MPI_Comm_size(host, &count);
    std::vector<int> ranks(static_cast<std::size_t>(count));
    MPI_Allgather(&rank, 1, MPI_INT, ranks.data(), 1, MPI_INT, host);
    MPI_Win_allocate_shared(sizeof(Count), sizeof(Count), MPI_INFO_NULL, host,
                            static_cast<void*>(&own_), &window_);
    std::atomic_ref(*own_).store(0);
    MPI_Barrier(host);
    for (int i = 0; i < count; ++i) {
      MPI_Aint size = 0;
      int unit = 0;
      Count* counts = nullptr;
      MPI_Win_shared_query(window_, i, &size, &unit, static_cast<void*>(&counts));
      const int process = ranks[static_cast<std::size_t>(i)];
      if (process != rank) others_[static_cast<std::size_t>(process)] = {counts, 0, Clock::now()};
    }
    MPI_Comm_free(&host);
    thread_ = new_thread<std::jthread>([this](const std::stop_token& stop) { beat_until(stop); });
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
    thread_ = {};  // ends it
    MPI_Win_free(&window_);
  }

  [[nodiscard]] bool is_silent(std::size_t process, Clock::time_point now) {
    const auto found = others_.find(process);
    if (found == others_.end()) return false;
    Other& other = found->second;
    // relaxed: nothing is read through it.
    const Count seen = std::atomic_ref(*other.count).load(std::memory_order_relaxed);
    if (seen != other.seen) {
      other.seen = seen;
      other.changed = now;
    }
    return now - other.changed > patience;
  }

 private:
  struct Other {
    Count* count = nullptr;
    Count seen = 0;
    Clock::time_point changed{};
  };

  /// relaxed: as the load.
  void beat() { std::atomic_ref(*own_).fetch_add(1, std::memory_order_relaxed); }

  void beat_until(const std::stop_token& stop) {
    constexpr std::chrono::milliseconds pause{200};
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      beat();
      (void)wake.wait_for(lock, stop, pause, [] { return false; });
    }
  }

  MPI_Win window_{};
  Count* own_ = nullptr;  // in the window
  std::map<std::size_t, Other> others_;
  std::jthread thread_;
};

Heartbeats::Heartbeats() : shared_(std::make_unique<Shared>()) {}
Heartbeats::~Heartbeats() = default;

std::optional<std::size_t> Heartbeats::first_silent(std::span<const std::size_t> processes) {
  const Clock::time_point now = Clock::now();
  for (const std::size_t process : processes)
    if (shared_->is_silent(process, now)) return process;
  return std::nullopt;
}

}  // namespace lockstep::cli
