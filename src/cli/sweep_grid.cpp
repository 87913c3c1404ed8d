// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_grid.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <utility>

#include "catalog/check_setting.hpp"
#include "core/invalid.hpp"
#include "core/suggest.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::cli {

namespace {

/// An algorithm by name, or without one the default, which depends on the settings of a run.
struct SweptAlgorithm {
  std::string algorithm{};
  std::vector<Parameter> parameters{};  ///< that it may take

  SweptAlgorithm() = default;
  explicit SweptAlgorithm(const AlgorithmInfo& info)
      : algorithm(info.name), parameters(info.parameters.begin(), info.parameters.end()) {}

  [[nodiscard]] bool takes(const Parameter& parameter) const {
    return parameter_of(parameters, parameter.name) != nullptr;
  }
};

/// The names that are asked for: of the catalogue, for this operation.
[[nodiscard]] std::vector<AlgorithmInfo> named_algorithms(const std::string& text,
                                                          Operation operation) {
  std::vector<AlgorithmInfo> chosen;
  for (const std::string& piece : split(text)) {
    std::vector<std::string_view> names;
    const AlgorithmInfo* found = nullptr;
    for (const AlgorithmEntry& entry : algorithm_catalog()) {
      if (entry.info.operation != operation) continue;
      // The same name on other networks follows at once.
      if (names.empty() || names.back() != entry.info.name) names.push_back(entry.info.name);
      if (entry.info.name == piece) found = &entry.info;
    }
    if (found == nullptr)
      throw invalid("{}: {}", name_of(operation), unknown("algorithm", piece, names));
    chosen.push_back(*found);
  }
  return chosen;
}

/// The parameters that any of them takes, and a user's own plan.
[[nodiscard]] SweptAlgorithm default_among(const std::vector<AlgorithmInfo>& algorithms,
                                           Operation operation) {
  SweptAlgorithm any;
  for (const AlgorithmInfo& info : algorithms)
    any.parameters.insert(any.parameters.end(), info.parameters.begin(), info.parameters.end());
  for (const AlgorithmEntry& entry : algorithm_catalog())
    if (entry.info.operation == operation)
      std::ranges::copy_if(entry.info.parameters, std::back_inserter(any.parameters),
                           &Parameter::required);
  return any;
}

/// Throws where the network has no algorithm for the operation, and the user gives none: nothing
/// could be run on it.
[[nodiscard]] std::vector<SweptAlgorithm> subjects_on(const AnyTopology& topology,
                                                      Operation operation,
                                                      const SweepArguments& arguments) {
  const std::vector<AlgorithmInfo> all = algorithms_for(topology, operation);
  const bool own_plan = std::ranges::any_of(
      arguments.parameters.given(), [](const auto& given) { return given.parameter.required; });
  if (all.empty() && !own_plan)
    (void)prepare({.topology = topology, .operation = operation}, false);
  if (!arguments.algorithm) return {default_among(all, operation)};
  const std::vector<AlgorithmInfo> named =
      *arguments.algorithm == "all" ? all : named_algorithms(*arguments.algorithm, operation);
  std::vector<SweptAlgorithm> subjects;
  for (const AlgorithmInfo& info : named) subjects.emplace_back(info);
  return subjects;
}

/// "8,64" and "8..1MiB": from the first on, doubled, up to the last.
[[nodiscard]] std::vector<std::optional<std::size_t>> block_sizes(const std::string& text) {
  std::vector<std::optional<std::size_t>> sizes;
  for (const std::string& piece : split(text)) {
    const std::size_t dots = piece.find("..");
    if (dots == std::string::npos) {
      sizes.push_back(parse_block_bytes(piece));
      continue;
    }
    if (dots == 0 || dots + 2 == piece.size())
      throw invalid("--bytes: '{}' lacks a limit; expected a range such as 8..1M", piece);
    const std::uint64_t first = parse_bytes("bytes", piece.substr(0, dots), 1);
    const std::uint64_t last = parse_bytes("bytes", piece.substr(dots + 2), first);
    for (std::uint64_t bytes = first;; bytes *= 2) {
      sizes.emplace_back(bytes);
      if (bytes > last / 2) break;
    }
  }
  return sizes;
}

/// From --min-bytes on, times the factor, up to --max-bytes; or as --bytes says.
[[nodiscard]] std::vector<std::optional<std::size_t>> swept_sizes(const SweepArguments& arguments) {
  if (!arguments.min_bytes && !arguments.max_bytes && !arguments.factor)
    return block_sizes(arguments.bytes);
  if (arguments.bytes != "auto")
    throw InvalidParameter("--bytes cannot be combined with --min-bytes, --max-bytes and --factor");
  if (!arguments.min_bytes || !arguments.max_bytes)
    throw InvalidParameter("--min-bytes and --max-bytes must be given together");
  const std::uint64_t first = parse_bytes("min-bytes", *arguments.min_bytes, 1);
  const std::uint64_t last = parse_bytes("max-bytes", *arguments.max_bytes, first);
  const double factor = parse_number("factor", arguments.factor.value_or("2"));
  if (factor <= 1)
    throw invalid("factor: '{}' is not valid; expected a number above 1", *arguments.factor);
  std::vector<std::optional<std::size_t>> sizes;
  for (double bytes = static_cast<double>(first); bytes <= static_cast<double>(last) * (1 + 1e-12);
       bytes *= factor)
    if (const auto size = static_cast<std::size_t>(std::llround(bytes));
        sizes.empty() || sizes.back() != size)
      sizes.emplace_back(size);
  return sizes;
}

/// The requests that are the same for every algorithm: one per block size, channel kind and number
/// of workers.
[[nodiscard]] std::vector<RunRequest> machines(const SweepArguments& arguments) {
  std::vector<std::optional<std::string>> threads{std::nullopt};
  if (arguments.machine.threads) {
    const std::vector<std::string> given = split(*arguments.machine.threads);
    threads.assign(given.begin(), given.end());
  }
  std::vector<RunRequest> list;
  for (const std::optional<std::size_t> bytes : swept_sizes(arguments))
    for (const std::string& channel : split(arguments.machine.channel))
      for (const std::optional<std::string>& workers : threads) {
        MachineArguments one = arguments.machine;
        one.channel = channel;
        one.threads = workers;
        RunRequest& request = list.emplace_back();
        request.block_bytes = bytes;
        if (!arguments.costs.are_of_host()) request.costs = arguments.costs.parameters();
        one.apply_to(request);
      }
  return list;
}

/// Every combination of the values given for the parameters that this algorithm takes.
[[nodiscard]] std::vector<Settings> settings_for(const SweptAlgorithm& subject,
                                                 const RunRequest& target,
                                                 const ParameterArguments& arguments) {
  std::vector<Settings> all{{}};
  for (const auto& [parameter, text] : arguments.given()) {
    if (!subject.takes(parameter)) continue;
    const std::vector<Setting> values = values_of(parameter, text, target);
    const std::vector<Settings> before = std::exchange(all, {});
    for (const Settings& settings : before)
      for (const Setting& value : values) {
        all.push_back(settings);
        all.back()[parameter.name] = value;
        all.back() = without_open(parameter_catalog(), all.back());
      }
  }
  return all;
}

/// A list that none of the algorithms takes was given by mistake.
void refuse_untaken(const ParameterArguments& arguments,
                    const std::vector<SweptAlgorithm>& subjects) {
  for (const ParameterArguments::Given& given : arguments.given())
    if (std::ranges::none_of(subjects, [&](const auto& one) { return one.takes(given.parameter); }))
      throw invalid("--{} '{}' applies to none of the selected algorithms", given.parameter.name,
                    given.text);
}

}  // namespace

