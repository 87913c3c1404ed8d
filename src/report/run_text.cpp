// SPDX-License-Identifier: Apache-2.0

// size: the patterns of one page, a line of output each.

/// A run as text, and what is said before it: patterns over its fields.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/words.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/machine/detail/task_size.hpp"
#include "lockstep/report/run_report.hpp"
#include "report/quantities.hpp"
#include "report/run_fields.hpp"
#include "topology/node_names.hpp"

namespace lockstep {
namespace {

using report::Fields;
using report::fill;
using report::only_if;
using report::Unit;
using report::Value;

// A line stands in brackets where it is left out if its fields are not known.
constexpr std::string_view head = R"(
network      {topology}: {processors} processor(s), [{links} link(s)|more than 2^64 links], degree {degree}, diameter [{diameter}|not computed]
algorithm    {operation} by {algorithm}{settings}[; {source}]
[selected     {picked}
]machine      {port_model}, {duplex}-duplex; {channel} channels; {workers}; blocks of {bytes}[, each in {parts} parts of {part_bytes}][, {padded} with padding]; seed {seed}
)";
constexpr std::string_view claims = R"(
{promise_label} [{predicted_startups} start-up(s), {predicted_message_times} message time(s){predicted_words}|no closed form known]{agreement}
lower bound  [{lower_bound_startups} start-up(s), {lower_bound_message_times} message time(s)|not known][; {undivided_message_times} message time(s) for undivided blocks]
cost         t_s = {ts}[ in each of {charged_steps} steps], t_m = {tm} per block[ of {unpadded}, padded to {padded}][, t_w = {word_time} per control word]:[ counted {time}{after_modelled}][ {promise} {time_predicted}{after_predicted}][ lower bound {time_lower_bound}] time units[; lower bound {undivided_time} for undivided blocks]
)";
constexpr std::string_view measured = R"(
delivered    [{messages_verified} of {messages_expected} {what}{checked}{chance}; ledger {ledger}; envelope {envelope_bytes}{reading}|{messages_delivered} of {messages_expected} {counted}; NOT VERIFIED ({unverified})]
[             missing {lost}, duplicated {messages_duplicated}, corrupted {messages_corrupted}{first_corrupted}{first_missing}
][             each processor received {all_received} of {received_of}
|             each processor received between {some_received} and {most_received} of {received_of}
][waiting      {waits_blocks} block(s) waited, for up to {waits_longest_steps} step(s); the first one left node {first_wait} in step {waits_first_step}
|waiting      {nothing} queueing delay
][queue        longest queue {largest_queue_blocks} block(s) ({largest_queue_foreign} in transit)
]moved        {carried}, {moved}, {bytes_moved}
[crossing     {crossing}
][active       {busy_senders} sender(s), {receivers} receiver(s); switches: {busy_switch_senders} sender(s), {switch_receivers} receiver(s); summed over steps
|active       {busy_senders} sender(s), {receivers} receiver(s), summed over steps
]wall         {step_seconds} in steps[ (including {verifying} of verification)], {setup_seconds} set-up
[predicted    {wall_predicted_seconds} in steps by the calibrated model of this host; measured / predicted {wall_measured_over_predicted}
][repeats      {repeats} runs: minimum {wall_least_seconds}, median {wall_seconds} (this run), maximum {wall_most_seconds}
][rate         {messages_per_second} messages/s delivered, {hops_per_second} hops/s, {bytes_per_second}/s moved
]memory       {memory_predicted_bytes} predicted, [peak memory {memory_peak_bytes}|peak memory not known]
[unmet        {first_unmet}
]{violation_lines}[unchecked    {not_watched}
]result       {verdict}
)";
constexpr std::string_view expected = R"(
messages     {messages_expected} to deliver {own}
memory       {memory_predicted_bytes} needed[{per_process}], [{memory_available_bytes} available: {fitting}|available memory not known]
[processes    {shared}
crossing     {crossing}
]wall         [about {wall_estimated_seconds} ({from})|more than {wall_gave_up_seconds}, which set-up alone exceeds]
result       {nothing_delivered}
)";

