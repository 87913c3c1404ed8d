// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/step_loop.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iterator>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/machine/detail/other_processes.hpp"
#include "lockstep/machine/detail/port_ledger.hpp"
#include "lockstep/machine/processes.hpp"
#include "lockstep/machine/step_observer.hpp"

namespace lockstep {
namespace {

using detail::TaskCounts;
using detail::TaskOutcome;

constexpr std::size_t kept_violations = 64;

using StepClock = std::chrono::steady_clock;

[[nodiscard]] double seconds_between(StepClock::time_point from, StepClock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// The part of a pass that sent the messages of a step, and did not take those of the step before:
/// a message counts as one access to memory in either, and so does every cache line of a block that
/// is loaded or copied. Checks of deliveries are timed apart and belong to the step before.
[[nodiscard]] double sending_part(const TaskCounts& counts, const StepRecord& before,
                                  std::uint64_t block_bytes) noexcept {
  constexpr std::uint64_t line_bytes = 64;
  const auto lines = static_cast<double>(1 + (block_bytes - (block_bytes != 0)) / line_bytes);
  const double sent =
      static_cast<double>(counts.messages) + lines * static_cast<double>(counts.loads);
  const double taken =
      static_cast<double>(before.messages) + lines * static_cast<double>(before.blocks);
  return sent > 0 ? sent / (sent + taken) : 0;
}

class StepLoop {
 public:
  StepLoop(PassRunner& machine, const RunFacts& facts, const MachineOptions& options,
           RunRecord& record, Executor& executor)
      : machine_(machine),
        facts_(facts),
        options_(options),
        record_(record),
        executor_(executor),
        plan_(machine.plan_tasks(executor.worker_count())),
        outcomes_(plan_.tasks) {
    // An observer of its own kind: it reads the record itself, in the middle of a step.
    for (StepObserver* const observer : options_.observers)
      if (auto* const finished = dynamic_cast<FinishedSteps*>(observer)) finished_ = finished;
  }
  StepLoop(const StepLoop&) = delete;
  StepLoop& operator=(const StepLoop&) = delete;
  ~StepLoop() {
    if (finished_ != nullptr) finished_->close(record_);
  }

  void run() {
    for (StepObserver* const observer : options_.observers) observer->on_start();
    start_ = looked_ = StepClock::now();
    run_passes();
    DeliveryTally late;
    machine_.settle(late);
    record_.deliveries +=
        options_.processes != nullptr ? detail::combined(*options_.processes, late) : late;
    if (record_.steps != 0) add_watching(since_last_look());
  }

  /// The seconds of the passes so far.
  [[nodiscard]] double seconds() const { return seconds_between(start_, looked_); }

 private:
  void run_passes() {
    for (;;) {
      if (stops() || (options_.max_steps != 0 && running_.step == options_.max_steps &&
                      running_.step != facts_.step_count)) {
        place_ = running_;
        record_.interrupted = true;
        current_.seconds += since_last_look();
        finish_step({});
        return;
      }
      running_.last_call = running_.step == facts_.step_count;
      machine_.begin_pass(running_);
      together_ = machine_.passes_together(running_);
      if (outcomes_.size() < plan_.tasks * together_) outcomes_.resize(plan_.tasks * together_);
      run_tasks();
      const double passed = since_last_look();
      double worked = 0;  // by all tasks
      for (std::size_t task = 0; task < plan_.tasks; ++task)
        for (const TaskOutcome& outcome : outcomes_of(task)) worked += outcome.seconds;
      for (std::size_t pass = 0; pass < together_; ++pass, ++running_.step) {
        TaskOutcome total = gathered(pass);
        const double share = together_ == 1 ? 1 : total.seconds / worked;
        if (!end_pass(std::move(total), passed * share)) return;
      }
    }
  }

  /// Returns whether the run goes on.
  [[nodiscard]] bool end_pass(TaskOutcome&& of_all_tasks, double seconds) {
    TaskOutcome& total = totals_.emplace_back(std::move(of_all_tasks));
    passes_.push_back({running_, seconds, longest_check_});
    if (total.deliveries.first_corrupted) total.deliveries.first_corrupted->step = running_.step;
    total.stops = options_.stop.stop_requested();
    if (!machine_.end_pass(running_, totals_)) return true;
    for (std::size_t i = 0; i < passes_.size(); ++i)
      if (!add_pass(passes_[i], totals_[i])) return false;
    passes_.clear();
    totals_.clear();
    return true;
  }

  /// Those of the passes that ran together.
  [[nodiscard]] std::span<TaskOutcome> outcomes_of(std::size_t task) {
    return std::span(outcomes_).subspan(task * together_, together_);
  }

  /// A pass that was run.
  struct FinishedPass {
    PassPlace place;
    double seconds;
    double longest_check;  // of a task, in seconds
  };

  /// Adds it to the record. Whether the run goes on.
  [[nodiscard]] bool add_pass(const FinishedPass& pass, TaskOutcome& total) {
    place_ = pass.place;
    stops_ = total.stops;
    if (options_.trace != nullptr)
      std::ranges::move(total.trace, std::back_inserter(*options_.trace));
    const bool broken = settle_violations(total.violations);
    const bool idle = total.counts.messages == 0 && total.counts.awake == 0;
    const bool ends = broken || place_.last_call || (!facts_.step_count && idle);
    const double verifying = total.verify_seconds / static_cast<double>(executor_.worker_count());
    const double sending = ends ? 0 : sending_seconds(pass, verifying, total.counts);
    current_.seconds += pass.seconds - sending;
    current_.verify_seconds = std::min(verifying, pass.seconds);
    finish_step(total.counts);
    // The step that only shows that the one before broke a rule is not judged itself.
    if (broken) total.counts.loads = 0;
    note_outcome(total);
    if (!ends) begin_step(total.counts, sending);
    return !ends;
  }

  /// Whether the run has to stop before this step. Several processes stop before the same one.
  [[nodiscard]] bool stops() const {
    return options_.processes != nullptr ? stops_ : options_.stop.stop_requested();
  }

  /// All time belongs to some step: what lies between two passes to the second one.
  [[nodiscard]] double since_last_look() {
    const StepClock::time_point before = std::exchange(looked_, StepClock::now());
    return seconds_between(before, looked_);
  }

  [[nodiscard]] double sending_seconds(const FinishedPass& pass, double verifying,
                                       const TaskCounts& counts) const {
    if (pass.place.step == 0) return pass.seconds;  // nothing was sent before
    return std::max(0.0, pass.seconds - std::max(verifying, pass.longest_check)) *
           sending_part(counts, current_, options_.block_bytes);
  }

  void run_tasks() {
    if (plan_.tasks > 1) ++record_.wall.barriers;
    if (finished_ != nullptr) finished_->offer(record_);
    for_each_task();
    if (finished_ != nullptr) finished_->withdraw();
  }

  void for_each_task() {
    if (!plan_.uneven)
      return executor_.for_each(plan_.tasks, [this](std::size_t i) { run_task(i); });
    std::atomic<std::size_t> next{0};
    executor_.for_each(std::min(plan_.tasks, executor_.worker_count()), [&](std::size_t) {
      // relaxed: it only gives each number to one worker; the end of the loop orders the rest.
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < plan_.tasks;)
        run_task(i);
    });
  }

  void run_task(std::size_t task) {
    const std::span<TaskOutcome> outcomes = outcomes_of(task);
    std::ranges::fill(outcomes, TaskOutcome{});
    try {
      for (std::size_t pass = 0; options_.disturb && pass < together_; ++pass)
        options_.disturb(running_.step + pass, task);
      if (together_ == 1)
        machine_.run_task(running_, task, outcomes.front());
      else
        machine_.run_passes(running_, task, outcomes);
    } catch (...) {
      outcomes.front().failure = std::current_exception();
    }
  }

  /// Throws what the first task threw, if any did.
  [[nodiscard]] TaskOutcome gathered(std::size_t pass) {
    TaskOutcome total;
    longest_check_ = 0;
    std::uint64_t longest_turns = 0;
    for (std::size_t task = 0; task < plan_.tasks; ++task) {
      TaskOutcome& part = outcomes_of(task)[pass];
      if (part.failure) std::rethrow_exception(part.failure);
      total.seconds += part.seconds;
      total.counts += part.counts;
      longest_turns = std::max(longest_turns, part.counts.work.turns);
      total.deliveries += part.deliveries;
      total.verify_seconds += part.verify_seconds;
      longest_check_ = std::max(longest_check_, part.verify_seconds);
      total.violations.insert(total.violations.end(), part.violations.begin(),
                              part.violations.end());
      std::ranges::move(part.trace, std::back_inserter(total.trace));
    }
    record_.wall.longest_turns += longest_turns;
    return total;
  }

  /// Adds the violations of a pass to those of the record. Whether the run has to stop: a step that
  /// is fully judged broke a rule.
  [[nodiscard]] bool settle_violations(const std::vector<Violation>& found) {
    std::vector<Violation>& all = record_.violations;
    if (found.empty() && all.empty()) return false;
    all.insert(all.end(), found.begin(), found.end());
    settle(all);
    for (Violation& v : all) v.other_end = machine_.other_end(v.node, v.port);
    // Receptions of a step are known one pass later: only now is the step before fully judged.
    const auto judged = static_cast<std::size_t>(std::ranges::count_if(
        all, [&](const Violation& v) { return v.step < place_.step || place_.last_call; }));
    record_.violation_count = all.size();
    if (!options_.stop_at_violation || judged == 0) return false;
    record_.violation_count = judged;
    all.resize(judged);
    return true;
  }

  /// Counts the sends in the pass of a step. The receivers are known one pass later.
  void begin_step(const TaskCounts& counts, double seconds) {
    current_ = {.step = place_.step,
                .senders = counts.processors.senders,
                .messages = counts.messages,
                .hops = counts.links,
                .blocks = counts.blocks,
                .largest_message_blocks = counts.largest,
                .control_words = counts.words,
                .largest_control_words = counts.most_words,
                .ports_used = counts.ports_used,
                .switch_senders = counts.all.without(counts.processors).senders,
                .seconds = seconds};
    crossing_ = counts.crossing;
    crossing_bytes_ = counts.crossing_bytes;
  }

  /// Counts the receivers in the pass after it.
  void finish_step(const TaskCounts& counts) {
    if (place_.step == 0) return;
    const detail::NodeCounts switches = counts.all.without(counts.processors);
    current_.receivers = counts.processors.receivers;
    current_.active = current_.senders + current_.receivers - counts.processors.busy;
    current_.switch_receivers = switches.receivers;
    current_.switches_active = current_.switch_senders + current_.switch_receivers - switches.busy;
    add_current_to(record_);
    record_.control_words_moved += current_.control_words;
    record_.envelope_bytes += current_.blocks * facts_.label_bytes;
    if (PhaseRecord* const phase = phase_of_current()) {
      add_current_to(*phase);
      phase->seconds += current_.seconds;
    }
    record_.crossing_messages += crossing_;
    record_.crossing_bytes += crossing_bytes_;
    record_.senders += current_.senders;
    record_.receivers += current_.receivers;
    record_.switch_senders += current_.switch_senders;
    record_.switch_receivers += current_.switch_receivers;
    if (options_.keep_series) record_.series.push_back(current_);
    if (options_.observers.empty()) return;
    for (StepObserver* const observer : options_.observers) observer->on_step(current_);
    add_watching(since_last_look());
  }

  /// The time of observers after a step, such as waiting, and of the host after the last one, is
  /// part of the step's time.
  void add_watching(double seconds) {
    if (options_.keep_series) record_.series.back().seconds += seconds;
    if (!record_.phases.empty()) record_.phases[phase_].seconds += seconds;
  }

  /// To the run, or to one of its phases.
  template <class Record>
  void add_current_to(Record& record) const {
    ++record.steps;
    record.startups += static_cast<std::uint64_t>(current_.messages != 0);
    record.message_times += current_.largest_message_blocks;
    record.control_words += current_.largest_control_words;
    record.largest_message_blocks =
        std::max(record.largest_message_blocks, current_.largest_message_blocks);
    record.messages_sent += current_.messages;
    record.hops += current_.hops;
    record.blocks_moved += current_.blocks;
  }

  /// The last one that has begun; none where the program names none.
  [[nodiscard]] PhaseRecord* phase_of_current() {
    std::vector<PhaseRecord>& all = record_.phases;
    if (all.empty()) return nullptr;
    while (phase_ + 1 < all.size() && all[phase_ + 1].first_step <= current_.step) ++phase_;
    return &all[phase_];
  }

  void note_outcome(const TaskOutcome& total) {
    record_.deliveries += total.deliveries;
    record_.stores_without_message += total.counts.stores_without_message;
    if (total.counts.first_unmet && !record_.first_unmet) {
      record_.first_unmet = total.counts.first_unmet;
      record_.first_unmet->step = place_.step;
    }
    record_.blocks_loaded += total.counts.loads;
    record_.work += total.counts.work;
    record_.wall.verify_seconds += total.verify_seconds;
    if (total.counts.waited == 0) return;
    if (record_.waits.blocks == 0) {
      record_.waits.first_step = place_.step;
      record_.waits.first_node = NodeId{total.counts.first_waiter};
    }
    record_.waits.blocks += total.counts.waited;
    record_.waits.longest_steps = std::max(record_.waits.longest_steps, total.counts.longest_wait);
  }

  PassRunner& machine_;
  const RunFacts facts_;
  const MachineOptions& options_;
  RunRecord& record_;
  Executor& executor_;
  FinishedSteps* finished_ = nullptr;
  const TaskPlan plan_;
  std::size_t together_ = 1;           // passes that run together now
  std::vector<TaskOutcome> outcomes_;  // of these, task by task
  PassPlace running_;                  // of the pass that runs
  std::vector<FinishedPass> passes_;   // not in the record yet
  std::vector<TaskOutcome> totals_;    // of these
  PassPlace place_;                    // of the pass that enters the record
  StepClock::time_point start_{};
  StepClock::time_point looked_{};
  bool stops_ = false;        // a process was asked to stop
  double longest_check_ = 0;  // of a task of the last pass, in seconds
  StepRecord current_;
  std::uint64_t crossing_ = 0;  // of the current step: messages to other processes, their bytes
  std::uint64_t crossing_bytes_ = 0;
  std::size_t phase_ = 0;  // of the current step
};

}  // namespace

std::int64_t PassRunner::nanoseconds_now() {
  using std::chrono::nanoseconds;
  return std::chrono::duration_cast<nanoseconds>(StepClock::now().time_since_epoch()).count();
}

void PassRunner::note_made(std::uint64_t bytes) {
  state_.setup_seconds = static_cast<double>(nanoseconds_now() - construction_) * 1e-9;
  state_.memory_bytes = bytes;
}

RunRecord run_steps(PassRunner& machine, const RunFacts& facts, const MachineOptions& options,
                    Executor& executor) {
  if (std::ranges::count(options.observers, nullptr) != 0)
    throw InvalidParameter("observers: null pointer given; expected pointers to observers");
  if (std::exchange(machine.state().has_run, true))
    throw InvalidParameter("machine: run() was called a second time; a machine runs once");
  RunRecord record;
  record.wall.setup_seconds = machine.state().setup_seconds;
  record.memory_bytes = machine.state().memory_bytes;
  for (const Phase& phase : facts.phases) record.phases.push_back({phase.name, phase.first_step});
  record.nodes = facts.nodes;
  record.processors = facts.processors;
  record.block_bytes = options.block_bytes;
  if (options.processes != nullptr) record.processes = options.processes->count();
  record.waits.watched = options.watch_waits;
  record.in_flight_watched = options.watch_in_flight;
  {
    StepLoop loop(machine, facts, options, record, executor);
    executor.run([&] { loop.run(); });
    record.wall.step_seconds = loop.seconds();
    record.wall.verify_seconds /= static_cast<double>(executor.worker_count());
  }
  if (record.violations.size() > kept_violations) record.violations.resize(kept_violations);
  return record;
}

}  // namespace lockstep
