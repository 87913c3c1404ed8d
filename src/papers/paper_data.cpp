// SPDX-License-Identifier: Apache-2.0
#include "papers/paper_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

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
    const std::vector<std::string> parts = words_of(word, ',');
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i == 0) all.emplace_back();
      all.back().insert_or_assign(names[i], value_of(parts.at(i)));
    }
  }
  return all;
}

/// What a row says; empty where it says nothing.
[[nodiscard]] std::string said(const Json& row, const char* key) {
  const auto found = row.find(key);
  if (found == row.end()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

[[nodiscard]] std::size_t count_said(const Json& row, const char* key, const Scope& scope) {
  const std::string formula = said(row, key);
  return formula.empty() ? 0 : static_cast<std::size_t>(evaluate(formula, scope).number());
}

constexpr std::array<std::string_view, 17> fields_of_a_row{
    "for",  "claims", "n",    "topology", "factor", "ratio", "where",   "quantity", "printed",
    "ours", "exact",  "step", "curve",    "lost",   "same",  "erratum", "reading"};

/// All other fields are names for the formulas; so is n.
void add_names(const Json& node, Scope& scope) {
  for (const auto& [key, value] : node.items())
    if (std::find(fields_of_a_row.begin(), fields_of_a_row.end(), key) == fields_of_a_row.end())
      scope.names.insert_or_assign(key, value_of(said(node, key.c_str())));
  if (const std::string n = said(node, "n"); !n.empty() && n != "n") {
    scope.names.erase("n");
    scope.formulas.insert_or_assign("n", n);
  }
}

[[nodiscard]] PaperRow row_of(const Json& row, Scope scope) {
  const std::size_t n = count_said(row, "n", scope);
  const bool is_named = row.contains("topology");
  const std::string topology =
      filled(is_named || n != 0 ? said(row, is_named ? "topology" : "network") : "", scope);
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
                .lost = row.contains("lost")};
  if (const std::string same = said(row, "same"); !same.empty())
    made.same = evaluate(same, scope).number() != 0;
  if (!made.agrees()) made.erratum = static_cast<unsigned>(count_said(row, "erratum", scope));
  if (row.contains("reading"))
    made.erratum = static_cast<unsigned>(count_said(row, "reading", scope));
  return made;
}

/// A list of claims; a group of them, with what they share, for all values of its names; or one.
void add_rows(PaperRows& rows, const Json& node, const Json& shared, const Scope& scope) {
  if (node.is_array() && !node.empty() && !node.front().is_string()) {
    for (const Json& each : node) add_rows(rows, each, shared, scope);
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
      add_rows(rows, node["claims"], fields, inner);
    else
      rows.push_back(row_of(fields, inner));
  };
  if (loop.empty()) return add(scope);
  for (const Named<Value>& values : values_of(loop, scope)) {
    Scope inner = scope;
    for (const auto& [name, value] : values) inner.names.insert_or_assign(name, value);
    add(inner);
  }
}

}  // namespace

PaperData::PaperData(std::string_view json, Functions functions)
    : json_(std::make_shared<const Json>(Json::parse(json))), title_(json_->at("title")) {
  scope_.functions = std::move(functions);
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
  add_rows(rows, parts[part], {{"where", part}, {"network", json_->at("network")}}, scope_);
  return rows;
}

}  // namespace lockstep::papers
