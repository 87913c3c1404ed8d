// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_grid.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <utility>

#include "core/suggest.hpp"
#include "lockstep/core/errors.hpp"
#include "study/factor_choices.hpp"

namespace lockstep::cli {

using study::Factors;

namespace {

/// The names that are asked for: of the catalogue, for this operation.
[[nodiscard]] std::vector<AlgorithmInfo> named_algorithms(const std::string& text,
                                                          Operation operation) {
  std::vector<AlgorithmInfo> chosen;
  for (const std::string& piece : split_at_commas(text)) {
    std::vector<std::string_view> names;
    const AlgorithmInfo* found = nullptr;
    for (const AlgorithmEntry& entry : algorithm_catalog()) {
      if (entry.info.operation != operation) continue;
      names.push_back(entry.info.name);
      if (entry.info.name == piece) found = &entry.info;
    }
    if (found == nullptr)
      throw InvalidParameter(
          fmt::format("{}: {}", name_of(operation), unknown("algorithm", piece, names)));
    chosen.push_back(*found);
  }
  return chosen;
}

/// Throws where the network has no algorithm for the operation: nothing could be run on it.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms_on(const std::string& topology,
                                                       Operation operation,
                                                       const std::optional<std::string>& text) {
  std::vector<AlgorithmInfo> all = algorithms_for(topology, operation);
  if (all.empty()) (void)prepare({.topology = topology, .operation = operation}, false);
  if (text && *text != "all") return named_algorithms(*text, operation);
  if (!text) all.resize(1);
  return all;
}

[[nodiscard]] std::vector<std::uint64_t> parse_batches(const std::string& text) {
  std::vector<std::uint64_t> batches;
  for (const std::string& piece : split_at_commas(text)) batches.push_back(parse_batch(piece));
  return batches;
}

[[nodiscard]] std::vector<QueueDiscipline> parse_disciplines(
    const std::optional<std::string>& text) {
  if (!text) return {QueueDiscipline::fifo};
  if (*text == "all") return {all_queue_disciplines.begin(), all_queue_disciplines.end()};
  std::vector<QueueDiscipline> disciplines;
  for (const std::string& piece : split_at_commas(*text))
    disciplines.push_back(parse_discipline(piece));
  return disciplines;
}

/// The machine's part of every request: a request per channel kind and number of workers.
[[nodiscard]] std::vector<RunRequest> machines(const MachineArguments& arguments) {
  std::vector<RunRequest> list;
  for (const std::string& channel : split_at_commas(arguments.channel)) {
    const std::vector<std::string> threads =
        arguments.threads ? split_at_commas(*arguments.threads) : std::vector<std::string>{};
    for (std::size_t i = 0; i < std::max<std::size_t>(threads.size(), 1); ++i) {
      MachineArguments one = arguments;
      one.channel = channel;
      if (!threads.empty()) one.threads = threads[i];
      one.apply_to(list.emplace_back());
    }
  }
  return list;
}

/// "8,auto,1KiB"
[[nodiscard]] std::vector<std::optional<std::size_t>> parse_bytes_choices(const std::string& text) {
  std::vector<std::optional<std::size_t>> list;
  for (const std::string& piece : split_at_commas(text)) list.push_back(parse_block_bytes(piece));
  return list;
}

/// Readers once, before the product is formed.
struct Lists {
  std::optional<std::string> k;
  std::vector<std::uint64_t> batches;
  std::vector<QueueDiscipline> disciplines;
  std::vector<std::optional<std::size_t>> bytes;
  std::vector<RunRequest> machines;
};

[[nodiscard]] std::vector<AlgorithmParameters> parameters_for(const AlgorithmInfo& info,
                                                              const RunRequest& target,
                                                              const Lists& lists) {
  std::vector<Factors> factors{{}};
  if (info.packs && lists.k) factors = parse_factor_choices(*lists.k, target);
  const std::vector<std::uint64_t> batches =
      info.batches ? lists.batches : std::vector<std::uint64_t>{1};
  const std::vector<QueueDiscipline> disciplines =
      info.queues ? lists.disciplines : std::vector{QueueDiscipline::fifo};
  std::vector<AlgorithmParameters> all;
  for (const Factors& k : factors)
    for (const std::uint64_t batch : batches)
      for (const QueueDiscipline discipline : disciplines)
        all.push_back(
            {.k = k, .batch = batch, .root = target.parameters.root, .discipline = discipline});
  return all;
}

void add_requests(std::vector<RunRequest>& requests, const RunRequest& target,
                  const std::vector<AlgorithmParameters>& parameters, const Lists& lists) {
  for (const AlgorithmParameters& one : parameters)
    for (const std::optional<std::size_t> bytes : lists.bytes)
      for (const RunRequest& machine : lists.machines) {
        RunRequest& request = requests.emplace_back(machine);
        request.topology = target.topology;
        request.operation = target.operation;
        request.algorithm = target.algorithm;
        request.parameters = one;
        request.block_bytes = bytes;
        request.block_bytes = definite_block_bytes(request);
      }
}

/// A list that none of the algorithms takes was given by mistake.
void refuse_untaken(const SweepArguments& arguments, const std::vector<AlgorithmInfo>& algorithms) {
  const auto refuse_unless = [&](bool AlgorithmInfo::*takes, std::string_view what,
                                 const std::string& given, std::string_view taken) {
    if (std::none_of(algorithms.begin(), algorithms.end(),
                     [&](const AlgorithmInfo& info) { return info.*takes; }))
      throw InvalidParameter(
          fmt::format("{}: '{}' given, but none of the algorithms takes {}", what, given, taken));
  };
  if (arguments.k) refuse_unless(&AlgorithmInfo::packs, "k", *arguments.k, "packing factors");
  if (arguments.batch != "1")
    refuse_unless(&AlgorithmInfo::batches, "batch", arguments.batch, "batches");
  if (arguments.discipline)
    refuse_unless(&AlgorithmInfo::queues, "discipline", *arguments.discipline,
                  "a queue discipline");
}

}  // namespace

