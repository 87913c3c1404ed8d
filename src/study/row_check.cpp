// SPDX-License-Identifier: Apache-2.0
#include "study/row_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "catalog/run_stage.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/machine/violation.hpp"
#include "report/spread.hpp"

namespace lockstep::study {
namespace {

using report::Field;
using report::Fields;
using report::Unit;

[[nodiscard]] std::optional<double> finite_number(const std::string& cell) {
  const std::optional<double> number = decimal_number(cell);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// From the clock: it differs in every run.
[[nodiscard]] bool is_of_the_clock(const Field& field) {
  return field.unit == Unit::seconds || field.name.starts_with("wall");
}

/// The kind of value that a column requires; empty if the cell has it. Precondition: the cell is
/// not empty.
[[nodiscard]] std::string wanted_of(const Field& field, const std::string& cell) {
  switch (field.unit) {
    case Unit::text:
    case Unit::number:
      return {};
    case Unit::count:
    case Unit::bytes:
      return whole_number(cell) ? "" : "a whole number";
    case Unit::share:  // of time that is saved, or is not
      if (!is_of_the_clock(field)) return finite_number(cell) ? "" : "a number";
      [[fallthrough]];
    default:
      return finite_number(cell).value_or(-1) >= 0 ? "" : "a number of at least 0";
  }
}

/// In every row the left one is no larger.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> orders{
    {{"startups", "steps"},
     {"startups", "messages_sent"},
     {"messages_sent", "hops"},
     {"messages_verified", "messages_expected"},
     {"largest_queue_foreign", "largest_queue_blocks"},
     {"step_seconds", "wall_most_seconds"},
     {"wall_least_seconds", "wall_seconds"},
     {"wall_least_seconds", "wall_mean_seconds"},
     {"wall_mean_seconds", "wall_most_seconds"},
     {"wall_seconds", "wall_p95_seconds"},
     {"wall_p95_seconds", "wall_p99_seconds"},
     {"wall_p99_seconds", "wall_most_seconds"},
     {"wall_seconds", "wall_most_seconds"}}};

[[nodiscard]] std::string unlike(const Field& field, const std::string& cell,
                                 const std::string& expected) {
  return fmt::format("{} '{}'; expected {}", column_of(field), cell, expected);
}

/// Whether a note is that of a broken rule: "step 0, node 0: .. (rule sends)", "2 violations".
[[nodiscard]] bool is_of_violation(const std::string& note) {
  if (note.ends_with(" violation") || note.ends_with(" violations")) return true;
  return note.starts_with("step ") && std::ranges::any_of(rule_list, [&](const RuleInfo& rule) {
           return note.find(fmt::format("(rule {})", rule.name)) != std::string::npos;
         });
}

/// Whether a note may be that of a run that delivered everything: a count differs, or a message was
/// stored that had not arrived.
[[nodiscard]] bool is_of_complete_run(const std::string& note) {
  return std::ranges::any_of(
      std::to_array<std::string_view>({" predicted", " necessary", " loaded", " not arrived"}),
      [&](std::string_view end) { return note.ends_with(end); });
}

}  // namespace

bool RowReading::has(std::string_view column) const {
  return std::ranges::find(columns_, column, [](const Field& field) { return column_of(field); }) !=
         columns_.end();
}
const std::string& RowReading::cell(std::string_view column) const {
  const Field& field = report::field_of(columns_, column);
  return cells_.at(static_cast<std::size_t>(&field - columns_.data()));
}
double RowReading::number(std::string_view column) const {
  return finite_number(cell(column)).value_or(0);
}
std::uint64_t RowReading::count(std::string_view column) const {
  return whole_number(cell(column)).value_or(0);
}
Exit RowReading::exit() const {
  return exit_of_status(cell("status")).value_or(Exit::internal_error);
}

bool RowReading::was_run() const {
  const Exit how = exit();
  return how != Exit::bad_request && how != Exit::no_resources;
}

std::string RowReading::fault() const {
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (const std::string wanted = wanted_of(columns_[c], cells_[c]);
        !cells_[c].empty() && !wanted.empty())
      return unlike(columns_[c], cells_[c], wanted);
  constexpr double rounding = 1e-12;  // of means
  for (const auto& [least, most] : orders)
    if (!cell(least).empty() && !cell(most).empty() &&
        number(least) > number(most) * (1 + rounding))
      return fmt::format("{} '{}'; expected at most {}, the {}", least, cell(least), cell(most),
                         most);
  return spread_fault();
}

std::string RowReading::spread_fault() const {
  if (cell("wall_variation").empty()) return {};
  constexpr double rounding = 1e-9;
  const report::Spread spread{.variation = number("wall_variation")};
  const double deviation = spread.variation * number("wall_mean_seconds");
  if (std::abs(deviation - number("wall_deviation_seconds")) > rounding * deviation)
    return fmt::format("wall_variation '{}'; expected wall_deviation_seconds / wall_mean_seconds",
                       cell("wall_variation"));
  const std::string varies = spread.varies() ? "true" : "false";
  if (cell("wall_varies") == varies) return {};
  return fmt::format("wall_varies '{}'; expected {}", cell("wall_varies"), varies);
}

Measured RowReading::measured(Measured before, std::uint64_t repeats) const {
  Measured run = std::move(before);
  run.exit = exit();
  if (run.exit != Exit::ok) run.note = cell("note");
  if (!was_run()) return run;
  RunResult& result = run.result.emplace();
  result.forecast = *run.forecast;
  const std::uint64_t parts = run.forecast->parts_per_block();
  const double in_parts = std::round(number("message_times") * static_cast<double>(parts));
  constexpr double most = 1e18;
  result.cost = {.startups = count("startups"),
                 .message_times = {static_cast<std::uint64_t>(std::min(in_parts, most)), parts},
                 .control_words = count("control_words")};
  result.record.steps = count("steps");
  result.record.messages_sent = count("messages_sent");
  const bool one_link_each = run.forecast->model.switching == Switching::packet;
  result.record.hops = one_link_each ? result.record.messages_sent : count("hops");
  result.record.wall.step_seconds = run.step_seconds = number("step_seconds");
  DeliveryVerdict& deliveries = result.judgement.deliveries;
  deliveries.expected = run.forecast->expected_messages();
  deliveries.checked = run.forecast->verify != VerifyKind::off;
  if (deliveries.checked) deliveries.tally.verified = count("messages_verified");
  const bool all = run.exit == Exit::ok;
  deliveries.tally.delivered = all ? deliveries.expected : deliveries.tally.verified;
  if (all && deliveries.checked) deliveries.tally.verified = deliveries.expected;
  result.record.deliveries = deliveries.tally;
  result.judgement.outcome = all                             ? Outcome::complete
                             : run.exit == Exit::rule_broken ? Outcome::rule_broken
                                                             : Outcome::not_delivered;
  // Not every run has these.
  if (!cell("memory_peak_bytes").empty()) result.peak_bytes = count("memory_peak_bytes");
  if (!cell("largest_queue_blocks").empty())
    result.largest_queue = {count("largest_queue_blocks"), count("largest_queue_foreign")};
  if (has("wall_predicted_seconds") && !cell("wall_predicted_seconds").empty())
    run.predicted_seconds = number("wall_predicted_seconds");
  run.wall_seconds = number("wall_seconds");
  run.walls.assign(repeats > 1 ? 2 : 1, run.wall_seconds);  // which columns there are
  return run;
}

std::string RowReading::broken_promise(const Measured& run) const {
  if (run.exit != Exit::ok) return {};
  const PromiseVerdict verdict =
      judge_promises(run.result->record, run.result->cost, catalog::expectations(*run.forecast));
  if (verdict.broken.empty()) return {};
  const BrokenPromise& broken = verdict.broken.front();
  std::string column;  // "start-ups", "message times": startups, message_times
  for (const char c : broken.quantity)
    if (c != '-') column += c == ' ' ? '_' : c;
  return fmt::format("{} '{}'; expected {}{}", column, cell(column),
                     broken.kind == BrokenPromise::Kind::differs ? "" : "at least ",
                     broken.expected.value());
}

/// A verdict and its reason are written together (verify/judgement.hpp).
std::string RowReading::note_fault() const {
  const std::string& note = cell("note");
  const auto differs = [&](std::string_view expected) {
    return fmt::format("note '{}'; expected {}", note, expected);
  };
  const bool broken = exit() == Exit::rule_broken;
  if (is_of_violation(note) != broken)
    return differs(broken ? "a violated rule, because status is rule-broken"
                          : "no violated rule, because status is not rule-broken");
  if (broken) return {};
  const std::string& verified = cell("messages_verified");
  const std::string counts =
      fmt::format("{} of {} messages verified", grouped(count("messages_verified")),
                  grouped(count("messages_expected")));
  if (note.ends_with(" messages verified") && note != counts) return differs("'" + counts + "'");
  if (!verified.empty() && verified == cell("messages_expected") && !is_of_complete_run(note))
    return fmt::format(
        "messages_verified '{}'; expected fewer than messages_expected, because "
        "status is {}",
        verified, cell("status"));
  return note.empty() ? differs("the reason of the failure") : "";
}

/// A run that fails takes no more steps and sends no more messages than its algorithm would.
std::string RowReading::impossible_failure(const Measured& run) const {
  if (run.exit == Exit::ok || !was_run()) return {};
  if (std::string fault = note_fault(); !fault.empty()) return fault;
  const RunForecast& before = *run.forecast;
  const double nodes = static_cast<double>(before.network.node_count());
  const double ports = nodes * static_cast<double>(before.network.max_degree());
  double messages = number("steps") * ports;
  if (run.exit == Exit::rule_broken && messages > 0)  // possibly more than a node may send
    messages = std::numeric_limits<double>::max();
  if (before.footprint.hops != 0)
    messages = std::min(messages, static_cast<double>(before.footprint.hops));
  const bool one_link_each = before.model.switching == Switching::packet;
  const auto most = std::to_array<std::pair<std::string_view, double>>(
      {{"steps", static_cast<double>(before.footprint.steps)},
       {"messages_sent", messages},
       {"hops", number("messages_sent") * (one_link_each ? 1 : nodes)}});
  for (const auto& [column, limit] : most)
    if (number(column) > limit)
      return fmt::format("{} '{}'; expected at most {:.0f}", column, cell(column), limit);
  return {};
}

std::string RowReading::presence(const Fields& expected, bool all_is_known) const {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const bool wanted = known(expected[c].value) && !cell_of(expected[c].value).empty();
    // The known columns of a run that cannot be prepared depend on the available memory.
    if (wanted && cells_[c].empty() && exit() != Exit::no_resources)
      return unlike(columns_[c], cells_[c], "a value");
    if (all_is_known && !known(expected[c].value) && !cells_[c].empty())
      return unlike(columns_[c], cells_[c], "no value in this row");
  }
  return {};
}

std::string RowReading::difference(const Fields& expected) const {
  const Exit how = exit();
  const bool repeated = count("repeat") > 1;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Field& field = expected[c];
    const std::string wanted = cell_of(field.value);
    if (!known(field.value) || cells_[c].empty() || cells_[c] == wanted) continue;
    // How many messages such a run delivered, no column says.
    if (how != Exit::ok && field.unit == Unit::per_second) continue;
    if (!repeated || !is_of_the_clock(field))
      return unlike(field, cells_[c], wanted.empty() ? "nothing" : wanted);
    if (std::holds_alternative<bool>(field.value) && cells_[c] != "true" && cells_[c] != "false")
      return unlike(field, cells_[c], "true or false");
  }
  return {};
}

}  // namespace lockstep::study