/// A pattern begins with a line end, so that its lines stand below each other here.
[[nodiscard]] std::string lines(std::string_view pattern, const Fields& fields) {
  return fill(pattern.substr(1), fields);
}

/// The verdict on a run, by outcome: a word, its colour and the reason.
struct Verdict {
  int colour;
  std::string_view word;
  std::string_view why;
};
constexpr int red = 31;
constexpr int green = 32;
constexpr int yellow = 33;
constexpr std::array<Verdict, 8> verdicts{
    {{green, "ok", ": {proof}, no violations"},
     {red, "NOT AS PREDICTED", ": {sentence}"},
     {red, "BELOW A PROVEN LOWER BOUND", ": {sentence}"},
     {red, "NOT DELIVERED", ": incomplete, as the erratum predicts"},
     {red, "NOT DELIVERED", ": {sentence}"},
     {red, "NOT DELIVERED", ": {lack}"},
     {yellow, "INTERRUPTED", " after step {steps}[ of {last_step}]"},
     {red, "RULE VIOLATED", ": {violations} violation(s), stopped after {steps} step(s)"}}};

[[nodiscard]] std::string verdict_text(Outcome outcome, const Fields& fields, Colour colour) {
  const Verdict& verdict = verdicts.at(static_cast<std::size_t>(outcome));
  const std::string why = fill(verdict.why, fields);
  return colour == Colour::no
             ? std::string(verdict.word) + why
             : fmt::format("\x1b[{}m{}\x1b[0m{}", verdict.colour, verdict.word, why);
}

/// ", 3 control words"; nothing where there are none.
[[nodiscard]] std::string words_text(std::uint64_t control_words) {
  return control_words == 0 ? "" : ", " + counted(control_words, "control word");
}

/// Few bits distinguish short blocks (collective/payload.hpp).
[[nodiscard]] std::string chance_text(const RunChoice& run) {
  constexpr std::uint64_t bits_per_byte = 8;
  constexpr std::uint64_t short_bytes = 4;
  if (run.block_bytes >= short_bytes) return {};
  return fmt::format(" (a wrong block passes with probability 2^-{})",
                     bits_per_byte * run.block_bytes);
}

/// Without a prediction the line says that no closed form is known.
[[nodiscard]] std::string_view promise_name(const RunForecast& run) {
  const std::string_view name = run.algorithm.promise_name;
  return run.predicted || name == "schedule" ? name : AlgorithmInfo{}.promise_name;
}

/// "result", "parts of messages", "messages".
[[nodiscard]] std::string noun_of_deliveries(const RunForecast& run, std::uint64_t number) {
  const std::string_view ending = number == 1 ? "" : "s";
  if (is_reduction(run.algorithm.operation)) return fmt::format("result{}", ending);
  if (run.parts_per_message() != run.parts_per_block())
    return fmt::format("part{} of messages", ending);
  return fmt::format("message{}", ending);
}

/// "result (prefix sum)", "messages (excluding messages to self)".
[[nodiscard]] std::string deliveries_text(const RunForecast& run, std::uint64_t number) {
  const Operation operation = run.algorithm.operation;
  const std::string_view ending = number == 1 ? "" : "s";
  const std::string noun = noun_of_deliveries(run, number);
  if (operation == Operation::scan) return fmt::format("{} (prefix sum{})", noun, ending);
  if (operation == Operation::reduce_scatter)
    return fmt::format("{} (sum{} of the contributions to each processor)", noun, ending);
  if (is_reduction(operation)) return fmt::format("{} (sum{} of all contributions)", noun, ending);
  return noun + " (excluding messages to self)";
}

