// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How far a long piece of work is, on one line of stderr. Appears after a second, and only on a
/// terminal.
///
///     const StatusLine line([&](double seconds, std::size_t) { return text_of(counts, seconds); },
///                           show);
///
/// Of a run: a bar, the rate and the time left.
///
///     Progress progress("star:8", 150'552, Progress::Show::on_terminal);
///     run->execute({.stop = session.stop, .observers = {&progress}});

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "lockstep/machine/step_observer.hpp"
#include "lockstep/report/table.hpp"
#include "study/run_series.hpp"

namespace lockstep::cli {

class StatusLine {
 public:
  enum class Show : std::uint8_t { on_terminal, never };

  /// The text after so many seconds, of at most so many characters; asked for by a thread of the
  /// line's own. What is wider is cut.
  using Text = std::function<std::string(double seconds, std::size_t width)>;
  StatusLine(Text text, Show show);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  /// Removes the line.
  ~StatusLine();

 private:
  void display(const std::stop_token& stop) const;

  Text text_;
  std::jthread thread_;
};

/// Removes the line of any StatusLine, where one may stand.
void clear_status_line();

/// "star:8  setting up, 12 s"
[[nodiscard]] std::string setup_line(const std::string& what, double seconds,
                                     std::size_t width = any_width);

/// The same as the text of a line, while that is set up.
[[nodiscard]] StatusLine::Text setting_up(std::string what);

/// "star:8  [######              ]  31 %  46,600 of 150,552 steps  5,120 steps/s  20 s left"; where
/// that is too wide the name is shortened, then the bar, then the counts go.
[[nodiscard]] std::string progress_line(const std::string& what, std::uint64_t done,
                                        std::uint64_t total, double seconds,
                                        std::size_t width = any_width);

class Progress final : public StepObserver {
 public:
  using Show = StatusLine::Show;

  /// Until the run starts, "star:8  setting up, 12 s".
  Progress(std::string what, std::uint64_t total, Show show);

  void on_start() override;
  void on_step(const StepRecord& step) override {
    // relaxed: a display, nothing is read through it.
    done_.store(step.step + 1, std::memory_order_relaxed);
  }
  [[nodiscard]] bool only_watches() const noexcept override { return true; }
  /// For good: whoever still holds it may go on.
  void hide() { line_.reset(); }

 private:
  const std::chrono::steady_clock::time_point made_ = std::chrono::steady_clock::now();
  std::atomic<double> setup_seconds_{-1};  // not started yet
  std::atomic<std::uint64_t> done_{0};
  std::optional<StatusLine> line_;
};

/// The progress of a series of runs: the run and the time left, then a bar for each that is long.
class SeriesProgress final : public study::SeriesDisplay {
 public:
  explicit SeriesProgress(Progress::Show show);

  void announce(const std::string& run) override;
  [[nodiscard]] std::shared_ptr<StepObserver> bar(const std::string& run,
                                                  std::uint64_t steps) override;
  void clear() override;

 private:
  Progress::Show show_;
  bool announced_ = false;  // a line stands there
  std::shared_ptr<Progress> bar_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace lockstep::cli
