// SPDX-License-Identifier: Apache-2.0

/// lockstep compare: all algorithms for an operation, run, side by side.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "lockstep/cost/model.hpp"
#include "report/fields.hpp"
#include "study/compare_variants.hpp"
#include "study/comparison.hpp"
#include "study/run_series.hpp"

namespace lockstep::cli {
namespace {

using namespace study;  // NOLINT(google-build-using-namespace): it prints what an experiment found
using report::Fields;
using report::in_blocks;
using report::Value;

struct CompareOptions {
  std::string topology;
  std::string operation;
  std::string bytes = "auto";
  ParameterArguments parameters{};
  MachineArguments machine{};
  CostArguments costs{};
  OutputArguments output{};

  [[nodiscard]] RunRequest base() const {
    RunRequest request{.topology = topology, .operation = parse_operation(operation)};
    parameters.apply_to(request);
    machine.apply_to(request);
    request.block_bytes = parse_block_bytes(bytes).value_or(definite_block_bytes(request));
    return request;
  }
};

/// That an algorithm breaks the rules of a model that was asked for, or leaves out what it is known
/// to leave out, is an answer, no failure.
[[nodiscard]] bool is_answer(const CompareEntry& entry, const CompareOptions& options) {
  if (entry.run.exit == Exit::rule_broken) return options.machine.port_model.has_value();
  return entry.run.exit == Exit::not_delivered && entry.run.result &&
         entry.run.result->incomplete_as_known();
}

[[nodiscard]] Comparison measured(const CompareOptions& options, const Session& session) {
  Comparison comparison{.entries = {}, .host = options.costs.parameters()};
  SeriesProgress progress(options.output.progress());
  RunSeries series(compare_variants(options.base(), comparison.host),
                   {.stop = session.stop, .display = &progress});
  for (std::size_t i = 0; i < series.size(); ++i) {
    CompareEntry entry{series.request(i), series.measure(i)};
    if (!is_answer(entry, options)) comparison.exit = worse(comparison.exit, entry.run.exit);
    if (entry.run.interrupted()) break;
    comparison.note_bound(entry);
    comparison.entries.push_back(std::move(entry));
  }
  return comparison;
}

/// The columns never change their meaning; new ones may be added behind.
[[nodiscard]] Fields fields_of(const CompareEntry& entry, const CostParameters& host) {
  const bool run = entry.run.result.has_value();
  const auto& estimate = entry.run.estimate;
  const auto promise = estimate ? estimate->predicted : std::nullopt;
  const auto bound = estimate ? estimate->lower_bound : std::nullopt;
  const auto ratio = run ? over_bound(entry, host) : std::nullopt;
  const auto counted = [&](auto use) {
    return run ? Value(use(entry.run.result->record)) : Value();
  };
  const std::uint64_t parts = entry.parts_per_block();
  const auto time = [&](const CostParameters& at) {
    return counted([&](const RunRecord& r) { return modelled(r, at, parts); });
  };
  return {{"topology", entry.request.topology ? Value(entry.request.topology.name()) : Value()},
          {"operation", std::string(name_of(entry.request.operation))},
          {"algorithm", entry.request.algorithm},
          {"k", report::value_of(entry.settings(), "k")},
          {"batch", report::value_of(entry.settings(), "batch")},
          {"bytes", std::uint64_t{entry.request.block_bytes.value_or(0)}},
          {"status", std::string(entry.run.status())},
          {"startups", counted([](const RunRecord& r) { return r.startups; })},
          {"message_times",
           counted([&](const RunRecord& r) { return in_blocks(r.message_times, parts); })},
          {"predicted_startups", promise ? Value(promise->startups) : Value()},
          {"predicted_message_times", promise ? in_blocks(promise->message_times, parts) : Value()},
          {"lower_bound_steps", bound ? Value(bound->steps) : Value()},
          {"lower_bound_message_times", bound ? in_blocks(bound->message_times, parts) : Value()},
          {"ts", host.t_s},
          {"tm", host.t_m},
          {"time", time(host)},
          {"time_over_lower_bound", ratio ? Value(*ratio) : Value()},
          {"time_ratio_0.1", time(host_of(paper_ratios[0]))},
          {"time_ratio_1", time(host_of(paper_ratios[1]))},
          {"time_ratio_100", time(host_of(paper_ratios[2]))},
          {"largest_message_blocks",
           counted([&](const RunRecord& r) { return in_blocks(r.largest_message_blocks, parts); })},
          {"memory_predicted_bytes", estimate ? Value(estimate->memory_bytes) : Value()},
          {"wall_seconds", run ? Value(entry.run.wall_seconds) : Value()},
          {"note", entry.run.note}};
}

[[nodiscard]] Fields row_of(const CompareEntry& entry, const CostParameters& host) {
  Fields row = fields_of(entry, host);
  const bool known = entry.run.result && entry.run.result->largest_queue;
  const QueueFigures queue = known ? *entry.run.result->largest_queue : QueueFigures{};
  row.push_back({"discipline", report::value_of(entry.settings(), "discipline")});
  row.push_back({"port_model", entry.port_model()});
  row.push_back({"largest_queue_blocks", known ? Value(queue.blocks) : Value()});
  row.push_back({"largest_queue_foreign", known ? Value(queue.foreign) : Value()});
  row.push_back({"root", report::value_of(entry.settings(), "root")});
  row.push_back({"parts_per_block", entry.parts_per_block()});
  return row;
}

[[nodiscard]] std::string csv_of(const Comparison& comparison) {
  std::string text = report::csv_heading(row_of({}, comparison.host));
  for (const CompareEntry& entry : comparison.entries)
    text += report::csv_row(row_of(entry, comparison.host));
  return text;
}

[[nodiscard]] std::string json_of(const Comparison& comparison, const Session& session) {
  auto json = report::json_head("lockstep.compare/1", provenance(session.command_line));
  json["rows"] = nlohmann::ordered_json::array();
  for (const CompareEntry& entry : comparison.entries)
    json["rows"].push_back(report::json_of(row_of(entry, comparison.host)));
  json["interrupted"] = comparison.exit == Exit::interrupted;
  json["ok"] = comparison.exit == Exit::ok;
  return json.dump(2) + "\n";
}

int compare(const CompareOptions& options, const Session& session) {
  const Format format = parse_format(options.output.format);
  Output output(options.output.file);
  const Comparison comparison = measured(options, session);
  if (format == Format::text) output.write(text_of(comparison));
  if (format == Format::csv) output.write(csv_of(comparison));
  if (format == Format::json) output.write(json_of(comparison, session));
  if (comparison.exit == Exit::interrupted && !options.output.quiet)
    fmt::print(stderr, "lockstep: interrupted\n");
  return code(comparison.exit);
}

}  // namespace

Action declare_compare(CLI::App& app, const Session& session) {
  const auto options = std::make_shared<CompareOptions>();
  app.add_option("topology", options->topology,
                 "Network, such as star:6; see `lockstep list topologies`")
      ->required();
  app.add_option("operation", options->operation,
                 "Collective, such as total-exchange; see `lockstep list operations`")
      ->required();
  app.add_option("--bytes", options->bytes, block_bytes_meaning)
      ->type_name("BYTES")
      ->capture_default_str();
  options->parameters.add_to(app, Parameter::Kind::node);
  options->machine.add_to(app);
  options->costs.add_to(app);
  options->output.add_to(app);
  app.footer(
      "Runs every single packing factor, and the chains and batches that are predicted to be the\n"
      "cheapest at t_s/t_m = 0.1, 1, 100 and at --ts/--tm; every queue discipline.");
  return [options, &session] { return compare(*options, session); };
}

}  // namespace lockstep::cli
