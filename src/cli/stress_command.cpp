// SPDX-License-Identifier: Apache-2.0

/// lockstep stress: random runs under hostile schedules, injected faults, broken rules.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <optional>
#include <random>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "lockstep/machine/detail/wire.hpp"
#include "report/quantities.hpp"
#include "study/stress.hpp"

namespace lockstep::cli {
namespace {

using namespace study;  // NOLINT(google-build-using-namespace): it prints what an experiment found

struct StressArguments {
  std::optional<std::string> seconds{};
  std::optional<std::string> cases{};
  std::optional<std::string> seed{};
  std::optional<std::string> executor{};
  std::optional<std::string> output{};
  bool quiet = false;
};

/// Ten seconds, where neither a time nor a number of cases is asked for.
[[nodiscard]] StressOptions options_of(const StressArguments& arguments, const Session& session) {
  StressOptions options{.stop = session.stop};
  options.seed = arguments.seed ? parse_count("seed", *arguments.seed) : std::random_device{}();
  if (arguments.cases) options.cases = parse_count("cases", *arguments.cases, 1);
  if (arguments.seconds) {
    options.seconds = parse_number("seconds", *arguments.seconds, "a number above 0");
    if (options.seconds <= 0)
      throw InvalidParameter("seconds: '0' is not valid; expected a number above 0");
  } else if (!arguments.cases) {
    options.seconds = 10;
  }
  if (arguments.executor) options.executors = {parse_executor(*arguments.executor)};
  if (session.processes == nullptr) return options;
  options.processes = session.processes;
  options.seed = detail::gathered(*session.processes, options.seed).front();
  return options;
}

[[nodiscard]] std::uint64_t sum(const std::array<std::uint64_t, 5>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

[[nodiscard]] std::string rules_text(const StressSummary& summary) {
  std::string rules;
  for (const Rule rule : summary.rules_broken)
    rules += fmt::format("{}{}", rules.empty() ? ": " : ", ", name_of(rule));
  if (summary.rules_broken.size() == rule_count) rules = "; every rule at least once";
  return fmt::format("by {} programs{}", report::count_text(summary.programs_breaking), rules);
}

[[nodiscard]] std::string text_of(const StressSummary& summary, const StressArguments& arguments,
                                  std::uint64_t seed, const Processes* processes) {
  std::string kinds;
  for (const FaultKind kind :
       {FaultKind::drop, FaultKind::duplicate, FaultKind::corrupt, FaultKind::misroute})
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", name_of(kind),
                         summary.injected.at(static_cast<std::size_t>(kind)));
  const std::uint64_t faults = sum(summary.injected);
  std::string text = fmt::format(
      "seed             {}\n"
      "cases            {}: {} fault-free runs, {} runs with a fault, {} random programs{}\n"
      "faults injected  {}  ({})\n"
      "faults detected  {}\n"
      "rules broken     {}\n",
      seed, report::count_text(summary.cases),
      report::count_text(summary.cases - faults - summary.programs), report::count_text(faults),
      report::count_text(summary.programs), summary.interrupted ? ", interrupted" : "",
      report::count_text(faults), kinds, report::count_text(sum(summary.detected)),
      rules_text(summary));
  if (!summary.failure)
    return text + "result           ok: every run, fault and violation is as predicted\n";
  const StressFailure& failure = *summary.failure;
  const std::string executor = arguments.executor ? " --executor " + *arguments.executor : "";
  const std::string launcher =
      processes != nullptr ? fmt::format("mpirun -n {} ", processes->count()) : "";
  return text + fmt::format(
                    "result           FAILED: {}\n"
                    "run              {}\n"
                    "to repeat        {}lockstep stress --seed {} --cases 1{}\n",
                    failure.what, failure.run, launcher, failure.seed, executor);
}

int run(const StressArguments& arguments, const Session& session) {
  StressOptions options = options_of(arguments, session);
  Output output(session.writes() ? arguments.output : std::nullopt);
  std::array<std::atomic<std::uint64_t>, 3> counts{};  // cases, faults injected, detected
  options.after_case = [&counts](const StressSummary& summary) {
    counts[0] = summary.cases;
    counts[1] = sum(summary.injected);
    counts[2] = sum(summary.detected);
  };
  const StressSummary summary = [&] {
    const StatusLine shown(
        [&counts](double seconds, std::size_t) {
          return fmt::format("stress  {} cases, {} faults injected, {} detected  {}",
                             report::count_text(counts[0]), report::count_text(counts[1]),
                             report::count_text(counts[2]), report::seconds_text(seconds));
        },
        arguments.quiet ? StatusLine::Show::never : StatusLine::Show::on_terminal);
    return stress(options);
  }();
  output.write_text(text_of(summary, arguments, options.seed, session.processes));
  if (summary.failure) return code(Exit::not_delivered);
  return code(summary.interrupted ? Exit::interrupted : Exit::ok);
}

}  // namespace

Action declare_stress(CLI::App& app, const Session& session) {
  const auto arguments = std::make_shared<StressArguments>();
  const OptionGroup add{app};
  add("--seconds", arguments->seconds, "SECONDS", "Duration (default: 10 unless --cases is given)");
  add("--cases", arguments->cases, "N", "Maximum number of cases");
  add("--seed", arguments->seed, "N",
      "Seed of the first case; the next cases use the next numbers (default: random, printed)");
  add("--executor", arguments->executor, "KIND", "Use only this executor: tbb, thread or serial");
  add("--output", arguments->output, "FILE", whole_file_meaning);
  add.flag("--quiet", arguments->quiet, "Print no progress on stderr");
  app.footer(
      "Half of the cases run an algorithm of the catalogue with a random operation, parameters,\n"
      "port model, channel, executor and number of workers. In every second one of these, a\n"
      "message is dropped, duplicated, corrupted or sent through another port. The other half\n"
      "run random programs on every machine, node by node or in groups whose nodes may send\n"
      "different messages. Most of these programs violate a rule: the port model, a second\n"
      "message to a receive-once node, a slot or port that does not exist. A slow reference\n"
      "machine predicts every result.\n"
      "Example: lockstep stress --seconds 60 --seed 1\n"
      "Exit codes: 0 all results as predicted; 1 a result differs; 2 bad request; 130 "
      "interrupted.");
  return [arguments, &session] { return run(*arguments, session); };
}

}  // namespace lockstep::cli
