// SPDX-License-Identifier: Apache-2.0

/// A run as text, and what is said before it.

#include <fmt/format.h>

#include <string_view>

#include "lockstep/report/run_report.hpp"
#include "lockstep/report/table.hpp"
#include "report/names.hpp"
#include "report/quantities.hpp"

namespace lockstep {
namespace {

using report::bytes_text;
using report::channel_name;
using report::count_text;
using report::number_text;
using report::rate_text;
using report::seconds_text;

/// "heading      text", continued lines aligned below the text.
void add(std::string& text, std::string_view heading, std::string_view line) {
  text += fmt::format("{:<12} {}\n", heading, line);
}

[[nodiscard]] std::string network_line(const RunEstimate& run) {
  const std::string diameter = run.diameter ? fmt::format("diameter {}", count_text(*run.diameter))
                                            : "diameter not computed";
  return fmt::format("{}: {} processors, {} links, degree {}, {}", run.topology,
                     count_text(run.processors),
                     run.links ? count_text(*run.links) : "more than 2^64", run.degree, diameter);
}

[[nodiscard]] std::string algorithm_line(const RunEstimate& run) {
  return fmt::format("{} by {}{}; {}", name_of(run.algorithm.operation), run.algorithm.name,
                     phrases_of(run.algorithm.parameters, run.settings), run.algorithm.source);
}

[[nodiscard]] std::string machine_line(const RunEstimate& run) {
  const std::string parts = run.parts_per_block() == 1
                                ? ""
                                : fmt::format(", each in {} parts of {}", run.parts_per_block(),
                                              bytes_text(run.part_bytes()));
  return fmt::format("{}, {}-duplex; {} channels; {} {} ({}); blocks of {}{}; seed {}",
                     run.model.name, run.model.duplex == Duplex::full ? "full" : "half",
                     channel_name(run.channel), run.workers,
                     run.workers == 1 ? "worker" : "workers", run.executor,
                     bytes_text(run.block_bytes), parts, run.seed);
}

/// `parts`: as the machine counts.
[[nodiscard]] std::string cost_text(std::uint64_t startups, std::uint64_t parts,
                                    const RunEstimate& run) {
  return fmt::format("{} start-ups, {} message times", count_text(startups),
                     count_text(Fraction(parts, run.parts_per_block())));
}

[[nodiscard]] std::string predicted_text(const RunEstimate& run) {
  return run.predicted ? cost_text(run.predicted->startups, run.predicted->message_times, run)
                       : "no closed form known";
}

[[nodiscard]] std::string bound_text(const RunEstimate& run) {
  return run.lower_bound ? cost_text(run.lower_bound->steps, run.lower_bound->message_times, run)
                         : "none known";
}

void add_costs(std::string& text, const RunReport& report) {
  const RunResult& result = report.result;
  const RunEstimate& run = result.estimate;
  add(text, "counted",
      fmt::format("{} in {} steps",
                  cost_text(result.record.startups, result.record.message_times, run),
                  count_text(result.record.steps)));
  std::string agreement;
  if (result.promises.judged && run.predicted) agreement = " (as counted)";
  for (const BrokenPromise& broken : result.promises.broken)
    agreement = fmt::format(" - DIFFERS: {}", broken.sentence());
  add(text, "predicted", predicted_text(run) + agreement);
  add(text, "lower bound", bound_text(run));
}

[[nodiscard]] std::string time_line(const RunEstimate& run, const CostParameters& costs,
                                    const std::optional<double>& time) {
  std::string line =
      fmt::format("t_s = {}, t_m = {} per block:", number_text(costs.t_s), number_text(costs.t_m));
  std::string_view separator = " ";
  const auto say = [&](std::string_view what, double units) {
    line += fmt::format("{}{} {}", separator, what, number_text(units));
    separator = ", ";
  };
  if (time) say("modelled", *time);
  const std::uint64_t parts = run.parts_per_block();
  if (run.predicted) say("predicted", predicted(*run.predicted, costs, parts));
  if (run.lower_bound) say("at least", least_time(*run.lower_bound, costs, parts));
  return line + " time units";
}

[[nodiscard]] std::string received_text(const Received& received) {
  const std::string expected = count_text(received.expected);
  if (received.least == received.most)
    return fmt::format("each processor received {} of {}", count_text(received.least), expected);
  return fmt::format("processors received from {} to {} of {}", count_text(received.least),
                     count_text(received.most), expected);
}

[[nodiscard]] std::string delivered_line(const RunResult& result) {
  const DeliveryVerdict& verdict = result.verdict;
  const std::string own = "(the processors' own are not counted)";
  if (!verdict.checked)
    return fmt::format("{} of {} messages {}; NOT VERIFIED (--verify off)",
                       count_text(verdict.tally.delivered), count_text(verdict.expected), own);
  std::string line =
      fmt::format("{} of {} messages {}, every byte checked; ledger {}; envelope 0 bytes",
                  count_text(verdict.tally.verified), count_text(verdict.expected), own,
                  name_of(result.estimate.verify));
  if (verdict.complete()) return line;
  line += fmt::format("\n{:<12} missing {}, duplicated {}, corrupted {}", "",
                      count_text(verdict.missing), count_text(verdict.tally.duplicated),
                      count_text(verdict.tally.corrupted));
  if (verdict.first_missing)
    line += fmt::format("; first missing: from node {} to node {}",
                        index(verdict.first_missing->source),
                        index(verdict.first_missing->destination));
  if (verdict.received && result.record.legal())
    line += fmt::format("\n{:<12} {}", "", received_text(*verdict.received));
  return line;
}

void add_wall(std::string& text, const RunResult& result) {
  const RunRecord& record = result.record;
  const double seconds = record.wall.step_seconds;
  add(text, "moved",
      fmt::format("{} messages over links (hops), {} {}, {}", count_text(record.hops),
                  count_text(record.blocks_moved),
                  result.estimate.parts_per_block() == 1 ? "blocks" : "parts of blocks",
                  bytes_text(record.bytes_moved())));
  add(text, "busy",
      fmt::format("{} senders, {} receivers (sums over the steps)", count_text(record.senders),
                  count_text(record.receivers)));
  add(text, "wall",
      fmt::format("{} in steps ({} of it verifying), {} set-up", seconds_text(seconds),
                  seconds_text(record.wall.verify_seconds), seconds_text(result.setup_seconds)));
  if (seconds > 0)
    add(text, "rate",
        fmt::format("{} messages/s delivered, {} hops/s, {}/s moved",
                    rate_text(static_cast<double>(record.deliveries.delivered) / seconds),
                    rate_text(static_cast<double>(record.hops) / seconds),
                    bytes_text(static_cast<std::uint64_t>(
                        static_cast<double>(record.bytes_moved()) / seconds))));
  add(text, "memory",
      fmt::format("{} predicted, {} at most taken by the process",
                  bytes_text(result.estimate.memory_bytes), bytes_text(result.peak_bytes)));
}

[[nodiscard]] std::string coloured(std::string_view text, int colour, Colour allowed) {
  if (allowed == Colour::no) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", colour, text);
}

[[nodiscard]] std::string verdict_line(const RunResult& result, Colour colour) {
  constexpr int red = 31;
  constexpr int green = 32;
  constexpr int yellow = 33;
  const RunRecord& record = result.record;
  if (!record.legal())
    return coloured("RULE BROKEN", red, colour) +
           fmt::format(": {} violations, stopped after {} steps", record.violation_count,
                       record.steps);
  if (record.interrupted)
    return coloured("INTERRUPTED", yellow, colour) +
           fmt::format(" after step {} of {}", count_text(record.steps),
                       count_text(result.estimate.footprint.steps));
  if (!result.verdict.complete())
    return coloured("NOT DELIVERED", red, colour) +
           (result.incomplete_as_known() ? ": as many as the algorithm is known to deliver"
                                         : ": see the messages above");
  if (result.record.unmet_stores != 0)
    return coloured("NOT DELIVERED", red, colour) +
           fmt::format(": {} times a processor stored a message that had not arrived",
                       count_text(result.record.unmet_stores));
  if (!result.promises.broken.empty())
    return coloured("NOT AS PROMISED", red, colour) + ": see the costs above";
  const std::string_view proof = result.verdict.checked ? "all delivered" : "all counted";
  return coloured("ok", green, colour) + fmt::format(": {}, no rule of the machine broken", proof);
}

[[nodiscard]] std::string waiting_line(const WaitRecord& waits) {
  if (waits.blocks == 0)
    return "no message waited on its way: each left in the step after it had arrived";
  return fmt::format(
      "{} blocks waited on their way, up to {} steps; the first left node {} in step {}",
      count_text(waits.blocks), waits.longest_steps, index(waits.first_node), waits.first_step);
}

/// A link has two ends, and who used it both ways is to know both.
[[nodiscard]] std::string violation_line(const RunResult& result, std::size_t i) {
  const Violation& v = result.record.violations[i];
  const std::string link = v.rule == Rule::half_duplex && i < result.other_ends.size()
                               ? fmt::format(", link to node {}", index(result.other_ends[i]))
                               : "";
  const std::string place =
      result.plan_place.empty() ? "" : fmt::format(" ({})", result.plan_place);
  return fmt::format("step {}, node {}, port {}{}: rule {}, counted {}{}", v.step, index(v.node),
                     index(v.port), link, name_of(v.rule), v.count, place);
}

void add_violations(std::string& text, const RunResult& result) {
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < std::min(result.record.violations.size(), shown); ++i)
    add(text, i == 0 ? "violations" : "", violation_line(result, i));
  if (result.record.violation_count > shown)
    add(text, "", fmt::format("and {} more", result.record.violation_count - shown));
}

[[nodiscard]] std::string series_text(const RunResult& result) {
  const RunRecord& record = result.record;
  constexpr auto right = Table::Align::right;
  Table table({{"step", right},
               {"senders", right},
               {"receivers", right},
               {"active", right},
               {"free", right},
               {"messages", right},
               {"bytes", right},
               {"largest message in blocks", right}});
  for (const StepRecord& step : record.series)
    table.add(
        {count_text(step.step), count_text(step.senders), count_text(step.receivers),
         count_text(step.active), count_text(record.processors - step.active),
         count_text(step.messages), count_text(step.blocks * record.block_bytes),
         count_text(Fraction(step.largest_message_blocks, result.estimate.parts_per_block()))});
  return "\n" + table.text();
}

}  // namespace

