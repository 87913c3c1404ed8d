// SPDX-License-Identifier: Apache-2.0
#include "papers/paper_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "catalog/check_setting.hpp"
#include "papers/measured.hpp"
#include "papers/paper.hpp"

namespace lockstep::papers {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] std::vector<std::string> words_of(const std::string& text, char between = ' ') {
  std::vector<std::string> words;
  std::istringstream in{text};
  for (std::string word; std::getline(in, word, between);)
    if (!word.empty()) words.push_back(word);
  return words;
}

/// A number where it is one.
[[nodiscard]] Value value_of(const std::string& word) {
  const bool digits = word.find_first_not_of("0123456789") == std::string::npos;
  return digits && !word.empty() ? Value(std::stoll(word)) : Value(word);
}

/// "n,h: 10,5 12,3": n and h take these values together; "i: 1..h - 1": i takes all of them.
[[nodiscard]] std::vector<Named<Value>> values_of(const std::string& loop, const Scope& scope) {
  const std::size_t colon = loop.find(':');
  const std::vector<std::string> names = words_of(loop.substr(0, colon), ',');
  const std::string values = loop.substr(colon + 2);
  std::vector<Named<Value>> all;
  if (const std::size_t dots = values.find(".."); dots != std::string::npos) {
    const std::int64_t last = evaluate(values.substr(dots + 2), scope).number();
    for (auto i = evaluate(values.substr(0, dots), scope).number(); i <= last; ++i)
      all.push_back({{names.front(), i}});
    return all;
  }
  for (const std::string& word : words_of(values)) {
    const auto parts = names.size() == 1 ? std::vector{word} : words_of(word, ',');
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i == 0) all.emplace_back();
      all.back().insert_or_assign(names[i], value_of(parts.at(i)));
    }
  }
  return all;
}

