// SPDX-License-Identifier: Apache-2.0

/// PreparedRun for any line of the catalogue.

#include <algorithm>
#include <optional>
#include <utility>

#include "algorithm/many_to_all/placement.hpp"
#include "catalog/catalog_line.hpp"
#include "catalog/choice.hpp"
#include "catalog/crossing.hpp"
#include "catalog/extrapolation.hpp"
#include "catalog/forecast.hpp"
#include "catalog/open_variants.hpp"
#include "catalog/run_stage.hpp"
#include "catalog/unfinished_trial.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/expects.hpp"
#include "program/cost_formulas.hpp"

namespace lockstep::catalog {

namespace {

class AlgorithmRun final : public PreparedRun {
 public:
  /// `receives_once`: ProgramFacts.
  AlgorithmRun(RunRequest request, AlgorithmInstance instance, RunForecast forecast,
               bool receives_once)
      : request_(std::move(request)),
        instance_(std::move(instance)),
        forecast_(std::move(forecast)),
        receives_once_(receives_once) {}

  [[nodiscard]] const RunForecast& forecast() const noexcept override { return forecast_; }

  void check_resources() const override { catalog::check_resources(forecast_, request_); }

  [[nodiscard]] Variants variants() const override {
    return variants_of(*instance_.algorithm, forecast_.algorithm.parameters);
  }

  [[nodiscard]] RunResult execute(const RunControl& control) override {
    const Clock::time_point start = Clock::now();
    RunResult result =
        RunStage(forecast_, request_, table(), kept_program().machines(), control).result(start);
    add_figures_of_plan(result);
    return result;
  }

  [[nodiscard]] Probe probe(double seconds, const std::stop_token& stop) override {
    StopAfter end;
    const std::stop_callback earlier(stop, [&end] { end.stop(); });
    TrialSteps tried(end, seconds);
    trial_.begin();
    std::optional<Network> network = table();
    const ProgramMachines& machines = kept_program().machines();
    trial_.on_plan();
    RunStage stage(forecast_, request_, std::move(network), machines,
                   {.stop = end.token(), .observers = {&tried, &trial_}});
    const RunRecord record = stage.record();
    return probed(tried.setup_seconds(), tried.all(), record.steps, record.wall.step_seconds);
  }

  /// In another thread than probe().
  [[nodiscard]] std::optional<Probe> probe_so_far() const {
    const TrialState trial = trial_.state();
    const double setup = trial.setup_seconds.value_or(trial.seconds);
    if (!trial.steps.empty()) {
      Probe probe = probed(setup, trial.steps, trial.steps.size(), seconds_of(trial.steps));
      probe.estimated_seconds = std::max(probe.estimated_seconds, trial.seconds);
      return probe;
    }
    const std::optional<double> seconds = estimated_without_steps(
        trial, {.setup_seconds = first_use_seconds(forecast_),
                .step_seconds = typical_step_seconds(),
                .touched_part = static_cast<double>(held_bytes()) /
                                static_cast<double>(forecast_.memory_bytes)});
    if (!seconds) return std::nullopt;
    return Probe{.setup_seconds = setup, .steps = 0, .estimated_seconds = *seconds};
  }

  [[nodiscard]] CrossingForecast crossing(std::size_t processes, double seconds,
                                          const std::stop_token& stop) {
    const CrossingArcs arcs(request_.topology, processes);
    const std::uint64_t exchanges = exchanges_of(forecast_, receives_once_);
    if (forecast_.footprint.plan_bytes < forecast_.available_bytes) {
      if (const auto planned = crossing_by_plan(kept_program(), forecast_, arcs)) return *planned;
      if (seconds > 0 && forecast_.fits())
        if (const auto counted = counted_crossing(processes, seconds, stop)) return *counted;
      if (forecast_.receive_once)
        return crossing_by_paths(kept_program().erased(), request_.topology, forecast_, processes,
                                 exchanges);
    }
    return crossing_by_links(forecast_, arcs, exchanges);
  }

  [[nodiscard]] const ErasedProgram& program() override { return kept_program().erased(); }

 private:
  /// Built when it is first needed, then kept.
  [[nodiscard]] const AnyProgram& kept_program() {
    if (program_ == nullptr) program_ = instance_.program();
    return *program_;
  }

