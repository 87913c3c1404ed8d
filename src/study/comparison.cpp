// SPDX-License-Identifier: Apache-2.0
#include "study/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "report/run_fields.hpp"
#include "study/compared_algorithms.hpp"

namespace lockstep::study {
namespace {

using report::Fields;
using report::number_of;
using report::Unit;
using report::Value;
using report::value_of;

constexpr std::string_view columns_of_rows =
    "topology,operation,algorithm,k,batch,bytes,status,startups,message_times,predicted_startups,"
    "predicted_message_times,lower_bound_startups,lower_bound_message_times,ts,tm,time,"
    "time_over_lower_bound,time_ratio_0.1,time_ratio_1,time_ratio_100,largest_message_blocks,"
    "memory_predicted_bytes,wall_seconds,note,discipline,port_model,largest_queue_blocks,"
    "largest_queue_foreign,root,parts_per_block,time_ratio_10,time_ratio_1000,"
    "steps,ok,time_lower_bound,time_predicted,lower_bound_undivided_blocks_message_times,"
    "time_lower_bound_undivided_blocks,charged_startups,control_words,tw,charged_message_times,"
    "root_name,processes,crossing_bytes";

[[nodiscard]] bool is_known_to_be_incomplete(const Measured& run) {
  return run.result && run.result->judgement.outcome == Outcome::incomplete_as_known;
}

/// Whether a run says something of its algorithm, as the program chose it: that it is refused, that
/// it breaks rules of a port model that was asked for, or that it leaves out what it is known to
/// leave out. A user's own file has to be right.
[[nodiscard]] bool is_answer(const RunRequest& request, const Measured& run) {
  if (run.exit == Exit::bad_request) return !has_own_file(request);
  return is_known_to_be_incomplete(run) ||
         (run.result && run.result->judgement.outcome == Outcome::rule_broken &&
          request.port_model);
}

struct RatioColumn {
  std::string_view name;
  std::string_view heading;
};
constexpr std::array<RatioColumn, compared_ratios.size()> ratio_columns{
    {{"time_ratio_0.1", "time 0.1/1"},
     {"time_ratio_1", "time 1/1"},
     {"time_ratio_10", "time 10/1"},
     {"time_ratio_100", "time 100/1"},
     {"time_ratio_1000", "time 1000/1"}}};

/// `time_at`: the time at a ratio t_s/t_m, t_m = 1.
void set_ratios(Fields& row, const auto& time_at) {
  for (std::size_t i = 0; i < compared_ratios.size(); ++i)
    set(row, ratio_columns.at(i).name, time_at(compared_ratios.at(i).value()));
}

/// The parameters that are wanted.
template <class Wanted>
[[nodiscard]] std::vector<Parameter> only(std::span<const Parameter> parameters, Wanted wanted) {
  std::vector<Parameter> chosen;
  std::ranges::copy_if(parameters, std::back_inserter(chosen), wanted);
  return chosen;
}
/// A word belongs to the algorithm's name in a table that is read.
[[nodiscard]] bool is_word(const Parameter& parameter) {
  return parameter.kind == Parameter::Kind::word;
}

struct NamedBound {
  std::string_view called;
  std::string_view message_times;
  std::string_view time;
  std::string_view result;
  std::string_view startups_by;  ///< empty: stated by the other bound
  std::string_view message_times_by;
};
constexpr NamedBound of_all{"lower bound",      "lower_bound_message_times",
                            "time_lower_bound", "holds for all algorithms",
                            bound_on_startups,  bound_on_message_times};
constexpr NamedBound of_whole_blocks{"lower bound, undivided blocks",
                                     "lower_bound_undivided_blocks_message_times",
                                     "time_lower_bound_undivided_blocks",
                                     "holds if blocks are not divided",
                                     "",
                                     "lower_bound_undivided_blocks_name"};

/// A lower bound under the port model of a row, as a row.
[[nodiscard]] Fields bound_of(const Fields& row, const NamedBound& named) {
  Fields bound = row;
  for (report::Field& field : bound)
    if (field.name != "port_model") field.value = {};
  set(bound, "called", named.called);
  set(bound, "startups", value_of(row, "lower_bound_startups"));
  set(bound, "message_times", value_of(row, named.message_times));
  set(bound, "time", value_of(row, named.time));
  const auto least = number_in(row, of_all.time);
  const auto time = number_in(row, named.time);
  set(bound, "time_over_lower_bound", least > 0 ? Value(time / least) : Value());
  const std::string startups_by =
      named.startups_by.empty() ? ""
                                : fmt::format("start-ups: {}; ", cell_in(row, named.startups_by));
  set(bound, "result",
      fmt::format("{} ({}message times: {})", named.result, startups_by,
                  cell_in(row, named.message_times_by)));
  const auto startups = number_of(value_of(bound, "startups"));
  const auto times = number_of(value_of(bound, "message_times"));
  set_ratios(bound, [&](double ratio) {  // its blocks have no padding
    return startups && times ? Value(*startups * ratio + *times) : Value();
  });
  return bound;
}

/// For each port model, the bound for all algorithms, and that for undivided blocks if it is
/// larger.
[[nodiscard]] std::vector<Fields> bounds_of(const std::vector<Fields>& rows) {
  std::vector<Fields> bounds;
  std::set<std::string> shown;
  for (const Fields& row : rows) {
    if (!report::known(value_of(row, of_all.time))) continue;
    if (!shown.insert(cell_in(row, "port_model")).second) continue;
    bounds.push_back(bound_of(row, of_all));
    if (number_of(value_of(row, of_whole_blocks.message_times)) >
        number_of(value_of(row, of_all.message_times)))
      bounds.push_back(bound_of(row, of_whole_blocks));
  }
  return bounds;
}

[[nodiscard]] std::vector<Winner> winners_of(const std::vector<Fields>& rows,
                                             const CostParameters& host) {
  const std::vector<Ranking> rankings = rankings_with(compared_ratios, host);
  std::vector<Winner> winners;
  std::set<std::string> told;
  for (const Fields& row : rows) {
    const std::string model = cell_in(row, "port_model");
    if (!told.insert(model).second) continue;
    const Rivals rivals = rivals_under(rows, cell_in(row, "topology"), model);
    if (rivals.rows.empty()) continue;
    for (const Ranking& ranking : rankings) {
      const bool of_host = &ranking - rankings.data() >= std::ssize(compared_ratios);
      const Fields& best = rivals.best(ranking);
      const bool fewest = std::ranges::none_of(rivals.rows, [&](const Fields* other) {
        return number_in(*other, "charged_startups") < number_in(best, "charged_startups");
      });
      winners.push_back({model, ranking.text, of_host, cell_in(best, "variant"), fewest});
    }
  }
  return winners;
}

/// A line for every port model: times under different ones are not those of the same machine. A
/// variant that wins at two ratios wins between them, and at all larger ones if no other has fewer
/// start-ups: times are linear in the ratio.
[[nodiscard]] std::string winners_text(const Comparison& comparison) {
  const std::vector<Winner>& winners = comparison.winners;
  std::string text;
  std::string_view model;
  for (std::size_t i = 0; i < winners.size(); ++i) {
    const Winner& first = winners[i];
    while (!first.of_host && i + 1 < winners.size() &&
           winners[i + 1].port_model == first.port_model &&
           winners[i + 1].variant == first.variant && !winners[i + 1].of_host)
      ++i;
    const Winner& last = winners[i];
    const bool at_the_end = last.ratio == compared_ratios.back().text && last.fewest_startups;
    const std::string ratios = at_the_end                  ? ">= " + first.ratio
                               : first.ratio == last.ratio ? first.ratio
                                                           : first.ratio + " to " + last.ratio;
    if (first.port_model != model)
      text += fmt::format("\nfastest {} algorithm by t_s/t_m:", first.port_model);
    text += fmt::format("{} {} {}", first.port_model == model ? ";" : "", ratios, first.variant);
    model = first.port_model;
  }
  return text.empty() ? text : "\n" + text.substr(1) + "\n";
}

/// Sorts by port model, in the order in which these occur, and then by charged time. Rows without a
/// time are last.
void sort_rows(std::vector<Fields>& rows) {
  std::vector<std::string> models;
  for (const Fields& row : rows) models.push_back(cell_in(row, "port_model"));
  std::ranges::stable_sort(rows, {}, [&](const Fields& row) {
    return std::pair(
        std::ranges::find(models, cell_in(row, "port_model")),
        number_of(value_of(row, "time")).value_or(std::numeric_limits<double>::infinity()));
  });
}

/// The terms of a time, as far as a row has them.
[[nodiscard]] std::string legend_of(const Comparison& comparison) {
  std::string text =
      "\ntime a/b: charged start-ups x a + charged message times x b + control words x t_w, as "
      "counted\n"
      "largest message, longest queue: in blocks; memory: predicted\n";
  if (!comparison.winners.empty())
    text += "Each winner is the fastest of all algorithms that are legal under the port model.\n";
  const auto any_differs = [&](std::string_view charged, std::string_view counted) {
    return std::ranges::any_of(comparison.rows, [&](const Fields& row) {
      return number_in(row, charged) != number_in(row, counted);
    });
  };
  if (any_differs("charged_startups", "startups"))
    text += "charged start-ups: all steps of algorithms that charge idle steps\n";
  if (any_differs("charged_message_times", "message_times"))
    text += "charged message times: with the padding of blocks that are divided into parts\n";
  const auto words = std::ranges::find_if(
      comparison.rows, [&](const Fields& row) { return number_in(row, "control_words") > 0; });
  if (words != comparison.rows.end())
    text += fmt::format("t_w: {:g} per control word of 8 bytes{}\n", number_in(*words, "tw"),
                        comparison.host.t_w ? ", at the other ratios 8 / bytes" : "");
  return text;
}

/// Columns that a narrow page leaves out, in this order, before a row becomes a paragraph.
constexpr auto least_wanted = std::to_array<std::string_view>(
    {"largest_queue_blocks", "wall_measured_over_predicted", "wall_predicted_seconds",
     "time_ratio_100", "time_ratio_1", "time_ratio_0.1", "memory_predicted_bytes", "wall_seconds",
     "largest_message_blocks", "result", "predicted", "message_times", "startups"});

/// Those of its rows, without values.
[[nodiscard]] Fields fields_of(const Comparison& comparison) {
  Fields row = comparison_row({}, {}, comparison.host);
  if (comparison.predicts) append(row, report::prediction_fields({}, 0));
  return row;
}

[[nodiscard]] std::string table_of(const Comparison& comparison, std::size_t page) {
  const CostParameters& host = comparison.host;
  const std::string time = fmt::format("time {:g}/{:g}", host.t_s, host.t_m);
  Fields columns = read_columns(
      fields_of(comparison), "called", only(comparison.parameters, std::not_fn(is_word)),
      std::string("port_model,startups,message_times,predicted,time,time_over_lower_bound,"
                  "time_ratio_0.1,time_ratio_1,time_ratio_100,largest_message_blocks,"
                  "largest_queue_blocks,memory_predicted_bytes,wall_seconds,") +
          (comparison.predicts ? "wall_predicted_seconds,wall_measured_over_predicted," : "") +
          "result");
  const bool queues = std::ranges::any_of(comparison.rows, [](const Fields& row) {
    return report::known(value_of(row, "largest_queue_blocks"));
  });
  std::erase_if(columns, [&](const report::Field& column) {
    return column.heading == time ||
           (!queues && report::column_of(column) == "largest_queue_blocks");
  });
  for (report::Field& column : columns)
    if (column.name == "time") column.heading = time;
  const auto written = [&] {
    report::FieldTable table(columns);
    for (const Fields& row : comparison.rows) table.add(row);
    for (const Fields& bound : bounds_of(comparison.rows)) table.add(bound);
    return table.text(page);
  };
  const auto is_table = [](std::string_view text) { return text.find("\n\n") == text.npos; };
  const bool all_ok = std::ranges::all_of(
      comparison.rows, [](const Fields& row) { return value_of(row, "ok") == Value(true); });
  const std::string whole = written();
  std::string text = whole;
  for (const std::string_view name : least_wanted) {
    if (is_table(text)) break;
    if (name == "result" && !all_ok) continue;
    std::erase_if(columns,
                  [&](const report::Field& column) { return report::column_of(column) == name; });
    text = written();
  }
  if (!is_table(text)) return whole;
  return text == whole ? text : text + "some columns do not fit; --format csv has all of them\n";
}

}  // namespace

Comparison compare(RunSeries& series, const CostParameters& host) {
  Comparison comparison{
      .host = host,
      .predicts = series.predicts(),
      .parameters = shown_parameters(series, {Parameter::Kind::numbers, Parameter::Kind::count})};
  Exit worst = Exit::ok;
  bool is_any_answer = false;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Measured run = series.measure(i);
    worst = worse(worst, run.exit);
    if (!is_answer(series.request(i), run)) comparison.exit = worse(comparison.exit, run.exit);
    if (run.interrupted()) break;
    is_any_answer = is_any_answer || run.exit == Exit::ok || is_known_to_be_incomplete(run);
    comparison.rows.push_back(comparison_row(series.request(i), run, host));
    if (series.predicts())
      append(comparison.rows.back(),
             report::prediction_fields(run.predicted_seconds, run.step_seconds));
  }
  if (!is_any_answer) comparison.exit = worse(comparison.exit, worst);  // nothing to compare
  if (comparison.exit != Exit::interrupted) {
    comparison.not_tried = try_other_port_models(comparison.rows, series);
    comparison.winners = winners_of(comparison.rows, host);
  }
  sort_rows(comparison.rows);
  return comparison;
}

