// SPDX-License-Identifier: Apache-2.0
#include "study/stress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>

#include "lockstep/verify/legality.hpp"

namespace lockstep::study {
namespace {

/// Collects the first difference.
class Comparison {
 public:
  template <class Value>
  void numbers(const char* what, Value got, Value expected) {
    if (got != expected) found(fmt::format("{} {}, expected {}", what, got, expected));
  }
  void found(std::string difference) {
    if (difference_.empty()) difference_ = std::move(difference);
  }
  [[nodiscard]] std::string first() && { return std::move(difference_); }

 private:
  std::string difference_;
};

[[nodiscard]] std::string described(const Violation& v) {
  return fmt::format("step {} node {} port {} {} ({})", v.step, index(v.node), index(v.port),
                     name_of(v.rule), v.count);
}

/// The first place where two lists differ.
template <class Item, class Describe>
void compare_lists(const char* what, const std::vector<Item>& got,
                   const std::vector<Item>& expected, Describe describe, Comparison& comparison) {
  const auto [ours, theirs] =
      std::mismatch(got.begin(), got.end(), expected.begin(), expected.end());
  const auto text = [&](const auto& at, const auto& end) {
    return at == end ? std::string("none") : describe(*at);
  };
  if (ours != got.end() || theirs != expected.end())
    comparison.found(fmt::format("{}: {}, expected {} ({} against {} in all)", what,
                                 text(ours, got.end()), text(theirs, expected.end()), got.size(),
                                 expected.size()));
}

void compare_records(const RunRecord& got, const RunRecord& expected, Comparison& comparison) {
  compare_lists("violations", got.violations, expected.violations, described, comparison);
  comparison.numbers("violations", got.violation_count, expected.violation_count);
  comparison.numbers("steps", got.steps, expected.steps);
  comparison.numbers("startups", got.startups, expected.startups);
  comparison.numbers("message times", got.message_times, expected.message_times);
  comparison.numbers("hops", got.hops, expected.hops);
  comparison.numbers("largest message", got.largest_message_blocks,
                     expected.largest_message_blocks);
  comparison.numbers("unmet stores", got.unmet_stores, expected.unmet_stores);
  comparison.numbers("blocks that waited", got.waits.blocks, expected.waits.blocks);
  comparison.numbers("longest wait", got.waits.longest_steps, expected.waits.longest_steps);
  comparison.numbers("blocks moved", got.blocks_moved, expected.blocks_moved);
  comparison.numbers("senders", got.senders, expected.senders);
  comparison.numbers("receivers", got.receivers, expected.receivers);
  comparison.numbers("delivered", got.deliveries.delivered, expected.deliveries.delivered);
  comparison.numbers("corrupted", got.deliveries.corrupted, expected.deliveries.corrupted);
  compare_lists(
      "series", got.series, expected.series,
      [](const StepRecord& step) { return fmt::format("step {}", step.step); }, comparison);
}

void compare_missing(const std::vector<MissingPair>& got, const std::vector<MissingPair>& expected,
                     Comparison& comparison) {
  compare_lists(
      "missing", got, expected,
      [](const MissingPair& pair) {
        return fmt::format("{} -> {}", index(pair.source), index(pair.destination));
      },
      comparison);
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
  Comparison comparison;
  const bool faulty = stress_case.request.fault.kind != FaultKind::none;
  if (faulty && result.ok()) comparison.found("the fault was not noticed");
  compare_records(result.record, stress_case.expected.record, comparison);
  if (faulty) {
    compare_missing(result.missing, stress_case.expected.missing, comparison);
  } else {
    const std::uint64_t known = result.estimate.footprint.deliveries;  // 0: nothing is left out
    comparison.numbers("outcome", name_of(result.judgement.outcome),
                       name_of(known == 0 ? Outcome::complete : Outcome::incomplete_as_known));
    const DeliveryVerdict& deliveries = result.judgement.deliveries;
    comparison.numbers("missing", deliveries.missing, known == 0 ? 0 : deliveries.expected - known);
  }
  comparison.numbers("verified", result.record.deliveries.verified,
                     stress_case.expected.record.deliveries.verified);
  if (!stress_case.trace.empty())
    for (const std::string& difference :
         disagreements(recount_trace(stress_case.trace, result.estimate.model), result.record))
      comparison.found("recount: " + difference);
  return std::move(comparison).first();
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
