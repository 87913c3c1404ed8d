// SPDX-License-Identifier: Apache-2.0
#include "cli/table_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/input_file.hpp"
#include "lockstep/core/errors.hpp"
#include "report/fields.hpp"
#include "report/quantities.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] std::string facts_of(const ExchangeTable& table) {
  const std::uint64_t bound = lower_bound_columns(table.symbols, table.kind);
  const bool optimal = check_optimality(table).empty();
  return fmt::format("star:{} {}, {} columns, {} words, {} letters, {} blank{}; bound {}{}{}",
                     table.symbols, name(table.kind), report::count_text(table.columns),
                     report::count_text(word_count(table)), report::count_text(letter_count(table)),
                     report::count_text(blank_count(table)), blank_count(table) == 1 ? "" : "s",
                     report::count_text(bound), is_base(table.kind) ? " with the orbit blocks" : "",
                     optimal ? ", optimal" : "");
}

[[nodiscard]] Json json_of(const TableFault& fault) {
  Json json{{"reason", fault.reason}, {"line", nullptr}, {"row", nullptr}, {"column", nullptr}};
  if (fault.line) json["line"] = *fault.line;
  if (fault.row) json["row"] = *fault.row + 1;
  if (fault.column) json["column"] = *fault.column + 1;
  return json;
}

[[nodiscard]] Json json_of(const CheckedFile& file) {
  Json json{{"file", file.path}, {"readable", file.unreadable.empty()}};
  Json faults = Json::array();
  if (!file.unreadable.empty()) faults.push_back({{"reason", file.unreadable}});
  for (const TableFault& fault : file.faults) faults.push_back(json_of(fault));
  if (file.unreadable.empty()) {
    json["topology"] = fmt::format("star:{}", file.table.symbols);
    json["kind"] = name(file.table.kind);
    json["columns"] = file.table.columns;
    json["words"] = word_count(file.table);
    json["letters"] = letter_count(file.table);
    json["lower_bound"] = lower_bound_columns(file.table.symbols, file.table.kind);
    if (file.faults.empty()) json["optimal"] = check_optimality(file.table).empty();
  }
  json["faults"] = faults;
  json["ok"] = file.exit() == Exit::ok;
  return json;
}

}  // namespace

ExchangeTableFile read_table_file(const std::string& path) {
  std::istringstream in(input_text(path, max_exchange_table_bytes));
  return parse_exchange_table(in, path);
}

Exit CheckedFile::exit() const noexcept {
  if (!unreadable.empty()) return Exit::bad_request;
  return faults.empty() ? Exit::ok : Exit::not_delivered;
}

CheckedFile check_file(const std::string& path, Demand demand) {
  CheckedFile checked{path};
  try {
    ExchangeTableFile file = read_table_file(path);
    checked.faults = check_exchange_table(file);
    if (checked.faults.empty() && demand == Demand::optimal)
      checked.faults = check_optimality(file.table);
    checked.table = std::move(file.table);
  } catch (const InvalidParameter& problem) {
    checked.unreadable = problem.what();
  }
  return checked;
}

std::string text_of(const CheckedFile& file) {
  if (!file.unreadable.empty()) return file.unreadable + "\n";
  constexpr std::size_t shown = 20;  // one bad word has hundreds of consequences
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, file.faults.size()); ++i)
    text += fault_text(file.faults[i], file.path) + "\n";
  if (file.faults.size() > shown)
    text += fmt::format("{}: and {} more\n", file.path, file.faults.size() - shown);
  return file.faults.empty() ? fmt::format("{}: valid: {}\n", file.path, facts_of(file.table))
                             : text;
}

std::string json_of(const std::vector<CheckedFile>& files, const Session& session) {
  Json json = report::json_head("lockstep.table-check/1", provenance(session.command_line));
  json["files"] = Json::array();
  for (const CheckedFile& file : files) json["files"].push_back(json_of(file));
  json["ok"] =
      std::ranges::all_of(files, [](const CheckedFile& file) { return file.exit() == Exit::ok; });
  return report::json_text(json);
}

}  // namespace lockstep::cli