/// "2 workers (tbb)", "1 of 2 workers (tbb, short steps use one worker)".
[[nodiscard]] std::string workers_text(const RunForecast& run) {
  if (run.workers_per_step == 0 || run.workers_per_step >= run.workers)
    return fmt::format("{} ({})", counted(run.workers, "worker"), run.executor);
  const auto worth_sharing = [&](double parallelism) {
    return detail::is_worth_sharing({.nodes = run.nodes,
                                     .sparse = run.loop == "active",
                                     .step = {run.step.seconds, parallelism}});
  };
  const std::string reason =
      run.processors_per_task != 0 || worth_sharing(run.step.parallelism)
          ? fmt::format("a step has {}", counted(run.workers_per_step, "task"))
      : run.step.parallelism > 0 && worth_sharing(static_cast<double>(run.workers))
          ? "uneven steps use one worker"
          : "short steps use one worker";
  return fmt::format("{} of {} ({}, {})", run.workers_per_step, counted(run.workers, "worker"),
                     run.executor, reason);
}

/// "2 processes exchanged 4.3 % of the messages and 9.4 % of the bytes"; empty for one process.
[[nodiscard]] Value crossing_text(const RunRecord& record) {
  const std::optional<report::CrossingShares> shares = report::crossing_of(record);
  if (!shares) return {};
  return fmt::format("{} processes exchanged {:.1f} % of the messages and {:.1f} % of the bytes",
                     record.processes, 100 * shares->messages, 100 * shares->bytes);
}

/// The line of the times of a run that processes will share; empty for one process.
[[nodiscard]] Value shared_text(const DryRunReport& report, const Fields& fields) {
  if (!report.shared) return {};
  return fill(
      "{processes} processes with {workers} each: {wall_compute_seconds} to compute, "
      "{wall_exchange_seconds} for {crossing_exchanges} exchange(s) over links of "
      "{link_latency_seconds} and {link_bytes_per_second}/s",
      fields);
}

/// "7.0 % of the messages and 20.3 % of the bytes (counted from the plan), 156.4 KiB by the busiest
/// process"; empty for one process.
[[nodiscard]] Value crossing_text(const DryRunReport& report) {
  using Source = CrossingForecast::Source;
  if (!report.shared) return {};
  const CrossingForecast& crossing = report.shared->crossing;
  const bool all_steps = crossing.tried_steps >= report.forecast.footprint.steps;
  const std::string how =
      crossing.source == Source::plan    ? "counted from the plan"
      : crossing.source == Source::paths ? "estimated from random paths of the broadcast"
      : crossing.source == Source::links ? "estimated as if all links carried equally much"
      : all_steps                        ? "counted in a trial"
                  : fmt::format("counted in the first {}", counted(crossing.tried_steps, "step"));
  return fmt::format(
      "{:.1f} % of the messages and {:.1f} % of the bytes ({}), {} by the busiest process",
      100 * crossing.messages, 100 * crossing.bytes, how, report::bytes_text(crossing.most_bytes));
}

/// The words that accompany the figures.
[[nodiscard]] Fields words_of(const RunForecast& run) {
  const bool parts = run.parts_per_block() != 1;
  const std::uint64_t padded_bytes = run.part_bytes() * run.parts_per_block();
  const std::uint64_t words = run.predicted ? run.predicted->control_words : 0;
  const bool sums = is_reduction(run.algorithm.operation);
  const std::string own =
      sums ? "(including the processors' own results)" : "(excluding messages to self)";
  return {{"own", own},
          {"chance", chance_text(run)},
          {"settings", phrases_of(run.algorithm.parameters, run.settings, run.network) +
                           (run.algorithm.commutative ? " (requires a commutative operator)" : "")},
          {"duplex", run.model.duplex == Duplex::full ? "full" : "half"},
          {"workers", workers_text(run)},
          {"parts", only_if(parts, run.parts_per_block()), Unit::count},
          {"part_bytes", run.part_bytes(), Unit::bytes},
          {"padded", only_if(padded_bytes != run.block_bytes, padded_bytes), Unit::bytes},
          {"unpadded", only_if(padded_bytes != run.block_bytes, run.block_bytes), Unit::bytes},
          {"promise", promise_name(run)},
          {"promise_label", fmt::format("{:<12}", promise_name(run))},
          {"predicted_words", words_text(words)},
          {"picked", {}},
          {"after_modelled", run.predicted || run.lower_bound ? "," : ""},
          {"after_predicted", run.lower_bound ? "," : ""}};
}

