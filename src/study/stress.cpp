// SPDX-License-Identifier: Apache-2.0

/// Runs the cases of many seeds and compares each with the prediction of the reference machine.

#include "study/stress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <new>
#include <stdexcept>

#include "lockstep/core/errors.hpp"
#include "lockstep/machine/detail/wire.hpp"
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
  const RunResult result =
      prepare(made.request)
          ->execute({.stop = options.stop,
                     .processes = sharing(options.processes, made.request.topology.node_count())});
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
  const ScriptTrial trial = try_script(random, options.executors, options.stop, options.processes);
  run = trial.run;
  summary.interrupted = trial.interrupted;
  if (summary.interrupted) return {};
  ++summary.programs;
  summary.programs_breaking += static_cast<std::uint64_t>(!trial.broken.empty());
  summary.rules_broken.insert(trial.broken.begin(), trial.broken.end());
  return trial.difference;
}

/// The state of a series of cases after one of them.
struct AfterCase {
  bool ends = false;
  bool interrupted = false;
  std::string failure{};  ///< what is wrong with the case; empty: nothing

  /// All processes end after the same case, with the failure of the first one that has a failure.
  void agree(Processes& processes) {
    Processes::Bytes own;
    detail::WireWriter(own).put(ends).put(interrupted).put_text(failure);
    failure.clear();
    const std::vector<Processes::Bytes> all = detail::gathered_bytes(processes, own);
    for (std::size_t p = 0; p < all.size(); ++p) {
      detail::WireReader in(all[p]);
      ends = in.take<bool>() || ends;
      interrupted = in.take<bool>() || interrupted;
      const std::string its = in.take_text();
      if (failure.empty() && !its.empty()) failure = fmt::format("{} (in process {})", its, p);
    }
  }
};

/// Runs one case into the summary. What is wrong with it.
[[nodiscard]] std::string run_case(std::uint64_t seed, const StressOptions& options,
                                   StressSummary& summary, std::string& run) {
  try {
    if (options.executors.empty())
      throw InvalidParameter("executors: none given; expected one or more");
    reference::Random random(seed);
    return random.happens(50) ? try_catalogue(seed, options, summary, run)
                              : try_program(random, options, summary, run);
  } catch (const ResourceExhausted&) {  // the host's fault, not the case's
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    if (options.processes != nullptr)  // the others may wait for this one in the run
      throw std::runtime_error(fmt::format("seed {}: {}: {}", seed, run, error.what()));
    return error.what();
  }
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
  AfterCase after;
  do {
    const std::uint64_t seed = options.seed + summary.cases;
    std::string run = "the case could not be built";
    after.failure = run_case(seed, options, summary, run);
    if (!summary.interrupted) ++summary.cases;
    after.interrupted = summary.interrupted || options.stop.stop_requested();
    after.ends = summary.cases == options.cases ||
                 (options.seconds > 0 && seconds_since(start) >= options.seconds);
    if (options.processes != nullptr) after.agree(*options.processes);
    summary.interrupted = after.interrupted;
    if (!after.failure.empty()) summary.failure = StressFailure{seed, run, after.failure};
    if (options.after_case) options.after_case(summary);
  } while (!summary.failure && !summary.interrupted && !after.ends);
  return summary;
}

}  // namespace lockstep::study
