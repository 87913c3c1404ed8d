// SPDX-License-Identifier: Apache-2.0
#include "cli/search_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>

#include "report/quantities.hpp"

namespace lockstep::cli {

std::string search_progress_line(const TableSearchProgress& counts, double seconds) {
  // relaxed: a display, nothing is read through it.
  return fmt::format("searching: {} descents, the best filled {} columns, {}",
                     report::count_text(counts.restarts.load(std::memory_order_relaxed)),
                     report::count_text(counts.full_columns.load(std::memory_order_relaxed)),
                     report::seconds_text(seconds));
}

SearchProgress::SearchProgress(const TableSearchProgress& counts, Progress::Show show)
    : counts_(counts) {
  if (show == Progress::Show::never || ::isatty(STDERR_FILENO) == 0) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { display(stop); });
}

SearchProgress::~SearchProgress() = default;  // the thread is stopped and joined first

void SearchProgress::display(const std::stop_token& stop) {
  using namespace std::chrono_literals;
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  bool shown = false;
  while (!stopped.wait_for(lock, stop, 1s, [&] { return stop.stop_requested(); })) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    fmt::print(stderr, "\r{}\x1b[K", search_progress_line(counts_, spent.count()));
    (void)std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace lockstep::cli