/// The bound of undivided blocks, where it says more than that of all algorithms.
[[nodiscard]] Fields undivided_bound(const RunForecast& run, const Fields& fields) {
  const auto& bound = run.lower_bound;
  const bool larger = bound && bound->undivided.message_times > bound->least.message_times;
  const auto figure = [&](std::string_view name, std::string_view column) {
    return report::Field{name, only_if(larger, value_of(fields, column)),
                         field_of(fields, column).unit};
  };
  return {figure("undivided_message_times", "lower_bound_undivided_blocks_message_times"),
          figure("undivided_time", "time_lower_bound_undivided_blocks")};
}

/// The parts of the line of times that not every run has: charged idle steps, and t_w.
[[nodiscard]] Fields words_of_time(const RunForecast& run, const RunResult& result,
                                   const Fields& fields) {
  const bool ran = result.record.steps != 0;
  const std::uint64_t steps = ran ? result.record.steps : run.footprint.steps;
  const Cost cost = ran ? result.cost : run.predicted.value_or(Cost{});
  const bool idle = run.charged(cost, steps).startups != cost.startups;
  return {{"charged_steps", only_if(idle, steps), Unit::count},
          {"word_time", only_if(report::takes_control_words(run, result), value_of(fields, "tw")),
           Unit::time}};
}

[[nodiscard]] std::string violation_lines(const RunResult& result) {
  constexpr std::size_t shown = 5;
  const std::vector<Violation>& all = result.record.violations;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), shown); ++i) {
    const std::string place =
        result.plan_places.empty() ? "" : fmt::format(" ({})", result.plan_places.at(i));
    text += fmt::format("{:<12} {}{}\n", i == 0 ? "violations" : "",
                        text_of(all[i], result.forecast.network), place);
  }
  const std::uint64_t more = result.record.violation_count;
  return more <= shown ? text : text + fmt::format("{:<12} and {} more\n", "", more - shown);
}

/// Describes the first use of a message that had not arrived.
[[nodiscard]] Value unmet_text(const RunResult& result) {
  const auto& unmet = result.record.first_unmet;
  if (!unmet) return {};
  const std::string& place = result.unmet_place;
  return text_of(*unmet, result.forecast.network) +
         (place.empty() ? "" : fmt::format(" ({})", place));
}

/// A table, a line per row; nothing where there is none.
[[nodiscard]] std::string table_lines(std::string_view name, const std::vector<Fields>& rows,
                                      std::string_view columns, std::size_t page) {
  constexpr std::size_t margin = 13;
  const std::string table = report::table_text(
      rows, page == any_width ? page : page - std::min(page - 1, margin), columns);
  std::string text;
  for (std::string_view rest = table; !rest.empty();)
    text += fmt::format("{:<12} {}\n", text.empty() ? name : "", next_piece(rest, '\n'));
  return text;
}

/// The lines of the phases that the program names, and of the levels of switches.
[[nodiscard]] std::string phase_lines(const RunResult& result, std::size_t page) {
  const bool words = result.cost.control_words != 0;
  return table_lines("phases", report::phase_rows(result),
                     words ? "name,steps,startups,message_times,control_words,hops,bytes"
                           : "name,steps,startups,message_times,hops,bytes",
                     page);
}
[[nodiscard]] std::string queue_lines(const RunResult& result, std::size_t page) {
  return table_lines("switches", report::queue_rows(result),
                     "level,held,wait_up,wait_down,per_branch", page);
}

/// Whether the run broke off, so that its counts are those of a part.
[[nodiscard]] bool stopped(const RunResult& result) {
  return result.judgement.outcome == Outcome::interrupted ||
         result.judgement.outcome == Outcome::rule_broken;
}

[[nodiscard]] std::string agreement(const RunResult& result) {
  if (stopped(result)) return result.forecast.predicted ? " (complete run)" : "";
  const PromiseVerdict& promises = result.judgement.promises;
  if (!promises.broken.empty()) return " - DIFFERS: " + promises.broken.back().sentence();
  return promises.judged && result.forecast.predicted ? " (as counted)" : "";
}