/// The text of a row under the key; empty if it has none.
[[nodiscard]] std::string said(const Json& row, const char* key) {
  const auto found = row.find(key);
  if (found == row.end()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

[[nodiscard]] std::size_t count_said(const Json& row, const char* key, const Scope& scope) {
  const std::string formula = said(row, key);
  return formula.empty() ? 0 : static_cast<std::size_t>(evaluate(formula, scope).number());
}

constexpr std::array<std::string_view, 18> fields_of_a_row{
    "for",  "claims", "n",    "topology", "factor", "ratio", "where",   "quantity", "printed",
    "ours", "exact",  "step", "curve",    "lost",   "same",  "erratum", "reading",  "beside"};

/// All other fields are names for the formulas; so is n.
void add_names(const Json& node, Scope& scope) {
  for (const auto& [key, value] : node.items())
    if (std::ranges::find(fields_of_a_row, key) == fields_of_a_row.end())
      scope.names.insert_or_assign(key, value_of(said(node, key.c_str())));
  if (const std::string n = said(node, "n"); !n.empty() && n != "n") {
    scope.names.erase("n");
    scope.formulas.insert_or_assign("n", n);
  }
}

/// That of the paper for this n, where a row of some size names none.
[[nodiscard]] std::string topology_of(const Json& row, const Scope& scope) {
  if (row.contains("topology")) return filled(said(row, "topology"), scope);
  return count_said(row, "n", scope) == 0 ? "" : filled(said(row, "network"), scope);
}

[[nodiscard]] PaperRow row_of(const Json& row, Scope scope) {
  const std::size_t n = count_said(row, "n", scope);
  const std::string topology = topology_of(row, scope);
  scope.names.insert_or_assign("topology", topology);
  const auto text = [&](const char* key) {
    std::string result = filled(said(row, key), scope);
    scope.names.insert_or_assign(key, result);
    return result;
  };
  PaperRow made{.where = text("where"),
                .topology = topology,
                .n = n,
                .k = count_said(row, "factor", scope),
                .ratio = text("ratio"),
                .quantity = text("quantity"),
                .printed = text("printed"),
                .ours = text("ours"),
                .exact = text("exact"),
                .step = count_said(row, "step", scope),
                .curve = text("curve"),
                .beside = text("beside"),
                .lost = row.contains("lost")};
  if (const std::string same = said(row, "same"); !same.empty())
    made.same = evaluate(same, scope).number() != 0;
  if (!made.agrees()) made.erratum = static_cast<unsigned>(count_said(row, "erratum", scope));
  if (row.contains("reading"))
    made.erratum = static_cast<unsigned>(count_said(row, "reading", scope));
  return made;
}

/// The value that a table of the paper prints for the point of a figure; empty if it has no such
/// row.
[[nodiscard]] std::string printed_like(const PaperRow& point, const PaperRows& table) {
  const auto key = [](const PaperRow& row) {
    return std::tie(row.quantity, row.topology, row.n, row.k, row.step);
  };
  const auto row =
      std::ranges::find_if(table, [&](const PaperRow& each) { return key(each) == key(point); });
  return row == table.end() ? "" : row->printed;
}

[[nodiscard]] Scope with(Scope scope, const Named<Value>& values) {
  for (const auto& [name, value] : values) scope.names.insert_or_assign(name, value);
  return scope;
}

/// As counted, or as promised.
[[nodiscard]] Scope with_cost(const Scope& scope, const Cost& cost, std::uint64_t steps) {
  const Fraction& times = cost.message_times;
  return with(
      scope, {{"steps", steps},
              {"startups", cost.startups},
              {"message_times", times.denominator() == 1 ? Value(times.numerator()) : Value(times)},
              {"control_words", cost.control_words}});
}

[[nodiscard]] Scope with_promise(const Scope& scope, const PaperRun& run) {
  const auto prepared =
      prepare(request_of({run.topology, run.operation, run.algorithm, run.settings}), false);
  const RunForecast& forecast = prepared->forecast();
  return with_cost(scope, forecast.predicted.value(), forecast.footprint.steps);
}

/// Steps count from 1.
[[nodiscard]] Value average_receive_step(const std::vector<StepRecord>& series) {
  std::uint64_t sum = 0;
  std::uint64_t receivers = 0;
  std::uint64_t number = 0;
  for (const StepRecord& step : series) {
    if (step.messages == 0) continue;
    sum += ++number * step.receivers;
    receivers += step.receivers;
  }
  return receivers == 0 ? Value("none") : Value(Fraction{sum, receivers});
}

[[nodiscard]] Scope with_counts(const Scope& scope, const RunResult& result) {
  const RunRecord& record = result.record;
  return with(with_cost(scope, result.cost, record.steps),
              {{"senders", record.senders},
               {"received", result.judgement.deliveries.tally.verified / record.processors},
               {"average_receive_step", average_receive_step(record.series)}});
}

/// The counts of the steps in which anything moved.
[[nodiscard]] std::vector<std::string> counted_steps(const std::string& form, const Scope& scope,
                                                     const RunRecord& record) {
  std::vector<std::string> texts;
  for (const StepRecord& step : record.series)
    if (step.messages != 0)
      texts.push_back(filled(form, with(scope, {{"free", record.processors - step.active},
                                                {"senders", step.senders},
                                                {"receivers", step.receivers},
                                                {"active", step.active}})));
  return texts;
}

void add_steps(const Json& run, const Scope& scope, const RunRecord& record,
               std::vector<CountedFigure>& figures) {
  const Json& steps = run.at("steps");
  const std::vector<std::string> counted = counted_steps(said(steps, "counted"), scope, record);
  const std::size_t expected = count_said(steps, "count", scope);
  std::size_t same = 0;
  for (std::size_t i = 0; i < std::max(counted.size(), expected); ++i) {
    const Scope of_step = with(scope, {{"step", i + 1}});
    const std::string ours = i < counted.size() ? counted[i] : "no such step";
    const std::string closed_form =
        i < expected ? filled(said(steps, "closed_form"), of_step) : "no such step";
    same += ours == closed_form ? 1U : 0U;
    if (run.contains("every_step"))
      figures.push_back({filled(said(run, "every_step"), of_step), ours, closed_form});
  }
  if (!run.contains("every_step"))
    figures.push_back({filled(said(steps, "quantity"), scope),
                       fmt::format("{} of {}", same, counted.size()),
                       fmt::format("{} of {}", expected, expected)});
}

/// The counts beside the figure of the run.
[[nodiscard]] std::vector<CountedFigure> other_figures(const Json& run, const Scope& scope,
                                                       const RunResult& result) {
  std::vector<CountedFigure> figures;
  add_steps(run, scope, result.record, figures);
  for (const Json& figure : run.at("figures"))
    figures.push_back({filled(figure.at(0).get<std::string>(), scope),
                       filled(figure.at(1).get<std::string>(), with_counts(scope, result)),
                       filled(figure.at(2).get<std::string>(), scope)});
  return figures;
}

[[nodiscard]] PaperRun run_of(const Json& run, const Scope& scope) {
  PaperRun made{.topology = topology_of(run, scope),
                .operation = parse_operation(said(run, "operation")),
                .algorithm = evaluate("algorithm", scope).text(),
                .n = count_said(run, "n", scope),
                .k = count_said(run, "factor", scope),
                .quantity = filled(said(run, "quantity"), scope),
                .long_run = count_said(run, "long_run", scope) != 0};
  if (run.contains("block_bytes")) made.block_bytes = count_said(run, "block_bytes", scope);
  if (count_said(run, "undelivered", scope) != 0) made.expected = Exit::not_delivered;
  const Json settings = run.value("settings", Json::object());
  for (const auto& [name, value] : settings.items()) {
    const Parameter* const parameter = parameter_of(parameter_catalog(), name);
    expects(parameter != nullptr, "a paper's setting is a parameter");
    made.settings[name] = parse_setting(*parameter, filled(value.get<std::string>(), scope),
                                        AnyTopology(made.topology));
  }
  for (const Json& part : run.value("parts", Json::array()))
    made.parts.push_back(filled(part.get<std::string>(), scope));
  const std::string form = run.value("counted", "{startups} t_s + {message_times} t_m");
  made.closed_form = run.contains("closed_form") ? filled(said(run, "closed_form"), scope)
                                                 : filled(form, with_promise(scope, made));
  made.counted = [=](const RunResult& result) { return filled(form, with_counts(scope, result)); };
  if (run.contains("steps"))
    made.of_steps = [=](const RunResult& result) { return other_figures(run, scope, result); };
  return made;
}

/// Calls `use` for the rows of a list; of a group, with what its rows share, for all values of its
/// names; or for one row.
template <class Use>
void for_each_row(const Json& node, const Json& shared, const Scope& scope, Use use) {
  if (node.is_array() && (node.empty() || !node.front().is_string())) {
    for (const Json& each : node) for_each_row(each, shared, scope, use);
    return;
  }
  Json fields = shared;
  if (node.is_object()) {
    fields.update(node);
  } else {
    constexpr std::array keys{"quantity", "printed", "ours", "erratum"};
    for (std::size_t i = 0; i < node.size(); ++i) fields[keys.at(i)] = node[i];
  }
  const std::string loop = said(node.is_object() ? node : Json::object(), "for");
  fields.erase("for");
  fields.erase("claims");
  const auto add = [&](Scope inner) {
    if (node.is_object()) add_names(node, inner);
    if (node.is_object() && node.contains("claims"))
      for_each_row(node["claims"], fields, inner, use);
    else
      use(fields, inner);
  };
  if (loop.empty()) return add(scope);
  for (const Named<Value>& values : values_of(loop, scope)) add(with(scope, values));
}

}  // namespace

PaperData::PaperData(std::string_view json, Functions functions)
    : json_(std::make_shared<const Json>(Json::parse(json))), title_(json_->at("title")) {
  scope_.functions = std::move(functions);
  scope_.functions.merge(printed_functions());
  if (json_->contains("formulas"))
    for (const auto& [name, formula] : json_->at("formulas").items())
      scope_.formulas.insert_or_assign(name, formula.get<std::string>());
  for (const auto& [number, sentence] : json_->at("errata").items())
    errata_.push_back({static_cast<unsigned>(std::stoul(number)), sentence.get<std::string>()});
  for (const auto& [name, rows] : json_->at("parts").items()) parts_.push_back(name);
}

PaperRows PaperData::rows(const std::string& part) const {
  const Json& parts = json_->at("parts");
  if (!parts.contains(part)) throw std::invalid_argument(part + ": no part of the paper");
  PaperRows rows;
  std::map<std::string, PaperRows> others;
  for_each_row(parts[part], {{"where", part}, {"network", json_->at("network")}}, scope_,
               [&](const Json& row, const Scope& scope) {
                 PaperRow& made = rows.emplace_back(row_of(row, scope));
                 if (!parts.contains(made.beside)) return;
                 if (!others.contains(made.beside)) others[made.beside] = this->rows(made.beside);
                 made.beside = printed_like(made, others[made.beside]);
               });
  return rows;
}

std::vector<PaperRun> PaperData::runs() const {
  std::vector<PaperRun> runs;
  for_each_row(json_->at("runs"), {{"network", json_->at("network")}}, scope_,
               [&](const Json& run, const Scope& scope) { runs.push_back(run_of(run, scope)); });
  return runs;
}

}  // namespace lockstep::papers