Fields comparison_columns(const Fields& row) {
  Fields columns = report::columns_of(row, columns_of_rows, parameter_catalog());
  append(columns, report::prediction_columns(row));
  return columns;
}

/// Those of the algorithm that the request names: parameters of one name may differ elsewhere.
[[nodiscard]] static std::span<const Parameter> parameters_of(const RunRequest& request) {
  for (const AlgorithmEntry& entry : algorithm_catalog())
    if (entry.info.operation == request.operation && entry.info.name == request.algorithm)
      return entry.info.parameters;
  return parameter_catalog();
}

Fields comparison_row(const RunRequest& request, const Measured& run, const CostParameters& host) {
  Fields row = run_row(request, run, host);
  const Settings& settings = run.forecast ? run.forecast->settings : request.settings;
  row.push_back({"called",
                 request.algorithm + phrases_of(only(parameter_catalog(), is_word), settings),
                 Unit::text, "", "", "algorithm"});
  const auto is_choice = [](const Parameter& p) { return !p.defines_problem; };
  row.push_back({"variant", request.algorithm +
                                phrases_of(only(parameters_of(request), is_choice), settings)});
  for (const RatioColumn& column : ratio_columns)
    row.push_back({column.name, Value(), Unit::time,
                   "time at the t_s/t_m of the name, t_m = 1, t_w = 8 / bytes", "",
                   column.heading});
  if (!run.result || !report::known(value_of(row, "startups"))) return row;
  const RunForecast& forecast = run.result->forecast;
  const Cost charged = forecast.charged(run.result->cost, run.result->record.steps);
  set_ratios(
      row, [&](double ratio) { return predicted(charged, {.t_s = ratio}, forecast.block_bytes); });
  return row;
}

