// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <utility>

#include "report/quantities.hpp"

namespace lockstep::cli {

StatusLine::StatusLine(std::function<std::string(double)> text, Show show)
    : text_(std::move(text)) {
  if (show == Show::never || ::isatty(STDERR_FILENO) == 0) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { display(stop); });
}

StatusLine::~StatusLine() = default;  // the thread is stopped and joined before the text goes

void StatusLine::display(const std::stop_token& stop) const {
  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  auto pause = 1000ms;
  bool shown = false;
  while (!stopped.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); })) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    fmt::print(stderr, "\r{}\x1b[K", text_(spent.count()));
    (void)std::fflush(stderr);
    shown = true;
    pause = 200ms;
  }
  if (shown) fmt::print(stderr, "\r\x1b[K");
}

std::string progress_line(const std::string& what, std::uint64_t done, std::uint64_t total,
                          double seconds) {
  constexpr std::size_t width = 20;
  const double part =
      total == 0 ? 1 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(width));
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double left = rate > 0 ? static_cast<double>(total - std::min(done, total)) / rate : 0;
  return fmt::format("{}  [{:<{}}] {:3.0f} %  {} of {} steps  {} steps/s  {} left", what,
                     std::string(filled, '#'), width, 100 * part, report::count_text(done),
                     report::count_text(total),
                     report::count_text(static_cast<std::uint64_t>(rate)),
                     rate > 0 ? report::seconds_text(left) : "?");
}

Progress::Progress(std::string what, std::uint64_t total, Show show)
    : line_(
          [this, what = std::move(what), total](double seconds) {
            // relaxed: a display, nothing is read through it.
            return progress_line(what, done_.load(std::memory_order_relaxed), total, seconds);
          },
          show) {}

SeriesProgress::SeriesProgress(Progress::Show show)
    : show_(::isatty(STDERR_FILENO) != 0 ? show : Progress::Show::never) {}

/// Runs of less than a second have no bar of their own.
void SeriesProgress::announce(const std::string& run) {
  if (show_ == Progress::Show::never) return;
  if (std::chrono::steady_clock::now() - start_ < std::chrono::seconds(1)) return;
  fmt::print(stderr, "\r{}\x1b[K", run);
  (void)std::fflush(stderr);
}

std::shared_ptr<StepObserver> SeriesProgress::bar(const std::string& run, std::uint64_t steps) {
  return std::make_shared<Progress>(run, steps, show_);
}

void SeriesProgress::clear() {
  if (show_ == Progress::Show::on_terminal) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace lockstep::cli