std::string to_text(const RunReport& report, Colour colour) {
  const RunResult& result = report.result;
  std::string text;
  add(text, "network", network_line(result.estimate));
  add(text, "algorithm", algorithm_line(result.estimate));
  add(text, "machine", machine_line(result.estimate));
  add_costs(text, report);
  add(text, "time",
      time_line(result.estimate, report.costs,
                modelled(result.record, report.costs, result.estimate.parts_per_block())));
  add(text, "delivered", delivered_line(result));
  if (result.record.waits.watched) add(text, "waiting", waiting_line(result.record.waits));
  if (result.largest_queue)
    add(text, "queue",
        fmt::format("{} blocks at most in a processor; {} at most that were not its own",
                    count_text(result.largest_queue->blocks),
                    count_text(result.largest_queue->foreign)));
  add_wall(text, result);
  add_violations(text, result);
  add(text, "result", verdict_line(result, colour));
  if (!result.record.series.empty()) text += series_text(result);
  return text;
}

std::string to_text(const RunEstimate& run, const std::optional<Probe>& probe,
                    const CostParameters& costs) {
  std::string text;
  add(text, "network", network_line(run));
  add(text, "algorithm", algorithm_line(run));
  add(text, "machine", machine_line(run));
  add(text, "steps", count_text(run.footprint.steps));
  add(text, "predicted", predicted_text(run));
  add(text, "lower bound", bound_text(run));
  add(text, "time", time_line(run, costs, std::nullopt));
  add(text, "messages",
      fmt::format("{} to deliver (the processors' own are not counted)",
                  count_text(run.expected_messages)));
  const bool fits = run.memory_bytes <= run.available_bytes;
  add(text, "memory",
      fmt::format("{} needed, {} available: {}", bytes_text(run.memory_bytes),
                  bytes_text(run.available_bytes), fits ? "fits" : "DOES NOT FIT"));
  add(text, "wall",
      probe ? fmt::format("about {} (from a trial of {} steps in {})",
                          seconds_text(probe->estimated_seconds), count_text(probe->steps),
                          seconds_text(probe->seconds_spent))
            : fmt::format("about {} (from typical rates, nothing was run)",
                          seconds_text(run.rough_seconds)));
  add(text, "result", "dry run: nothing delivered");
  return text;
}

}  // namespace lockstep