/// "1 of 20 messages missing, 1 corrupted".
[[nodiscard]] std::string lack_text(const RunForecast& run, const DeliveryVerdict& deliveries) {
  std::string text =
      fmt::format("{} of {} {} missing", grouped(deliveries.missing), grouped(deliveries.expected),
                  noun_of_deliveries(run, deliveries.expected));
  if (const std::uint64_t more = deliveries.tally.duplicated; more != 0)
    text += fmt::format(", {} duplicated", grouped(more));
  if (const std::uint64_t wrong = deliveries.tally.corrupted; wrong != 0)
    text += fmt::format(", {} corrupted", grouped(wrong));
  return text;
}

/// The nodes of these fields as node_text().
[[nodiscard]] Fields nodes_of(const RunResult& result, const Fields& fields) {
  const auto node = [&](std::string_view name, std::string_view field) {
    const auto* const number = std::get_if<std::uint64_t>(&value_of(fields, field));
    return report::Field{name, number == nullptr
                                   ? Value()
                                   : Value(node_text(result.forecast.network, NodeId{*number}))};
  };
  return {node("first_wait", "waits_first_node"), node("corrupted_node", "first_corrupted_node"),
          node("corrupted_source", "first_corrupted_source"),
          node("missing_source", "first_missing_source"),
          node("missing_destination", "first_missing_destination")};
}

[[nodiscard]] Fields words_of(const RunResult& result, const Fields& fields) {
  const RunRecord& record = result.record;
  const DeliveryVerdict& deliveries = result.judgement.deliveries;
  const bool lost = deliveries.checked && !deliveries.complete();
  const Received received = deliveries.received.value_or(Received{});
  const bool shared = deliveries.received && record.legal();
  const bool equally = received.least == received.most;
  const bool switches = record.nodes != record.processors;
  const bool own_operation = deliveries.to_combine != 0;
  return {
      {"agreement", agreement(result)},
      {"counted_words", words_text(result.cost.control_words)},
      {"ledger", only_if(deliveries.checked, name_of(result.forecast.verify))},
      {"checked", deliveries.tally.verified != 0 ? ", every byte checked" : ""},
      {"lost", only_if(lost, deliveries.missing), Unit::count},
      {"reading", fill("[; the program reads {reads}]", fields)},
      {"first_corrupted",
       fill("[ (the first in step {first_corrupted_step} at node {corrupted_node}, as the "
            "block of node {corrupted_source})]",
            fields)},
      {"first_missing", fill("[; first missing: from node {missing_source} to node "
                             "{missing_destination}]",
                             fields)},
      {"all_received", only_if(shared && equally, received.least), Unit::count},
      {"some_received", only_if(shared && !equally, received.least), Unit::count},
      {"nothing",
       only_if(record.waits.watched && record.waits.blocks == 0 && !stopped(result), "no")},
      {"carried", record.hops == record.messages_sent
                      ? counted(record.hops, "message") + " over links (hops)"
                      : fmt::format("{} over {} (hops)", counted(record.messages_sent, "message"),
                                    counted(record.hops, "link"))},
      {"moved", result.forecast.parts_per_block() != 1
                    ? counted(record.blocks_moved, "part") + " of blocks"
                    : counted(record.blocks_moved, "block")},
      // Redundant if every message has a sender and a receiver of its own.
      {"busy_senders",
       only_if(record.senders + record.switch_senders != record.messages_sent ||
                   record.receivers + record.switch_receivers != record.messages_sent || switches,
               record.senders),
       Unit::count},
      {"busy_switch_senders", only_if(switches, record.switch_senders), Unit::count},
      {"verifying", only_if(deliveries.checked, record.wall.verify_seconds), Unit::seconds},
      {"proof", deliveries.expected == 0 ? "no messages to deliver"
                : deliveries.checked     ? "all messages delivered and verified"
                                         : "all messages delivered, not verified"},
      {"what", deliveries_text(result.forecast, deliveries.expected)},
      {"counted",
       own_operation ? "results" : deliveries_text(result.forecast, deliveries.expected)},
      {"unverified", own_operation ? "the user's operator is not checked" : "--verify off"},
      {"lack", deliveries.combined < deliveries.to_combine
                   ? result.judgement.sentence
                   : lack_text(result.forecast, deliveries)},
      {"not_watched",
       only_if(!record.in_flight_watched,
               "changes of blocks that a neighbour has not read yet (watch_in_flight is off)")},
      {"sentence", result.judgement.sentence},
      {"last_step", only_if(result.forecast.steps_known, result.forecast.footprint.steps),
       Unit::count},
      {"first_unmet", unmet_text(result)},
      {"crossing", crossing_text(record)},
      {"violation_lines", violation_lines(result)}};
}

}  // namespace

