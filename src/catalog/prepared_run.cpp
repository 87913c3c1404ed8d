// SPDX-License-Identifier: Apache-2.0

/// PreparedRun for any line of the catalogue.

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "catalog/catalog_line.hpp"
#include "catalog/extrapolation.hpp"
#include "catalog/memory.hpp"
#include "lockstep/cost/model.hpp"

namespace lockstep::catalog {
namespace {

using Clock = std::chrono::steady_clock;

[[nodiscard]] double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class AlgorithmRun final : public PreparedRun {
 public:
  AlgorithmRun(RunRequest request, AlgorithmInstance instance, RunEstimate estimate)
      : request_(std::move(request)),
        instance_(std::move(instance)),
        estimate_(std::move(estimate)) {}

  [[nodiscard]] const RunEstimate& estimate() const noexcept override { return estimate_; }

  void check_resources() const override { catalog::check_resources(estimate_, request_); }

  [[nodiscard]] Variants variants() const override {
    if (std::optional<Variants> own = instance_.algorithm->variants()) return std::move(*own);
    Variants variants{.all = {{}}, .cheapest_of = {}};
    for (const Parameter& parameter : estimate_.algorithm.parameters) {
      if (parameter.kind != Parameter::Kind::word) continue;
      const std::vector<Settings> before = std::exchange(variants.all, {});
      for (const Settings& settings : before)
        for (const std::string_view word : parameter.words) {
          variants.all.push_back(settings);
          variants.all.back()[parameter.name] = std::string(word);
        }
    }
    return variants;
  }

  [[nodiscard]] RunResult execute(const RunControl& control) override {
    MachineOptions options = machine_options();
    options.stop = control.stop;
    options.observers = control.observers;
    options.trace = control.trace;
    return Stage(*this, std::move(options)).result();
  }

  [[nodiscard]] Probe probe(double seconds, const std::stop_token& stop) override {
    StopAfter timer;
    const std::stop_callback earlier(stop, [&timer] { timer.stop(); });
    MachineOptions options = machine_options();
    options.stop = timer.token();
    return Stage(*this, std::move(options)).trial(timer, seconds);
  }

  [[nodiscard]] const ErasedProgram& program() override { return kept_program().erased(); }

 private:
  /// Everything a run needs, in the order in which it is built.
  class Stage {
   public:
    Stage(AlgorithmRun& run, MachineOptions options)
        : run_(run),
          table_(run.estimate_.one_box_per_node ? std::nullopt
                                                : std::optional(run.request_.topology.network())),
          program_(run.kept_program()),
          host_(run.host_parameters()),
          machine_(table_
                       ? program_.machine(run.estimate_.channel, *table_, host_, std::move(options))
                       : program_.one_box_machine(host_, std::move(options))),
          executor_(make_executor(run.request_.executor, run.estimate_.workers)),
          setup_seconds_(seconds_since(start_)) {}

    /// Runs until the timer stops it.
    [[nodiscard]] Probe trial(StopAfter& timer, double seconds) {
      TimedExecutor timed(std::move(executor_));
      timer.start(seconds);
      const RunRecord record = machine_->run(timed);
      const std::uint64_t steps = std::max(record.steps, run_.estimate_.footprint.steps);
      const double spent = record.wall.step_seconds;
      return {
          .seconds_spent = spent,
          .steps = record.steps,
          .estimated_seconds = extrapolated(program_.step_classes(steps), timed.seconds(), spent)};
    }

    [[nodiscard]] RunResult result() {
      const RunEstimate& run = run_.estimate_;
      RunResult result{.estimate = run, .record = machine_->run(*executor_)};
      result.record.wall.setup_seconds = setup_seconds_;
      result.setup_seconds = setup_seconds_;
      result.record.memory_bytes = run.memory_bytes;
      result.cost = cost_of(result.record, run.parts_per_block());
      result.judgement = judge(result.record, result.cost, host_.judge(result.record.deliveries),
                               {.promise = run.predicted,
                                .footprint = run.footprint,
                                .bound = run.lower_bound,
                                .unbuffered = run.algorithm.unbuffered});
      if (run_.request_.fault.kind != FaultKind::none && host_.verify() == VerifyKind::exact)
        result.missing = host_.all_missing();
      result.peak_bytes = peak_bytes();
      add_figures_of_plan(result);
      return result;
    }

   private:
    /// What the plan itself says once the run is over: the largest queue of one that succeeded, and
    /// where a user's plan broke a rule.
    void add_figures_of_plan(RunResult& result) const {
      const Algorithm& algorithm = *run_.instance_.algorithm;
      if (const auto own_blocks = algorithm.own_blocks(); own_blocks && result.ok())
        result.largest_queue = program_.largest_queue(*own_blocks);
      if (!result.record.legal())
        result.plan_place = algorithm.place_of(result.record.violations.front().step);
    }

    Clock::time_point start_ = Clock::now();
    const AlgorithmRun& run_;
    std::optional<Network> table_;
    const AnyProgram& program_;
    ProvingHost host_;
    std::unique_ptr<AnyMachine> machine_;
    std::unique_ptr<Executor> executor_;
    double setup_seconds_;
  };

  /// Built when it is first needed, then kept.
  [[nodiscard]] const AnyProgram& kept_program() {
    if (program_ == nullptr) program_ = instance_.program();
    return *program_;
  }

  [[nodiscard]] MachineOptions machine_options() const {
    return {.model = estimate_.model,
            .block_bytes = estimate_.part_bytes(),
            .processors_per_task = estimate_.processors_per_task,
            .keep_series = request_.keep_series,
            .stop_at_violation = request_.stop_at_violation,
            .watch_waits = estimate_.algorithm.unbuffered,
            .fault = request_.fault,
            .disturb = request_.disturb};
  }

  [[nodiscard]] ProvingHost::Parameters host_parameters() const {
    return {.collective = estimate_.collective(request_.topology),
            .processors = estimate_.processors,
            .block_bytes = estimate_.block_bytes,
            .seed = request_.seed,
            .verify = estimate_.verify};
  }

  RunRequest request_;
  AlgorithmInstance instance_;
  RunEstimate estimate_;
  std::unique_ptr<AnyProgram> program_;
};

/// All parameters: as given, as the algorithm chose where they were left open, else what holds by
/// declaration.
[[nodiscard]] Settings definite_settings(const AlgorithmInfo& info, const Algorithm& algorithm,
                                         const Settings& given, const AnyTopology& topology) {
  Settings all;
  const Settings chosen = algorithm.chosen();
  for (const Parameter& parameter : info.parameters) {
    if (const Setting* const own = chosen.find(parameter.name))
      all[parameter.name] = *own;
    else if (const Setting* const asked = given.find(parameter.name))
      all[parameter.name] = *asked;
    else if (!parameter.fallback.empty())
      all[parameter.name] = parse_setting(parameter, std::string(parameter.fallback), topology);
  }
  return all;
}

}  // namespace

std::unique_ptr<PreparedRun> prepare_run(const CatalogLine& line, RunRequest request) {
  AlgorithmInstance instance = line.make(request.topology, request.settings);
  const Algorithm& algorithm = *instance.algorithm;
  AlgorithmInfo info = line.entry.info;
  info.model = algorithm.port_model().value_or(info.model);
  RunEstimate estimate = estimate_of(
      {.topology = request.topology.name(),
       .algorithm = info,
       .settings = definite_settings(info, algorithm, request.settings, request.topology),
       .footprint = algorithm.footprint(),
       .predicted = algorithm.promise()},
      line.program, request);
  return std::make_unique<AlgorithmRun>(std::move(request), std::move(instance),
                                        std::move(estimate));
}

}  // namespace lockstep::catalog
