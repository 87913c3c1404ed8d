// SPDX-License-Identifier: Apache-2.0

/// A run as text, and what is said before it.

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "lockstep/report/run_report.hpp"
#include "report/field_text.hpp"
#include "report/quantities.hpp"
#include "report/run_fields.hpp"

namespace lockstep {
namespace {

using report::Fields;
using report::Unit;
using report::Value;

/// A heading and what stands behind it; left out where nothing would.
struct Line {
  std::string_view heading;
  std::string_view pattern;
};

constexpr std::string_view own = "(the processors' own are not counted)";
constexpr Line network{
    "network",
    "{topology}: {processors} processors, [{links}|more than 2^64] links, degree "
    "{degree}, diameter [{diameter}|not computed]"};
constexpr Line algorithm{"algorithm", "{operation} by {algorithm}{settings}; {source}"};
constexpr Line machine{"machine",
                       "{port_model}, {duplex}-duplex; {channel} channels; {threads} {workers} "
                       "({executor}); blocks of {bytes}[, each in {parts} parts of {part_bytes}]; "
                       "seed {seed}"};
constexpr Line predicted_costs{
    "predicted",
    "[{predicted_startups} start-ups, {predicted_message_times} message times|no closed form "
    "known]{agreement}"};
constexpr Line least_costs{
    "lower bound",
    "[{lower_bound_startups} start-ups, {lower_bound_message_times} message times|none known]"};

constexpr Line lines_of_run[]{
    network,
    algorithm,
    machine,
    {"counted", "{startups} start-ups, {message_times} message times in {steps} steps"},
    predicted_costs,
    least_costs,
    {"time", "{times}"},
    {"delivered",
     "[{messages_verified} of {messages_expected} messages {own}, every byte checked; ledger "
     "{ledger}; envelope {envelope_bytes}|{messages_delivered} of {messages_expected} messages "
     "{own}; NOT VERIFIED (--verify off)]"},
    {"",
     "[missing {lost}, duplicated {messages_duplicated}, corrupted {messages_corrupted}]"
     "[; first missing: from node {first_missing_source} to node {first_missing_destination}]"},
    {"", "[{shares}]"},
    {"waiting",
     "[{waits_blocks} blocks waited on their way, up to {waits_longest_steps} steps; the first "
     "left "
     "node {waits_first_node} in step {waits_first_step}|{nothing_waited}]"},
    {"queue",
     "[{largest_queue_blocks} blocks at most in a processor; {largest_queue_foreign} at most that "
     "were not its own]"},
    {"moved", "{hops} messages over links (hops), {moved} {pieces}, {bytes_moved}"},
    {"busy", "{senders} senders, {receivers} receivers (sums over the steps)"},
    {"wall", "{step_seconds} in steps ({verify_seconds} of it verifying), {setup_seconds} set-up"},
    {"rate",
     "[{messages_per_second} messages/s delivered, {hops_per_second} hops/s, {bytes_per_second}/s "
     "moved]"},
    {"memory",
     "{memory_predicted_bytes} predicted, {memory_peak_bytes} at most taken by the process"}};

constexpr Line lines_of_dry_run[]{
    network,
    algorithm,
    machine,
    {"steps", "{steps}"},
    predicted_costs,
    least_costs,
    {"time", "{times}"},
    {"messages", "{messages_expected} to deliver {own}"},
    {"memory", "{memory_predicted_bytes} needed, {memory_available_bytes} available: {fitting}"},
    {"wall",
     "about {wall_estimated_seconds} (from [a trial of {wall_trial_steps} steps in "
     "{wall_trial_seconds}|typical rates, nothing was run])"},
    {"result", "dry run: nothing delivered"}};

/// What a run came to: a word, its colour, and why.
struct Verdict {
  Outcome outcome;
  int colour;
  std::string_view word;
  std::string_view pattern;
};
constexpr int red = 31;
constexpr int green = 32;
constexpr int yellow = 33;
constexpr Verdict verdicts[]{
    {Outcome::complete, green, "ok", ": all {proof}, no rule of the machine broken"},
    {Outcome::not_as_promised, red, "NOT AS PROMISED", ": see the costs above"},
    {Outcome::incomplete_as_known, red, "NOT DELIVERED",
     ": as many as the algorithm is known to deliver"},
    {Outcome::unmet_stores, red, "NOT DELIVERED", ": {sentence}"},
    {Outcome::not_delivered, red, "NOT DELIVERED", ": see the messages above"},
    {Outcome::interrupted, yellow, "INTERRUPTED", " after step {steps} of {last_step}"},
    {Outcome::rule_broken, red, "RULE BROKEN",
     ": {violations} violations, stopped after {steps} steps"}};

void add(std::string& text, std::string_view heading, std::string_view line) {
  if (!line.empty()) text += fmt::format("{:<12} {}\n", heading, line);
}

[[nodiscard]] std::string text_of(std::span<const Line> lines, const Fields& fields) {
  std::string text;
  for (const Line& line : lines) add(text, line.heading, report::fill(line.pattern, fields));
  return text;
}

/// What a reader is told beside the figures.
void add_words(Fields& fields, const RunEstimate& run) {
  std::string times = report::fill(
      "t_s = {ts}, t_m = {tm} per block:[ modelled {time},][ predicted {time_predicted},]"
      "[ at least {time_lower_bound},]",
      fields);
  if (times.back() == ',') times.pop_back();
  const bool parts = run.parts_per_block() != 1;
  const Fields words{{"own", own},
                     {"settings", phrases_of(run.algorithm.parameters, run.settings)},
                     {"duplex", run.model.duplex == Duplex::full ? "full" : "half"},
                     {"workers", run.workers == 1 ? "worker" : "workers"},
                     {"parts", parts ? Value(run.parts_per_block()) : Value(), Unit::count},
                     {"part_bytes", std::uint64_t{run.part_bytes()}, Unit::bytes},
                     {"pieces", parts ? "parts of blocks" : "blocks"},
                     {"times", times + " time units"}};
  fields.insert(fields.end(), words.begin(), words.end());
}

[[nodiscard]] std::string agreement(const RunResult& result) {
  const PromiseVerdict& promises = result.judgement.promises;
  if (!promises.broken.empty()) return " - DIFFERS: " + promises.broken.back().sentence();
  return promises.judged && result.estimate.predicted ? " (as counted)" : "";
}

/// Of what each processor should have received.
[[nodiscard]] std::string_view shares_pattern(const RunResult& result) {
  const auto& received = result.judgement.deliveries.received;
  if (!received || !result.record.legal()) return "";
  return received->least == received->most
             ? "each processor received {least_received} of {received_of}"
             : "processors received from {least_received} to {most_received} of {received_of}";
}

[[nodiscard]] Fields fields_of(const RunReport& report) {
  const RunResult& result = report.result;
  const DeliveryVerdict& deliveries = result.judgement.deliveries;
  Fields fields = report::run_fields(result.estimate, &result, report.costs);
  add_words(fields, result.estimate);
  const auto only_if = [](bool condition, const Value& value) {
    return condition ? value : Value();
  };
  const std::string shares = report::fill(shares_pattern(result), fields);
  const Fields words{
      {"agreement", agreement(result)},
      {"ledger", only_if(deliveries.checked, name_of(result.estimate.verify))},
      {"lost", only_if(deliveries.checked && !deliveries.complete(), deliveries.missing),
       Unit::count},
      {"shares", only_if(!shares.empty(), shares)},
      {"nothing_waited",
       only_if(result.record.waits.watched,
               "no message waited on its way: each left in the step after it had arrived")},
      {"moved", result.record.blocks_moved, Unit::count},
      {"proof", deliveries.checked ? "delivered" : "counted"},
      {"sentence", result.judgement.sentence},
      {"last_step", result.estimate.footprint.steps, Unit::count}};
  fields.insert(fields.end(), words.begin(), words.end());
  return fields;
}

void add_violations(std::string& text, const RunResult& result) {
  constexpr std::size_t shown = 5;
  const std::string place =
      result.plan_place.empty() ? "" : fmt::format(" ({})", result.plan_place);
  std::string_view heading = "violations";
  for (const Violation& v : std::span(result.record.violations)
                                .first(std::min(result.record.violations.size(), shown))) {
    // A link has two ends, and who used it both ways is to know both.
    const std::string link =
        v.rule == Rule::half_duplex ? fmt::format(", link to node {}", index(v.other_end)) : "";
    add(text, std::exchange(heading, ""),
        fmt::format("step {}, node {}, port {}{}: rule {}, counted {}{}", v.step, index(v.node),
                    index(v.port), link, name_of(v.rule), v.count, place));
  }
  if (result.record.violation_count > shown)
    add(text, "", fmt::format("and {} more", result.record.violation_count - shown));
}

[[nodiscard]] std::string verdict_text(Outcome outcome, const Fields& fields, Colour colour) {
  const Verdict& verdict = *std::find_if(std::begin(verdicts), std::end(verdicts),
                                         [&](const Verdict& v) { return v.outcome == outcome; });
  return (colour == Colour::no ? std::string(verdict.word)
                               : fmt::format("\x1b[{}m{}\x1b[0m", verdict.colour, verdict.word)) +
         report::fill(verdict.pattern, fields);
}

[[nodiscard]] std::string series_text(const RunResult& result) {
  constexpr std::string_view columns =
      "step,senders,receivers,active,free,messages,bytes,largest_message_blocks";
  report::FieldTable table(columns, report::step_fields({}, {}, 1));
  for (const StepRecord& step : result.record.series)
    table.add(report::step_fields(step, result.record, result.estimate.parts_per_block()));
  return "\n" + table.text();
}

}  // namespace

std::string to_text(const RunReport& report, Colour colour) {
  const RunResult& result = report.result;
  const Fields fields = fields_of(report);
  std::string text = text_of(lines_of_run, fields);
  add_violations(text, result);
  add(text, "result", verdict_text(result.judgement.outcome, fields, colour));
  if (!result.record.series.empty()) text += series_text(result);
  return text;
}

std::string to_text(const RunEstimate& run, const std::optional<Probe>& probe,
                    const CostParameters& costs) {
  Fields fields = report::dry_run_fields(run, probe, costs);
  add_words(fields, run);
  const bool fits = run.memory_bytes <= run.available_bytes;
  fields.push_back({"fitting", fits ? "fits" : "DOES NOT FIT"});
  fields.push_back({"agreement", ""});
  return text_of(lines_of_dry_run, fields);
}

}  // namespace lockstep