std::vector<Factors> parse_factor_choices(const std::string& text, const RunRequest& request) {
  if (text == "all") return study::single_factors(request);
  std::vector<Factors> lists;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    lists.push_back(parse_factors(text.substr(at, end - at)));
    at = end + 1;
  }
  return lists;
}

void SweepArguments::add_to(CLI::App& app) {
  const auto add = [&](const char* name, auto& value, const char* type, const char* meaning) {
    return app.add_option(name, value, meaning)->type_name(type)->group("Grid");
  };
  app.add_option("topologies-then-operation", words,
                 "Networks or ranges of them, then the collective: star:4..7 total-exchange")
      ->required();
  add("--algorithm", algorithm, "NAME,...|all", "Algorithms; default: the default of each network");
  add("--k", k, "K;K,K;...|all",
      "Packing factors and chains of them, ';' between: '3;4,3,2'; all: every single factor");
  add("--batch", batch, "B,...", "Packets redistributed together, or auto")->capture_default_str();
  add("--discipline", discipline, "NAME,...|all",
      "Queue disciplines: fifo, furthest-first, closest-first, message-shift; default: fifo");
  add("--bytes", bytes, "BYTES,...",
      "Bytes of a block; auto: 64, or 1 where there are more than 2^24 processors")
      ->capture_default_str();
  add("--repeat", repeat, "R", "Runs of each combination; wall times are medians")
      ->capture_default_str();
  root.add_to(app);
  machine.add_to(app);
  app.get_option("--threads")
      ->type_name("N,...")
      ->description("Workers, 1..1024, or a list; default: one per core");
  app.get_option("--channel")
      ->type_name("KIND,...")
      ->description("auto, spsc, slot or mailbox, or a list");
  costs.add_to(app);
  output.add_to(app);
  app.add_flag("--resume", resume,
               "Continue the sweep whose rows are in --output FILE (with --format csv)")
      ->group("Output");
}

std::vector<RunRequest> sweep_requests(const SweepArguments& arguments) {
  if (arguments.words.size() < 2)
    throw InvalidParameter(
        fmt::format("sweep: '{}' given, allowed one or more topologies and then an operation, such "
                    "as star:4..7 total-exchange",
                    arguments.words.empty() ? "" : arguments.words.front()));
  const Operation operation = parse_operation(arguments.words.back());
  const Lists lists{.k = arguments.k,
                    .batches = parse_batches(arguments.batch),
                    .disciplines = parse_disciplines(arguments.discipline),
                    .bytes = parse_bytes_choices(arguments.bytes),
                    .machines = machines(arguments.machine)};
  std::vector<RunRequest> requests;
  std::vector<AlgorithmInfo> algorithms;
  for (std::size_t i = 0; i + 1 < arguments.words.size(); ++i)
    for (const std::string& topology : expand_topologies(arguments.words[i]))
      for (const AlgorithmInfo& info : algorithms_on(topology, operation, arguments.algorithm)) {
        RunRequest target{
            .topology = topology, .operation = operation, .algorithm = std::string(info.name)};
        arguments.root.apply_to(target);
        add_requests(requests, target, parameters_for(info, target, lists), lists);
        algorithms.push_back(info);
      }
  refuse_untaken(arguments, algorithms);
  return requests;
}

}  // namespace lockstep::cli
