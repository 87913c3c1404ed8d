// SPDX-License-Identifier: Apache-2.0
#include "study/stress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>

#include "lockstep/verify/legality.hpp"

namespace lockstep::study {
namespace {

using Differences = std::vector<std::string>;

template <class Value>
void compare_values(const char* what, Value got, Value expected, Differences& found) {
  if (got != expected) found.push_back(fmt::format("{} {}, expected {}", what, got, expected));
}

[[nodiscard]] std::string described(const Violation& v) {
  return fmt::format("step {} node {} port {} {} ({})", v.step, index(v.node), index(v.port),
                     name_of(v.rule), v.count);
}

/// The first place where two lists differ.
template <class Item, class Describe>
void compare_lists(const char* what, const std::vector<Item>& got,
                   const std::vector<Item>& expected, Describe describe, Differences& found) {
  const auto [ours, theirs] =
      std::mismatch(got.begin(), got.end(), expected.begin(), expected.end());
  const auto text = [&](const auto& at, const auto& end) {
    return at == end ? std::string("none") : describe(*at);
  };
  if (ours != got.end() || theirs != expected.end())
    found.push_back(fmt::format("{}: {}, expected {} ({} against {} in all)", what,
                                text(ours, got.end()), text(theirs, expected.end()), got.size(),
                                expected.size()));
}

void compare_records(const RunRecord& got, const RunRecord& expected, Differences& found) {
  compare_lists("violations", got.violations, expected.violations, described, found);
  compare_values("violations", got.violation_count, expected.violation_count, found);
  compare_values("steps", got.steps, expected.steps, found);
  compare_values("startups", got.startups, expected.startups, found);
  compare_values("message times", got.message_times, expected.message_times, found);
  compare_values("control words", got.control_words, expected.control_words, found);
  compare_values("hops", got.hops, expected.hops, found);
  compare_values("largest message", got.largest_message_blocks, expected.largest_message_blocks,
                 found);
  compare_values("unmet stores", got.unmet_stores, expected.unmet_stores, found);
  compare_values("blocks that waited", got.waits.blocks, expected.waits.blocks, found);
  compare_values("longest wait", got.waits.longest_steps, expected.waits.longest_steps, found);
  compare_values("blocks moved", got.blocks_moved, expected.blocks_moved, found);
  compare_values("senders", got.senders, expected.senders, found);
  compare_values("receivers", got.receivers, expected.receivers, found);
  compare_values("delivered", got.deliveries.delivered, expected.deliveries.delivered, found);
  compare_values("corrupted", got.deliveries.corrupted, expected.deliveries.corrupted, found);
  compare_lists(
      "phases", got.phases, expected.phases, [](const PhaseRecord& phase) { return phase.name; },
      found);
  compare_lists(
      "series", got.series, expected.series,
      [](const StepRecord& step) { return fmt::format("step {}", step.step); }, found);
}

[[nodiscard]] double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs one case into the summary.
void run_case(std::uint64_t seed, const StressOptions& options, StressSummary& summary) {
  std::string run = "the case could not be made";
  try {
    const StressCase made = stress_case(seed, options.executors);
    run = describe(made);
    const RunResult result = prepare(made.request)->execute({.stop = options.stop});
    if (result.record.interrupted) {
      summary.interrupted = true;
      return;
    }
    const auto kind = static_cast<std::size_t>(made.request.fault.kind);
    if (made.request.fault.kind != FaultKind::none) {
      ++summary.injected.at(kind);
      if (!result.ok()) ++summary.detected.at(kind);
    }
    if (std::string what = failure_of(made, result); !what.empty())
      summary.failure = StressFailure{seed, run, std::move(what)};
  } catch (const std::exception& error) {
    summary.failure = StressFailure{seed, run, error.what()};
  }
  ++summary.cases;
}

}  // namespace

std::string failure_of(const StressCase& stress_case, const RunResult& result) {
  Differences found;
  const FaultPrediction& expected = stress_case.expected;
  const bool faulty = stress_case.request.fault.kind != FaultKind::none;
  if (faulty && result.ok()) found.emplace_back("the fault was not noticed");
  compare_records(result.record, expected.record, found);
  if (faulty) {
    compare_lists(
        "missing", result.missing, expected.missing,
        [](const MissingPair& pair) {
          return fmt::format("{} -> {}", index(pair.origin), index(pair.destination));
        },
        found);
  } else {
    const std::uint64_t known = result.estimate.footprint.deliveries;  // 0: nothing is left out
    compare_values("outcome", name_of(result.judgement.outcome),
                   name_of(known == 0 ? Outcome::complete : Outcome::incomplete_as_known), found);
    const DeliveryVerdict& deliveries = result.judgement.deliveries;
    compare_values("missing", deliveries.missing, known == 0 ? 0 : deliveries.expected - known,
                   found);
  }
  compare_values("verified", result.record.deliveries.verified, expected.record.deliveries.verified,
                 found);
  if (!stress_case.trace.empty())
    for (const std::string& difference :
         disagreements(recount_trace(stress_case.trace, result.estimate.model), result.record))
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