  [[nodiscard]] std::optional<CrossingForecast> counted_crossing(std::size_t processes,
                                                                 double seconds,
                                                                 const std::stop_token& stop) {
    StopAfter end;
    const std::stop_callback earlier(stop, [&end] { end.stop(); });
    CrossingCount count(forecast_, processes, end, seconds);
    RunStage stage(forecast_, request_, table(), kept_program().machines(),
                   {.stop = end.token(), .observers = {&count}, .trace = &count.trace()});
    (void)stage.record();
    return count.result(exchanges_of(forecast_, receives_once_));
  }

  [[nodiscard]] double typical_step_seconds() const noexcept {
    return forecast_.rough_seconds - first_use_seconds(forecast_);
  }

  /// From the steps of a trial, once the plan is made.
  [[nodiscard]] Probe probed(double setup_seconds, const std::vector<TriedStep>& tried,
                             std::uint64_t steps, double step_seconds) const {
    const std::uint64_t held = std::min(held_bytes(), forecast_.memory_bytes);
    const WholeRun whole{.messages = work_of(forecast_),
                         .typical_seconds = typical_step_seconds(),
                         .untouched_bytes = forecast_.memory_bytes - held};
    const std::vector<StepClass> classes =
        program_->step_classes(std::max(steps, forecast_.footprint.steps));
    return {.setup_seconds = setup_seconds,
            .step_seconds = step_seconds,
            .steps = steps,
            .estimated_seconds = setup_seconds + extrapolated(classes, tried, whole, step_seconds)};
  }

  /// The table, if the machine needs one.
  [[nodiscard]] std::optional<Network> table() const {
    if (forecast_.receive_once) return std::nullopt;
    return request_.topology.network();
  }

  /// Adds the longest queue of a run that succeeded, or the place in the user's file for a run with
  /// a violation.
  void add_figures_of_plan(RunResult& result) {
    const Algorithm& algorithm = *instance_.algorithm;
    if (const auto own_blocks = algorithm.own_blocks(); own_blocks && result.ok())
      result.largest_queue = kept_program().largest_queue(*own_blocks);
    if (const auto& unmet = result.record.first_unmet)
      result.unmet_place = algorithm.place_of(unmet->step, unmet->node);
    for (const Violation& violation : result.record.violations) {
      // A message is taken in the step after it was sent.
      const bool of_receiver = violation.rule == Rule::unread || violation.rule == Rule::receptions;
      const std::uint64_t step = violation.step + (of_receiver ? 1 : 0);
      if (std::string place = algorithm.place_of(step, violation.node); !place.empty())
        result.plan_places.push_back((of_receiver ? "received in " : "") + place);
    }
  }

