// SPDX-License-Identifier: Apache-2.0
#include "cli/mpi_processes.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>
#include <vector>

#include "lockstep/core/errors.hpp"

#ifdef LOCKSTEP_MPI
#include <mpi.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX signals
#include <sys/prctl.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "cli/heartbeats.hpp"
#include "cli/interrupt.hpp"
#include "study/exit.hpp"
#endif

namespace lockstep::cli {

#ifdef LOCKSTEP_MPI

namespace {

class MpiProcesses final : public LaunchedProcesses {
 public:
  MpiProcesses() {
    // Nobody reads the result once the launcher is dead.
    (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Threads of MPI leave signals to the thread that waits for them (cli/interrupt.hpp).
    block_interrupts();
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
    heartbeats_.emplace();
  }

  [[nodiscard]] std::size_t count() const noexcept override { return count_; }
  [[nodiscard]] std::size_t rank() const noexcept override { return rank_; }

  void exchange(const std::vector<Bytes>& out, std::vector<Bytes>& in) override {
    const auto lock = heartbeats_->lock_mpi();
    try {
      send_and_receive(out, in);
    } catch (const std::bad_alloc&) {  // messages on their way read `out`
      say("process " + std::to_string(rank_) + ": no memory for the messages of other processes");
      MPI_Abort(MPI_COMM_WORLD, study::code(study::Exit::no_resources));
    }
  }

  void finish(int exit_code, std::string_view problem) override {
    constexpr std::chrono::seconds patience{2};
    const auto latest = Clock::now() + patience;
    auto lock = heartbeats_->lock_mpi();
    MPI_Request request{};
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    Idle idle;
    for (int all = 0; all == 0;) {
      MPI_Test(&request, &all, MPI_STATUS_IGNORE);
      if (idle.is_long(all != 0)) check_alive(others());
      if (all != 0 || problem.empty() || Clock::now() <= latest) continue;
      if (rank_ != 0)  // the first one has printed its own
        say("process " + std::to_string(rank_) + ": " + std::string(problem));
      MPI_Abort(MPI_COMM_WORLD, exit_code);
    }
    lock.unlock();
    heartbeats_.reset();
    MPI_Finalize();
  }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 30U;  // MPI counts bytes as int
  static constexpr int tag = 0;

  using Clock = std::chrono::steady_clock;

  /// Leaves the core to another process when nothing arrives for a while, and sleeps in a long
  /// wait.
  class Idle {
   public:
    /// True four times in every second of a long wait.
    [[nodiscard]] bool is_long(bool progress) {
      constexpr unsigned patience = 100;
      constexpr unsigned yields = 2'000;  // a millisecond or so
      if (progress) looks_ = 0;
      if (progress || ++looks_ <= patience) return false;
      if (looks_ <= yields)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      if (looks_ % patience != 0) return false;  // a look at the clock takes longer than a yield
      const Clock::time_point now = Clock::now();
      if (looks_ == 2 * patience) since_ = now;
      const bool is_long = looks_ > 2 * patience && now - since_ > std::chrono::milliseconds(250);
      if (is_long) since_ = now;
      return is_long;
    }

   private:
    std::uint64_t looks_ = 0;
    Clock::time_point since_{};
  };

  void send_and_receive(const std::vector<Bytes>& out, std::vector<Bytes>& in) {
    std::vector<MPI_Request> sends;
    for (std::size_t p = 0; p < count_; ++p)
      if (p != rank_) send(p, out[p], sends);
    std::vector<std::size_t> awaited = others();
    for (const std::size_t p : awaited) in[p].clear();
    std::vector<MPI_Request> pieces(count_, MPI_REQUEST_NULL);
    Idle idle;
    while (!awaited.empty()) {
      const auto arrived =
          std::erase_if(awaited, [&](std::size_t p) { return receives_last(p, in[p], pieces[p]); });
      if (idle.is_long(arrived != 0)) check_alive(awaited);
    }
    for (int all = 0; all == 0;) {
      MPI_Testall(static_cast<int>(sends.size()), sends.data(), &all, MPI_STATUSES_IGNORE);
      if (idle.is_long(all != 0)) check_alive(others());
    }
  }

  [[nodiscard]] std::vector<std::size_t> others() const {
    std::vector<std::size_t> all;
    for (std::size_t p = 0; p < count_; ++p)
      if (p != rank_) all.push_back(p);
    return all;
  }

  static void say(const std::string& message) {
    const std::string line = "lockstep: " + message + "\n";
    (void)!::write(STDERR_FILENO, line.data(), line.size());
  }

  /// Ends all processes if one of these is stopped.
  void check_alive(const std::vector<std::size_t>& awaited) {
    const std::optional<std::size_t> silent = heartbeats_->first_silent(awaited);
    if (!silent) return;
    if (rank_ == (*silent == 0 ? 1U : 0U)) {  // one process prints it
      say("process " + std::to_string(*silent) +
          " does not respond; all processes of the run are ended");
    } else {
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
    MPI_Abort(MPI_COMM_WORLD, study::code(study::Exit::no_resources));
  }

  /// In pieces; the last one is shorter than all others, and may be empty.
  static void send(std::size_t to, const Bytes& bytes, std::vector<MPI_Request>& sends) {
    for (std::size_t at = 0; at <= bytes.size(); at += piece)
      MPI_Isend(bytes.data() + at, static_cast<int>(std::min(piece, bytes.size() - at)), MPI_BYTE,
                static_cast<int>(to), tag, MPI_COMM_WORLD, &sends.emplace_back());
  }

  /// Appends the next piece, and does not wait for it: a process may stop while it sends. Whether
  /// the last one has arrived.
  static bool receives_last(std::size_t from, Bytes& bytes, MPI_Request& next) {
    int size = 0;
    MPI_Status status{};
    if (next == MPI_REQUEST_NULL) {
      int is_there = 0;
      MPI_Message message{};
      MPI_Improbe(static_cast<int>(from), tag, MPI_COMM_WORLD, &is_there, &message, &status);
      if (is_there == 0) return false;
      MPI_Get_count(&status, MPI_BYTE, &size);
      const std::size_t before = bytes.size();
      bytes.resize(before + static_cast<std::size_t>(size));
      MPI_Imrecv(bytes.data() + before, size, MPI_BYTE, &message, &next);
    }
    int has_arrived = 0;
    MPI_Test(&next, &has_arrived, &status);
    if (has_arrived == 0) return false;
    MPI_Get_count(&status, MPI_BYTE, &size);
    return static_cast<std::size_t>(size) < piece;
  }

  std::size_t count_ = 1;
  std::size_t rank_ = 0;
  std::optional<Heartbeats> heartbeats_;
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
