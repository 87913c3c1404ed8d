// SPDX-License-Identifier: Apache-2.0
#include "catalog/extrapolation.hpp"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "catalog/memory.hpp"
#include "catalog/unfinished_trial.hpp"
#include "lockstep/core/new_thread.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"

namespace lockstep::catalog {

void StopAfter::start(double seconds) {
  timer_ = new_thread<std::jthread>([source = source_,
                                     seconds](const std::stop_token& destroyed) mutable {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, destroyed, std::chrono::duration<double>(seconds), [] { return false; });
    source.request_stop();
  });
}

void TrialSteps::on_start() {
  constexpr double least_part = 0.25;
  setup_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  seconds_ = std::max(seconds_, setup_seconds_ + least_part * seconds_);
  held_bytes_ = catalog::held_bytes();
  end_.start(seconds_ - setup_seconds_);
}

/// The step after it has run already: the next one is the second after it. What is touched in a
/// short step is counted with the next long one.
void TrialSteps::on_step(const StepRecord& step) {
  constexpr double worth_a_look = 1e-3;
  const TriedStep before = all_.empty() ? TriedStep{} : all_.back();
  all_.push_back({step.seconds, work_of(step)});
  if (step.seconds > worth_a_look) {
    const std::uint64_t held = catalog::held_bytes();
    all_.back().touched_bytes = held - std::min(held, held_bytes_);
    held_bytes_ = std::max(held, held_bytes_);
  }
  if (before.messages == 0 || before.seconds <= 0) return;
  const double growth =
      std::min(static_cast<double>(step.messages) / static_cast<double>(before.messages),
               step.seconds / before.seconds);
  constexpr double least_part = 0.25;  // before it growth may be that of touched memory
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  if (growth > 1 && spent.count() > least_part * seconds_ &&
      spent.count() + step.seconds * growth * growth > seconds_)
    end_.stop();
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
[[nodiscard]] double work_of_class(const StepClass& step) noexcept {
  return 1 + static_cast<double>(step.sent_blocks + step.other_blocks);
}

/// If the steps that are left do less than every step that was tried, as in a recursive halving,
/// time is proportional to what they do; empty elsewhere.
[[nodiscard]] std::optional<double> extrapolated_to_less(const std::vector<TriedStep>& tried,
                                                         std::uint64_t steps, const WholeRun& run,
                                                         double seconds) {
  constexpr double clearly_less = 0.75;
  double done = 0;
  double least = static_cast<double>(tried.front().messages);
  for (const TriedStep& step : tried) {
    const auto messages = static_cast<double>(step.messages);
    done += messages;
    least = std::min(least, messages);
  }
  const double left = static_cast<double>(run.messages) - done;
  const double mean_left = left / static_cast<double>(steps - tried.size());
  if (left <= 0 || mean_left > clearly_less * least) return std::nullopt;
  return seconds * (1 + left / done);
}

/// The time of a step without its messages is the least time of a step. The times of a message, and
/// of a byte of memory that is used for the first time, follow by least squares over the steps.
/// Where every message touched a page of its own these do not tell them apart: typical rates join
/// in, weighed as a hundredth of the run.
[[nodiscard]] double extrapolated_by_messages(const std::vector<TriedStep>& tried,
                                              std::uint64_t steps, const WholeRun& run,
                                              double seconds) {
  constexpr double weight = 0.01;
  const double all = weight * static_cast<double>(run.messages);
  double mm = all * all;
  double ms = all * weight * run.typical_seconds;
  double mt = 0;
  double tt = 0;
  double ts = 0;
  double sent = 0;
  double idle = tried.front().seconds;
  for (const TriedStep& step : tried) idle = std::min(idle, step.seconds);
  for (const TriedStep& step : tried) {
    const auto m = static_cast<double>(step.messages);
    const auto t = static_cast<double>(step.touched_bytes);
    sent += m;
    mm += m * m;
    mt += m * t;
    tt += t * t;
    ms += m * (step.seconds - idle);
    ts += t * (step.seconds - idle);
  }
  const double both = mm * tt - mt * mt;
  double per_message = both > 0 ? (ms * tt - ts * mt) / both : ms / mm;
  double per_byte = both > 0 ? (ts * mm - ms * mt) / both : 0;
  if (per_byte < 0) std::tie(per_message, per_byte) = std::pair(ms / mm, 0.0);
  if (per_message < 0) std::tie(per_message, per_byte) = std::pair(0.0, ts / tt);
  return seconds + idle * static_cast<double>(steps - tried.size()) +
         per_message * std::max(0.0, static_cast<double>(run.messages) - sent) +
         per_byte * static_cast<double>(run.untouched_bytes);
}

}  // namespace

bool visit_equal_sends(const GroupedScheduleProgram& program, std::uint64_t step,
                       const SendVisitor& visit) {
  const Schedule& schedule = program.schedule();
  for (const Action& action : schedule.actions(step))
    if (action.kind == Action::Kind::send)
      visit(action.port, action.blocks.count);
    else if (action.kind == Action::Kind::send_list)
      visit(action.port, schedule.list(action).size());
  return true;
}

std::vector<StepClass> classes_of(const GroupedScheduleProgram& program, std::uint64_t steps) {
  std::vector<StepClass> classes(steps);
  for (std::uint64_t step = 0; step < steps; ++step) {
    StepClass& here = classes[step];
    (void)visit_equal_sends(program, step, [&here](Port port, std::uint64_t blocks) {
      here.sent_blocks += blocks;
      here.port = index(port);
    });
    for (const Action& action : program.schedule().actions(step))
      if (action.kind == Action::Kind::load)
        here.other_blocks += action.blocks.count;
      else if (action.kind != Action::Kind::send && action.kind != Action::Kind::send_list)
        here.other_blocks += action.elements.count;
  }
  return classes;
}

double extrapolated(const std::vector<StepClass>& classes, const std::vector<TriedStep>& tried,
                    const WholeRun& run, double seconds) {
  const std::size_t ran = std::min(tried.size(), classes.size());
  if (ran == 0 || ran == classes.size()) return seconds;
  const bool alike =
      std::ranges::all_of(classes, [&](const StepClass& step) { return step == classes.front(); });
  if (alike && run.messages != 0) {
    const std::optional<double> less = extrapolated_to_less(tried, classes.size(), run, seconds);
    return less ? *less : extrapolated_by_messages(tried, classes.size(), run, seconds);
  }

  std::map<StepClass, Seen> exact;
  std::map<StepClass, Seen> any_port;
  double inside = 0;
  double work = 0;
  for (std::size_t step = 0; step < ran; ++step) {
    StepClass like = classes[step];
    exact[like].add(tried[step].seconds);
    inside += tried[step].seconds;
    work += work_of_class(like);
    like.port = 0;
    any_port[like].add(tried[step].seconds);
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
    total +=
        similar != any_port.end() ? similar->second.mean() : inside * work_of_class(step) / work;
  }
  const double between_steps = std::max(0.0, seconds - inside) / static_cast<double>(ran);
  return total + between_steps * static_cast<double>(classes.size());
}

}  // namespace lockstep::catalog
