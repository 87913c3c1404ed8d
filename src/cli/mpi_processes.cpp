// SPDX-License-Identifier: Apache-2.0
#include "cli/mpi_processes.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "core/usable_cores.hpp"
#include "lockstep/core/errors.hpp"

#ifdef LOCKSTEP_MPI
#include <mpi.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX signals
#include <sys/prctl.h>
#endif

namespace lockstep::cli {

Launch launch_of_environment() {
  struct Names {
    const char* count;
    const char* rank;
    const char* on_this_host;
  };
  // Open MPI, and those that descend from MPICH.
  constexpr Names all[] = {
      {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
      {"PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS"}};
  const auto number = [](const char* name, std::size_t otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : std::strtoul(value, nullptr, 10);
  };
  for (const Names& names : all)
    if (const std::size_t count = number(names.count, 0); count != 0)
      return {count, number(names.rank, 0),
              std::max<std::size_t>(1, number(names.on_this_host, count))};
  return {};
}

std::size_t default_workers(const Launch& launch) {
  const std::size_t share = std::thread::hardware_concurrency() / launch.on_this_host;
  return std::max<std::size_t>(1, std::min(usable_cores(), share));
}

#ifdef LOCKSTEP_MPI

namespace {

class MpiProcesses final : public LaunchedProcesses {
 public:
  MpiProcesses() {
    // Nobody reads the result once the launcher is dead.
    (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
      throw ResourceExhausted("MPI: threads are not supported; expected MPI_THREAD_SERIALIZED");
    int count = 0;
    int rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    count_ = static_cast<std::size_t>(count);
    rank_ = static_cast<std::size_t>(rank);
  }

  [[nodiscard]] std::size_t count() const noexcept override { return count_; }
  [[nodiscard]] std::size_t rank() const noexcept override { return rank_; }

  void exchange(const std::vector<Bytes>& out, std::vector<Bytes>& in) override {
    std::vector<MPI_Request> sends;
    for (std::size_t p = 0; p < count_; ++p)
      if (p != rank_) send(p, out[p], sends);
    std::vector<std::size_t> awaited;
    for (std::size_t p = 0; p < count_; ++p) {
      if (p == rank_) continue;
      in[p].clear();
      awaited.push_back(p);
    }
    Idle idle;
    while (!awaited.empty())
      idle.after(std::erase_if(awaited, [&](std::size_t p) { return receives_last(p, in[p]); }) !=
                 0);
    for (int all = 0; all == 0; idle.after(all != 0))
      MPI_Testall(static_cast<int>(sends.size()), sends.data(), &all, MPI_STATUSES_IGNORE);
  }

  void finish(int exit_code) override {
    constexpr std::chrono::seconds patience{2};
    const auto latest = std::chrono::steady_clock::now() + patience;
    MPI_Request request{};
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    Idle idle;
    for (int all = 0; all == 0; idle.after(all != 0)) {
      MPI_Test(&request, &all, MPI_STATUS_IGNORE);
      if (all == 0 && exit_code != 0 && std::chrono::steady_clock::now() > latest)
        MPI_Abort(MPI_COMM_WORLD, exit_code);
    }
    MPI_Finalize();
  }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 30U;  // MPI counts bytes as int
  static constexpr int tag = 0;

  /// Leaves the core to another process when nothing arrives for a while.
  class Idle {
   public:
    void after(bool progress) {
      constexpr unsigned patience = 100;
      if (progress)
        looks_ = 0;
      else if (++looks_ > patience)
        std::this_thread::yield();
    }

   private:
    unsigned looks_ = 0;
  };

  /// In pieces; the last one is shorter than all others, and may be empty.
  static void send(std::size_t to, const Bytes& bytes, std::vector<MPI_Request>& sends) {
    for (std::size_t at = 0; at <= bytes.size(); at += piece)
      MPI_Isend(bytes.data() + at, static_cast<int>(std::min(piece, bytes.size() - at)), MPI_BYTE,
                static_cast<int>(to), tag, MPI_COMM_WORLD, &sends.emplace_back());
  }

  /// Appends the next piece, if it is there. Whether it was the last.
  static bool receives_last(std::size_t from, Bytes& bytes) {
    int is_there = 0;
    MPI_Message message{};
    MPI_Status status{};
    MPI_Improbe(static_cast<int>(from), tag, MPI_COMM_WORLD, &is_there, &message, &status);
    if (is_there == 0) return false;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    const std::size_t before = bytes.size();
    bytes.resize(before + static_cast<std::size_t>(size));
    MPI_Mrecv(bytes.data() + before, size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    return static_cast<std::size_t>(size) < piece;
  }

  std::size_t count_ = 1;
  std::size_t rank_ = 0;
};

}  // namespace

std::unique_ptr<LaunchedProcesses> launched_processes() { return std::make_unique<MpiProcesses>(); }
std::string_view mpi_of_build() noexcept { return "MPI"; }

#else

std::unique_ptr<LaunchedProcesses> launched_processes() {
  throw InvalidParameter(
      "processes: this build of lockstep has no MPI; run it without a launcher, or build it where "
      "MPI is installed");
}
std::string_view mpi_of_build() noexcept { return "no MPI"; }

#endif

}  // namespace lockstep::cli
