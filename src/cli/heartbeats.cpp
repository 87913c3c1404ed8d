// SPDX-License-Identifier: Apache-2.0
#include "cli/heartbeats.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <utility>
#include <vector>

#include "lockstep/core/new_thread.hpp"

namespace lockstep::cli {

namespace {

constexpr std::chrono::milliseconds pause{200};
constexpr unsigned longest_silence = 20;  // in beats of this process: 4 s

}  // namespace

Heartbeats::Heartbeats() {
  int rank = 0;
  int all = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
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
    if (process != rank) others_[process].count = counts;
  }
  MPI_Comm_free(&host);
  std::vector<int> remote;
  for (int process = 0; process < all; ++process)
    if (std::ranges::find(ranks, process) == ranks.end()) remote.push_back(process);
  if (count != all) remote_.emplace(remote);
  for (const int process : remote) others_[process];
  thread_ = new_thread<std::jthread>([this](const std::stop_token& stop) { beat_until(stop); });
}

Heartbeats::~Heartbeats() {
  thread_ = {};  // ends it
  if (remote_) remote_->end(longest_silence * pause);
  MPI_Win_free(&window_);
}

std::unique_lock<std::mutex> Heartbeats::lock_mpi() {
  std::unique_lock lock(mpi_);
  if (is_due_.load(std::memory_order_relaxed)) exchange();
  return lock;
}

std::optional<std::size_t> Heartbeats::first_silent(std::span<const std::size_t> processes) {
  exchange();
  for (const std::size_t process : processes) {
    const Other& other = others_.at(static_cast<int>(process));
    if (other.silent_for.load(std::memory_order_relaxed) > longest_silence) return process;
  }
  return std::nullopt;
}

void Heartbeats::exchange() {
  is_due_.store(false, std::memory_order_relaxed);
  if (remote_)
    remote_->exchange([this](int process) {
      others_.at(process).silent_for.store(0, std::memory_order_relaxed);
    });
}

void Heartbeats::beat() {
  std::atomic_ref(*own_).fetch_add(1, std::memory_order_relaxed);
  for (auto& [process, other] : others_) {
    other.silent_for.fetch_add(1, std::memory_order_relaxed);
    if (other.count == nullptr) continue;
    const Count count = std::atomic_ref(*other.count).load(std::memory_order_relaxed);
    if (count != std::exchange(other.seen, count))
      other.silent_for.store(0, std::memory_order_relaxed);
  }
  if (!remote_) return;
  is_due_.store(true, std::memory_order_relaxed);
  if (const std::unique_lock lock(mpi_, std::try_to_lock); lock) exchange();
}

void Heartbeats::beat_until(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    beat();
    (void)wake.wait_for(lock, stop, pause, [] { return false; });
  }
}

}  // namespace lockstep::cli
