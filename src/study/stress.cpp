// SPDX-License-Identifier: Apache-2.0

/// Runs the cases of many seeds and compares each with the prediction of the reference machine.

#include "study/stress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <new>

#include "lockstep/core/errors.hpp"
#include "lockstep/verify/legality.hpp"
#include "reference/random.hpp"
#include "study/stress_jobs.hpp"
#include "study/stress_scripts.hpp"

namespace lockstep::study {

namespace {

[[nodiscard]] double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs a case of the catalogue into the summary. What is wrong with it.
[[nodiscard]] std::string try_catalogue(std::uint64_t seed, const StressOptions& options,
                                        StressSummary& summary, std::string& run) {
  const StressCase made = stress_case(seed, options.executors);
  run = describe(made);
  const RunResult result = prepare(made.request)->execute({.stop = options.stop});
  summary.interrupted = result.record.interrupted;
  if (summary.interrupted) return {};
  const auto kind = static_cast<std::size_t>(made.request.fault.kind);
  if (made.request.fault.kind != FaultKind::none) {
    ++summary.injected.at(kind);
    if (!result.ok()) ++summary.detected.at(kind);
  }
  return failure_of(made, result);
}

/// The same of a program drawn at random.
[[nodiscard]] std::string try_program(reference::Random& random, const StressOptions& options,
                                      StressSummary& summary, std::string& run) {
  const ScriptTrial trial = try_script(random, options.executors, options.stop);
  run = trial.run;
  summary.interrupted = trial.interrupted;
  if (summary.interrupted) return {};
  ++summary.programs;
  summary.programs_breaking += static_cast<std::uint64_t>(!trial.broken.empty());
  summary.rules_broken.insert(trial.broken.begin(), trial.broken.end());
  return trial.difference;
}

/// Runs one case into the summary.
void run_case(std::uint64_t seed, const StressOptions& options, StressSummary& summary) {
  std::string run = "the case could not be built";
  try {
    if (options.executors.empty())
      throw InvalidParameter("executors: none given; expected one or more");
    reference::Random random(seed);
    std::string what = random.happens(50) ? try_catalogue(seed, options, summary, run)
                                          : try_program(random, options, summary, run);
    if (summary.interrupted) return;
    if (!what.empty()) summary.failure = StressFailure{seed, run, std::move(what)};
  } catch (const ResourceExhausted&) {  // the host's fault, not the case's
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    summary.failure = StressFailure{seed, run, error.what()};
  }
  ++summary.cases;
}

}  // namespace

std::string failure_of(const StressCase& stress_case, const RunResult& result) {
  const FaultPrediction& expected = stress_case.expected;
  const bool faulty = stress_case.request.fault.kind != FaultKind::none;
  if (faulty && result.ok()) return "the fault was not detected";
  std::vector<std::string> found = differences(result.record, expected.record);
  if (faulty) {
    if (result.missing != expected.missing)
      found.push_back(fmt::format("{} pairs missing, expected {}, or others", result.missing.size(),
                                  expected.missing.size()));
  } else {
    const std::uint64_t known = result.forecast.footprint.deliveries;  // 0: nothing is left out
    const Outcome outcome = known == 0 ? Outcome::complete : Outcome::incomplete_as_known;
    const DeliveryVerdict& deliveries = result.judgement.deliveries;
    if (result.judgement.outcome != outcome)
      found.push_back(fmt::format("outcome {}, expected {}", name_of(result.judgement.outcome),
                                  name_of(outcome)));
    if (deliveries.missing != (known == 0 ? 0 : deliveries.expected - known))
      found.push_back(fmt::format("missing {}", deliveries.missing));
  }
  if (!stress_case.trace.empty())
    for (const std::string& difference : disagreements(
             recount_trace(stress_case.trace, result.forecast.model, result.record.processors),
             result.record))
      found.push_back("recount: " + difference);
  return found.empty() ? "" : found.front();
}

StressSummary stress(const StressOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  StressSummary summary;
  do {
    run_case(options.seed + summary.cases, options, summary);
    if (options.after_case) options.after_case(summary);
    if (options.stop.stop_requested()) summary.interrupted = true;
    if (options.seconds > 0 && seconds_since(start) >= options.seconds) break;
  } while (!summary.failure && !summary.interrupted && summary.cases != options.cases);
  return summary;
}

}  // namespace lockstep::study