std::string text_of(const std::vector<ComparedRuns::LeftOut>& left_out) {
  std::string text;
  for (const auto& [algorithm, reason] : left_out)
    text += fmt::format("skipped {}: {}\n", algorithm, reason);
  return text;
}

std::vector<Fields> rows_of(const std::vector<ComparedRuns::LeftOut>& left_out) {
  std::vector<Fields> rows;
  for (const auto& [algorithm, reason] : left_out)
    rows.push_back({{"algorithm", algorithm}, {"reason", reason}});
  return rows;
}

std::string text_of(const Comparison& comparison, std::size_t page) {
  return table_of(comparison, page) + winners_text(comparison) + text_of(comparison.left_out) +
         text_of(comparison.not_tried) + legend_of(comparison);
}

std::string csv_of(const Comparison& comparison) {
  std::string text = report::csv_heading(comparison_columns(fields_of(comparison)));
  for (const Fields& row : comparison.rows) text += report::csv_row(comparison_columns(row));
  return text;
}

std::string json_of(const Comparison& comparison, const Provenance& provenance) {
  auto json = report::json_head("lockstep.compare/2", provenance);
  std::vector<Fields> rows;
  for (const Fields& row : comparison.rows) rows.push_back(comparison_columns(row));
  json["rows"] = report::json_of(rows);
  std::vector<Fields> winners;
  for (const Winner& winner : comparison.winners)
    winners.push_back(
        {{"port_model", winner.port_model}, {"ratio", winner.ratio}, {"variant", winner.variant}});
  json["winners"] = report::json_of(winners);
  json["left_out"] = report::json_of(rows_of(comparison.left_out));
  json["not_tried"] = report::json_of(rows_of(comparison.not_tried));
  json["interrupted"] = comparison.exit == Exit::interrupted;
  json["ok"] = comparison.exit == Exit::ok;
  return report::json_text(json);
}

}  // namespace lockstep::study
