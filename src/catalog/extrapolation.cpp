// SPDX-License-Identifier: Apache-2.0
#include "catalog/extrapolation.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

namespace lockstep::catalog {

void StopAfter::start(double seconds) {
  timer_ = std::jthread([source = source_, seconds](const std::stop_token& destroyed) mutable {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, destroyed, std::chrono::duration<double>(seconds), [] { return false; });
    source.request_stop();
  });
}

void TimedExecutor::for_each(std::size_t count, const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  executor_->for_each(count, body);
  seconds_.push_back(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

namespace {

struct Seen {
  double seconds = 0;
  std::uint64_t steps = 0;

  [[nodiscard]] double mean() const noexcept { return seconds / static_cast<double>(steps); }
  void add(double more) noexcept {
    seconds += more;
    ++steps;
  }
};

/// A step costs something even where nothing moves.
[[nodiscard]] double work_of(const StepClass& step) noexcept {
  return 1 + static_cast<double>(step.sent_blocks + step.other_blocks);
}

}  // namespace

std::vector<StepClass> classes_of(const NodeInvariantProgram& program, std::uint64_t steps) {
  std::vector<StepClass> classes(steps);
  for (std::uint64_t step = 0; step < steps; ++step)
    for (const Action& action : program.schedule().actions(step)) {
      if (action.kind == Action::Kind::send) {
        classes[step].sent_blocks += action.blocks.count;
        classes[step].port = index(action.port);
      } else if (action.kind == Action::Kind::send_list) {
        const auto list = static_cast<GatherList>(action.element_or_list);
        classes[step].sent_blocks += program.schedule().list(list).size();
        classes[step].port = index(action.port);
      } else {
        classes[step].other_blocks +=
            action.kind == Action::Kind::load ? action.blocks.count : action.elements.count;
      }
    }
  return classes;
}

double extrapolated(const std::vector<StepClass>& classes, const std::vector<double>& step_seconds,
                    double seconds) {
  const std::size_t ran = std::min(step_seconds.size(), classes.size());
  if (ran == 0 || ran == classes.size()) return seconds;

  std::map<StepClass, Seen> exact;
  std::map<StepClass, Seen> any_port;
  double inside = 0;
  double work = 0;
  for (std::size_t step = 0; step < ran; ++step) {
    StepClass like = classes[step];
    exact[like].add(step_seconds[step]);
    inside += step_seconds[step];
    work += work_of(like);
    like.port = 0;
    any_port[like].add(step_seconds[step]);
  }
  double total = 0;
  for (StepClass step : classes) {
    const auto same = exact.find(step);
    if (same != exact.end()) {
      total += same->second.mean();
      continue;
    }
    step.port = 0;
    const auto similar = any_port.find(step);
    total += similar != any_port.end() ? similar->second.mean() : inside * work_of(step) / work;
  }
  const double between_steps = std::max(0.0, seconds - inside) / static_cast<double>(ran);
  return total + between_steps * static_cast<double>(classes.size());
}

}  // namespace lockstep::catalog