void SweepArguments::add_to(CLI::App& app) {
  const OptionGroup add{app, "Grid"};
  app.add_option("topologies-then-operation", words,
                 "Networks or ranges of networks, then the operation: star:4..7 total-exchange")
      ->required();
  add("--algorithm", algorithm, "NAME,...|all",
      "Algorithms (default: for each run, the algorithm that `run` would select)");
  parameters.add_to(app, ParameterArguments::Form::lists);
  add("--bytes", bytes, "BYTES,...",
      "Block sizes in bytes: a list, or a range such as 8..1M that doubles; auto: 64, or 1 on "
      "networks of more than 2^24 processors");
  add("-b,--min-bytes", min_bytes, "BYTES",
      "Smallest block size; with --max-bytes replaces --bytes");
  add("-e,--max-bytes", max_bytes, "BYTES", "Largest block size");
  add("-f,--factor", factor, "F", "Ratio of consecutive block sizes (default: 2)");
  add("--repeat,--repetitions", repeat, "R",
      "Repetitions of each combination; reports the distribution of their wall times");
  add("--warmup", warmup, "W",
      "Unmeasured runs before the repetitions of each combination (default: one, before the first "
      "run shorter than 0.5 s)");
  add("--order", order, "ORDER", "Order of the runs: given, or random (seeded by --seed)");
  machine.add_to(app, port_model_of_algorithm);
  app.get_option("--threads")
      ->type_name("N,...")
      ->description(
          "Numbers of workers, 1 to 1,024 (default: one per usable core). One worker executes the\n"
          "steps that are expected to be short, unless --task-size is given");
  app.get_option("--channel")
      ->type_name("KIND,...")
      ->description("Channels between processors: auto, row, slot, spsc or mailbox");
  costs.add_to(app);
  output.add_to(app);
  report.add_to(app);
  app.get_option("--format")->description("Output format: text, json, csv or ndjson");
  const OptionGroup of_output{app, "Output"};
  of_output("--layout", layout, "LAYOUT",
            "Print the table in the format of another benchmark: osu, imb or nccl");
  of_output.flag("--resume", resume,
                 "Continue the sweep whose rows are in --output FILE (with --format csv);\n"
                 "refuses a file with a row that no run of this sweep could have had");
  of_output.flag("--overwrite", overwrite, "Replace the rows in --output FILE");
}

