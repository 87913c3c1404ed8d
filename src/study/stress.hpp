// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Stress: random runs under hostile schedules - more workers than cores, every processor a task,
/// seeded delays inside steps. Half are of the catalogue's algorithms, every other of them with one
/// message harmed; half are programs drawn at random, which break rules (study/stress_scripts.hpp).
/// What each run must come to is said by the reference machine, pair for pair, and compared
/// exactly; the port model is recounted from the trace.
///
///     const StressSummary summary = stress({.seed = 1, .cases = 100});
///     if (summary.failure) ...   // replayed by .seed = summary.failure->seed, .cases = 1

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/machine/send_event.hpp"
#include "reference/affected_pairs.hpp"

namespace lockstep::study {

using reference::FaultPrediction;

/// The result that a run of the catalogue must have, fault included, by the reference machine: for
/// some hundred processors. The sends are added to `trace` if there is one.
[[nodiscard]] FaultPrediction predict(const RunRequest& request, PreparedRun& run,
                                      SendTrace* trace = nullptr);

/// One run and what it must come to.
struct StressCase {
  RunRequest request;
  FaultPrediction expected;
  SendTrace trace{};  ///< of the reference machine; empty where a fault is injected
};

/// The case of a seed; `executors` are those it may choose from.
[[nodiscard]] StressCase stress_case(std::uint64_t seed, std::span<const ExecutorKind> executors);

/// On one line, as a user would ask for it.
[[nodiscard]] std::string describe(const StressCase& stress_case);

/// In what the result differs from what was expected; empty: in nothing.
[[nodiscard]] std::string failure_of(const StressCase& stress_case, const RunResult& result);

inline constexpr std::size_t rule_count = index(Rule::arrival) + 1;

struct StressFailure {
  std::uint64_t seed = 0;
  std::string run;   ///< the case
  std::string what;  ///< is wrong with it
};

struct StressSummary {
  std::uint64_t cases = 0;
  std::array<std::uint64_t, 5> injected{};  ///< faults, by FaultKind
  std::array<std::uint64_t, 5> detected{};
  std::uint64_t programs = 0;           ///< cases that were programs drawn at random
  std::uint64_t programs_breaking = 0;  ///< a rule or several
  std::set<Rule> rules_broken{};        ///< by them
  bool interrupted = false;
  std::optional<StressFailure> failure{};  ///< ends the run
};

struct StressOptions {
  std::uint64_t seed = 1;   ///< case i is that of seed + i
  double seconds = 0;       ///< 0: no limit
  std::uint64_t cases = 0;  ///< 0: no limit
  std::vector<ExecutorKind> executors{executor_kinds.begin(), executor_kinds.end()};
  std::stop_token stop{};
  /// Share every run on a network that has a node for each of them; null: this one is alone. All of
  /// them are given the same seed, number of cases and executors.
  Processes* processes = nullptr;
  std::function<void(const StressSummary&)> after_case{};
};

/// Until the limit that comes first, or a failure; at least one case.
[[nodiscard]] StressSummary stress(const StressOptions& options);

}  // namespace lockstep::study