/// The facts of the run, and the words that its text needs.
[[nodiscard]] static Fields text_fields(const RunReport& report, Colour colour) {
  const RunResult& result = report.result;
  Fields fields = report::run_fields(report);
  const bool repeated = report.wall_seconds.size() > 1;
  if (!report.predicted_seconds) append(fields, report::prediction_fields({}, 0));
  if (stopped(result))  // a prediction is for the complete run, and a rate for what it delivers
    for (const std::string_view name : {"wall/predicted_seconds", "messages_per_second"})
      report::set(fields, name, {});
  fields.push_back({"repeats", only_if(repeated, report.wall_seconds.size()), Unit::count});
  append(fields, words_of(result.forecast));
  append(fields, undivided_bound(result.forecast, fields));
  append(fields, nodes_of(result, fields));
  append(fields, words_of(result, fields));
  append(fields, words_of_time(result.forecast, result, fields));
  fields.push_back({"verdict", verdict_text(result.judgement.outcome, fields, colour)});
  return fields;
}

std::string report::verdict_of(const RunReport& report) {
  return fill("{verdict}", text_fields(report, lockstep::Colour::no));
}

std::string to_text(const RunReport& report, Colour colour, std::size_t page) {
  const RunResult& result = report.result;
  const Fields fields = text_fields(report, colour);
  std::string text =
      lines(head, fields) +
      fill(
          "counted      {startups} start-up(s), {message_times} message time(s){counted_words} in "
          "{steps} step(s)\n",
          fields) +
      phase_lines(result, page) + queue_lines(result, page) + lines(claims, fields) +
      lines(measured, fields);
  const std::vector<Fields> series = report::series_rows(result);
  if (series.empty()) return text;
  const bool switches = result.record.nodes != result.record.processors;
  return text + "\n" +
         table_text(series, page,
                    std::string("step,senders,receivers,active,free,") +
                        (switches ? "switches_active," : "") +
                        "messages,bytes,largest_message_blocks");
}

std::string to_text(const DryRunReport& report) {
  const RunForecast& run = report.forecast;
  Fields fields = report::dry_run_fields(report);
  append(fields, words_of(run));
  append(fields, undivided_bound(run, fields));
  append(fields, words_of_time(run, {}, fields));
  fields.push_back(
      {"model", only_if(report.predicted_seconds.has_value(), "the calibrated model")});
  append(
      fields,
      {{"fitting", run.fits() ? "fits" : "DOES NOT FIT"},
       {"agreement", ""},
       {"per_process", only_if(run.processes > 1, " by each process at most")},
       {"shared", shared_text(report, fields)},
       {"crossing", crossing_text(report)},
       {"from", fill("from [{model} of this host|a trial of {wall_gave_up_seconds} that was "
                     "stopped in step {wall_trial_steps}|a trial of {wall_trial_steps} step(s) in "
                     "{wall_trial_seconds} and {wall_trial_setup_seconds} of set-up|typical "
                     "rates, without a trial]",
                     fields)},
       {"nothing_delivered",
        report.interrupted ? "INTERRUPTED during the trial" : "dry run: no messages delivered"}});
  return lines(head, fields) + fill("steps        {steps}\n", fields) + lines(claims, fields) +
         lines(expected, fields);
}

}  // namespace lockstep