std::vector<RunRequest> sweep_requests(const SweepArguments& arguments) {
  if (arguments.words.size() < 2)
    throw invalid(
        "sweep: {} given; expected one or more topologies and then an operation, such as "
        "star:4..7 total-exchange",
        arguments.words.empty() ? "nothing" : fmt::format("only '{}'", arguments.words.front()));
  const Operation operation = parse_operation(arguments.words.back());
  const std::vector<RunRequest> on_machines = machines(arguments);
  std::vector<RunRequest> requests;
  std::vector<SweptAlgorithm> subjects;
  for (std::size_t i = 0; i + 1 < arguments.words.size(); ++i)
    for (const AnyTopology& topology : expand_topologies(arguments.words[i]))
      for (const SweptAlgorithm& subject : subjects_on(topology, operation, arguments)) {
        const RunRequest target{
            .topology = topology, .operation = operation, .algorithm = subject.algorithm};
        for (const Settings& settings : settings_for(subject, target, arguments.parameters))
          for (const RunRequest& machine : on_machines) {
            RunRequest& request = requests.emplace_back(machine);
            request.topology = topology;
            request.operation = operation;
            request.algorithm = target.algorithm;
            request.settings = settings;
            request.block_bytes = definite_block_bytes(request);
          }
        subjects.push_back(subject);
      }
  refuse_untaken(arguments.parameters, subjects);
  return requests;
}

/// Fisher and Yates; std::shuffle may differ between libraries.
void shuffle(std::vector<RunRequest>& requests, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = requests.size(); i > 1; --i)
    std::swap(requests[i - 1], requests[random() % i]);
}

}  // namespace lockstep::cli