  RunRequest request_;
  AlgorithmInstance instance_;
  RunForecast forecast_;
  bool receives_once_;
  std::unique_ptr<AnyProgram> program_;
  TrialNotes trial_;  // the last one
};

/// All parameters: as given, as the algorithm chose where they were left open, else what holds by
/// declaration. And what else the algorithm says of its problem.
[[nodiscard]] Settings definite_settings(const AlgorithmInfo& info, const Algorithm& algorithm,
                                         const Settings& given, const AnyTopology& topology) {
  Settings all = algorithm.chosen();
  for (const Parameter& parameter : info.parameters) {
    if (all.find(parameter.name) != nullptr) continue;
    if (const Setting* const asked = given.find(parameter.name))
      all[parameter.name] = *asked;
    else if (parameter.kind == Parameter::Kind::node)
      all[parameter.name] = 0U;  // by number, whatever the names of nodes are
    else if (!parameter.fallback.empty())
      all[parameter.name] = parse_setting(parameter, std::string(parameter.fallback), topology);
  }
  return all;
}

/// An operation of the user's own knows nothing of padding.
void check_parts(const AlgorithmInfo& info, std::uint64_t parts, const RunRequest& request) {
  if (const std::size_t bytes = definite_block_bytes(request);
      request.combine && bytes % parts != 0)
    throw invalid(
        "{} on {}: block size {} is not a multiple of {} (the algorithm splits blocks into {} "
        "parts)",
        info.name, request.topology.name(), bytes, parts, parts);
}

/// Origins that are parts of blocks: a part that was asked for has a byte or more. Those of a
/// schedule are padded.
void check_origins(const Pattern& pattern, const RunRequest& request) {
  if (request.settings.find(parts_parameter.name) == nullptr) return;
  if (const std::size_t bytes = definite_block_bytes(request); pattern.parts_per_block() > bytes)
    throw invalid("parts: {} is not valid; expected 1..{}, at most one part per byte of a block",
                  pattern.parts_per_block(), bytes);
}

/// The model of a schedule file that states one. Throws where the command line states another.
[[nodiscard]] PortModel model_of(const Algorithm& algorithm, const AlgorithmInfo& info,
                                 const RunRequest& request) {
  const std::optional<PortModel> stated = algorithm.port_model();
  if (stated && request.port_model && *stated != *request.port_model)
    throw invalid(
        "--port-model {} is not possible; the file of the {} states port-model {}; "
        "omit the option, or change or remove the line 'port-model'",
        request.port_model->name, info.name, stated->name);
  return stated.value_or(info.model);
}

/// An algorithm promises of origins, which may be parts of blocks.
[[nodiscard]] std::optional<Cost> promise_in_blocks(const AlgorithmInfo& info,
                                                    const Algorithm& algorithm,
                                                    const Pattern& pattern,
                                                    const ErasedTopology& network) {
  std::optional<Cost> promise = algorithm.promise();
  if (!promise) promise = cost_by_formula(info, network);
  return promise ? std::optional(in_blocks(*promise, pattern.parts_per_block())) : std::nullopt;
}

}  // namespace

/// A block may be an origin of several parts, or the algorithm may divide it.
[[nodiscard]] static std::uint64_t parts_of(const Algorithm& algorithm, const Pattern& pattern) {
  return pattern.parts_per_block() != 1 ? pattern.parts_per_block() : algorithm.parts_per_block();
}

std::optional<Promise> promised(const Choice& choice, const ErasedTopology& network,
                                std::size_t block_bytes) {
  const Algorithm& algorithm = *choice.instance.algorithm;
  const Pattern pattern = algorithm.pattern();
  const AlgorithmInfo& info = choice.line->entry.info;
  const auto cost = promise_in_blocks(info, algorithm, pattern, network);
  if (!cost) return std::nullopt;
  const std::uint64_t steps = info.charges_idle_steps ? algorithm.steps() : 0;
  const std::uint64_t parts = parts_of(algorithm, pattern);
  return Promise{info.charged(*cost, steps, block_bytes, parts), parts};
}

RunForecast forecast_for(const Choice& choice, const RunRequest& request) {
  const Algorithm& algorithm = *choice.instance.algorithm;
  AlgorithmInfo info = choice.line->entry.info;
  check_parts(info, algorithm.parts_per_block(), request);
  info.model = model_of(algorithm, info, request);
  const Settings settings = definite_settings(info, algorithm, choice.settings, request.topology);
  const Pattern pattern = algorithm.pattern();
  check_origins(pattern, request);
  Footprint footprint = algorithm.footprint();
  footprint.parts_per_block = parts_of(algorithm, pattern);
  const ProgramFacts program = choice.instance.facts.value_or(choice.line->program);
  RunChoice chosen = choice_of(
      {.algorithm = info,
       .settings = settings,
       .collective = {info.operation, NodeId{settings.number(root_parameter.name)}, pattern}},
      program, request);
  return forecast_of({std::move(chosen), footprint},
                     promise_in_blocks(info, algorithm, pattern, request.topology), program,
                     request, {algorithm.planning_bytes(), algorithm.levels(), std::nullopt});
}

std::optional<Probe> probe_so_far(const PreparedRun& run) {
  const auto* const own = dynamic_cast<const AlgorithmRun*>(&run);
  return own == nullptr ? std::nullopt : own->probe_so_far();
}

CrossingForecast crossing_of(PreparedRun& run, std::size_t processes, double seconds,
                             const std::stop_token& stop) {
  auto* const own = dynamic_cast<AlgorithmRun*>(&run);
  expects(own != nullptr, "the run is one of the catalogue");
  return own->crossing(processes, seconds, stop);
}

std::unique_ptr<PreparedRun> prepare_run(Choice choice, RunRequest request) {
  const bool receives_once = choice.instance.facts.value_or(choice.line->program).receives_once;
  return std::make_unique<AlgorithmRun>(std::move(request), std::move(choice.instance),
                                        std::move(choice.forecast), receives_once);
}

}  // namespace lockstep::catalog
