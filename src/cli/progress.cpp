// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <tuple>
#include <utility>

#include "cli/output.hpp"
#include "cli/standard_streams.hpp"
#include "lockstep/core/new_thread.hpp"
#include "report/quantities.hpp"
#include "report/wrap.hpp"

namespace lockstep::cli {

namespace {

constexpr std::string_view remove_line = "\r\x1b[K";

/// A terminal that can remove a line.
[[nodiscard]] bool is_shown(StatusLine::Show show) {
  const char* const kind = std::getenv("TERM");
  const bool dumb = kind != nullptr && std::string_view(kind) == "dumb";
  return show == StatusLine::Show::on_terminal && !dumb && ::isatty(STDERR_FILENO) != 0;
}

/// One column is left free, so that no terminal goes on to the next line.
[[nodiscard]] std::size_t room() { return page_of(STDERR_FILENO) - 1; }

[[nodiscard]] std::string cut(const std::string& text, std::size_t width) {
  constexpr std::string_view dots = "..";
  if (report::width_of(text) <= width) return text;
  return report::lines_of(text, width - dots.size()).front().append(dots);
}

void show_line(const std::string& text) {
  write_diagnostic(fmt::format("\r{}\x1b[K", cut(printable(text), room())));
}

}  // namespace

StatusLine::StatusLine(Text text, Show show) : text_(std::move(text)) {
  if (!is_shown(show)) return;
  thread_ = new_thread<std::jthread>([this](const std::stop_token& stop) { display(stop); });
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
    show_line(text_(spent.count(), room()));
    shown = true;
    pause = 200ms;
  }
  if (shown) write_diagnostic(remove_line);
}

void clear_status_line() {
  if (is_shown(StatusLine::Show::on_terminal)) write_diagnostic(remove_line);
}

std::string setup_line(const std::string& what, double seconds, std::size_t width) {
  const std::string state = fmt::format("  setting up, {:.0f} s", seconds);
  return cut(what, width - std::min(width, state.size())) + state;
}

StatusLine::Text setting_up(std::string what) {
  return [what = std::move(what)](double seconds, std::size_t width) {
    return setup_line(what, seconds, width);
  };
}

std::string progress_line(const std::string& what, std::uint64_t done, std::uint64_t total,
                          double seconds, std::size_t width) {
  const double part =
      total == 0 ? 1 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const double left = rate > 0 ? static_cast<double>(total - std::min(done, total)) / rate : 0;
  const std::string counts =
      fmt::format("  {} of {} steps  {} steps/s", report::count_text(done),
                  report::count_text(total), report::count_text(static_cast<std::uint64_t>(rate)));
  const auto line = [&](std::size_t name, std::size_t bar, bool counted) {
    const auto filled = static_cast<std::size_t>(part * static_cast<double>(bar));
    return fmt::format("{}{}{:3.0f} %{}  {} left", cut(what, name),
                       bar == 0 ? "  " : fmt::format("  [{:<{}}] ", std::string(filled, '#'), bar),
                       100 * part, counted ? counts : "",
                       rate > 0 ? report::seconds_text(left) : "?");
  };
  constexpr std::size_t short_name = 16;
  constexpr std::size_t long_bar = 20;
  constexpr std::size_t short_bar = 8;
  for (const auto& [name, bar, counted] : {std::tuple{any_width, long_bar, true},
                                           {short_name, long_bar, true},
                                           {short_name, short_bar, true},
                                           {short_name, long_bar, false},
                                           {short_name, short_bar, false}})
    if (std::string text = line(name, bar, counted); text.size() <= width) return text;
  return cut(line(short_name, 0, false), width);
}

// relaxed, all of them: a display, nothing is read through it.
Progress::Progress(std::string what, std::uint64_t total, Show show) {
  line_.emplace(
      [this, what = std::move(what), total](double seconds, std::size_t width) {
        const double setup = setup_seconds_.load(std::memory_order_relaxed);
        if (setup < 0) return setup_line(what, seconds, width);
        return progress_line(what, done_.load(std::memory_order_relaxed), total,
                             std::max(0.0, seconds - setup), width);
      },
      show);
}

void Progress::on_start() {
  const std::chrono::duration<double> setup = std::chrono::steady_clock::now() - made_;
  setup_seconds_.store(setup.count(), std::memory_order_relaxed);
}

SeriesProgress::SeriesProgress(Progress::Show show)
    : show_(is_shown(show) ? show : Progress::Show::never) {}

/// Runs of less than a second have no bar of their own.
void SeriesProgress::announce(const std::string& run) {
  if (show_ == Progress::Show::never) return;
  if (std::chrono::steady_clock::now() - start_ < std::chrono::seconds(1)) return;
  show_line(run);
  announced_ = true;
}

std::shared_ptr<StepObserver> SeriesProgress::bar(const std::string& run, std::uint64_t steps) {
  bar_ = std::make_shared<Progress>(run, steps, show_);
  return bar_;
}

void SeriesProgress::clear() {
  if (bar_) bar_->hide();
  bar_.reset();
  if (std::exchange(announced_, false)) write_diagnostic(remove_line);
}

}  // namespace lockstep::cli
